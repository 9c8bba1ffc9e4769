"""A program that knows tools by the names, arguments and results that agents' habits are made of.

Each step is a call and the fields its result must have: `a.b` is a field of a field, `rows[]` a
list with at least one entry, `rows[].a` a field of every entry. `{"$": "name.path"}` stands for a
part of an earlier result that was kept under a name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["STEPS", "Step"]

ACTION = "ok"
"""The rest is there where it has something to say."""
MOVED = "ok navigation.changed navigation.kind status final_url title snapshotDelta.tree"
SAMPLE = "metric scope durationMs mode count summary.count summary.min summary.max summary.first summary.last summary.distinctCount"
ALL = "all"


@dataclass(frozen=True)
class Step:
    """One call."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)
    fields: str = "ok"
    keep: str = ""
    fails: bool = False
    """The result says `ok: false`, as data and not as an error."""


def ref(name: str) -> dict[str, str]:
    """The ref of the first candidate of a `find` that was kept."""
    return {"$": f"{name}.candidates.0.ref"}


def find(query: str, keep: str) -> Step:
    """Find something and remember it."""
    return Step(
        "find",
        {"query": query, "maxCandidates": 3},
        "query candidates[].ref candidates[].role candidates[].stability candidates[].selectorHint "
        "candidates[].selectorTier candidates[].bbox candidates[].actionable "
        "candidates[].score",
        keep,
    )


NAVIGATION = [
    Step("open_session", {"session": "s", "mode": "incognito", "engine": "chromium",
         "viewport": {"width": 1200, "height": 800}, "dialogPolicy": "raise"}, "ok session mode engine"),
    Step("list_sessions", {}, "sessions[].id sessions[].mode sessions[].engine sessions[].url sessions[].pages sessions[].openedAt"),
    Step("navigate", {"url": "$shop", "mode": "full", "maxResultTokens": 2000, "timeoutMs": 20000}, MOVED),
    Step("navigate", {"url": "$shop/help.html"}, MOVED),
    Step("go_back", {}, ACTION),
    Step("go_forward", {}, ACTION),
    Step("go_back", {"mode": "none"}, ACTION),
    Step("set_viewport", {"width": 1280, "height": 720}, ACTION),
    Step("scroll", {"to": "bottom"}, f"{ACTION} element.scroll.y element.scroll.scrollHeight element.scroll.clientHeight element.scroll.atBottom"),
    Step("scroll", {"by": {"x": 0, "y": -5000}}, ACTION),
    Step("tab_visibility", {"state": "background"}, "ok state realBackgrounding note"),
    Step("tab_visibility", {"state": "foreground"}, "ok state"),
]  # fmt: skip

READING = [
    Step("snapshot", {"maxNodes": 500, "omit": ["footer"], "includeShadow": "open"}, ""),
    find("buy Assam", "buy"),
    find("Full name", "name"),
    Step("frames_list", {}, "ok frames[].frameId frames[].url frames[].name frames[].isMainFrame frames[].origin tokensEstimate"),
    Step("text_search", {"text": "twenty bags", "maxMatches": 5}, "query count matches[].ref matches[].role matches[].text matches[].bbox"),
    Step("shadow_trees", {"maxHosts": 10}, "trees[].hostRef trees[].hostTag trees[].mode trees[].children[].tag trees[].descendantCount closedShadowAvailable warnings tokensEstimate"),
    Step("extract", {"schema": {"type": "object", "properties": {
        "title": {"type": "string", "x-browx-source": {"selector": "h1", "text": True}},
        "teas": {"type": "array", "x-browx-source": {"collection": "tbody tr"}, "items": {"type": "object", "properties": {
            "name": {"type": "string", "x-browx-source": {"selector": "td:nth-child(1)"}},
            "price": {"type": "number", "x-browx-source": {"selector": "td:nth-child(2)"}}}}}},
        "required": ["title"]}}, "ok data.title data.teas[].name data.teas[].price evidence.refsUsed evidence.selectorsUsed evidence.partialMisses tokensEstimate"),
    Step("verify_visible", {"selector": "text=Order now"}),
    Step("verify_text", {"selector": "#basket", "text": "empty"}),
    Step("verify_text", {"selector": "#basket", "text": "full"}, "ok failure.source failure.kind failure.expected failure.actual", fails=True),
    Step("verify_value", {"ref": ref("name"), "value": ""}),
    Step("verify_count", {"selector": "tbody tr", "n": 3}),
    Step("verify_attribute", {"selector": "nav", "attr": "aria-label", "value": "Main"}),
    Step("verify_predicate", {"predicate": {"kind": "equals", "key": "value.total", "value": 3}, "data": {"value": {"total": 3}}}),
    Step("console_read", {"limit": 50}, "[].ts [].type [].text"),
    Step("network_read", {"limit": 50}, "summary.total summary.byType summary.failed requests[].method requests[].url requests[].type requests[].requestId", "network"),
    Step("ws_read", {"limit": 10}, "total frames[].url frames[].dir frames[].kind frames[].payload frames[].ts", "sockets"),
    Step("inspect", {"ref": ref("buy"), "styles": ["color", "display"]}, "found box styles.color overflowing.x visible childCount"),
    Step("point_probe", {"coords": {"x": 100, "y": 100}}, "ok point.x stack[] scrollContainer clickableAncestor"),
    Step("overflow_detect", {"scope": "document", "limit": 20}, "ok scope findings truncated warnings tokensEstimate"),
    Step("generate_locator", {"ref": ref("buy")}, "ok playwright stability components[].kind tokensEstimate"),
    Step("workers_list", {"type": "all"}, "ok workers[].workerId workers[].type workers[].url", "workers"),
    Step("sample", {"metric": "scrollHeight", "durationMs": 200, "intervalMs": 50}, f"{SAMPLE} series[].tMs series[].value"),
    Step("watch", {"durationMs": 200, "sampleMs": 50}, "durationMs samples regions console network wsFrames"),
    Step("canvas_diff", {"beforeBase64": "AAAAAAAAAAA=", "afterBase64": "AAAAAP8AAAA=", "width": 2, "height": 1, "inputFormat": "rgba"},
         "ok changedPixelCount changedBytes percentageChanged bboxOfChanges warnings"),
    Step("permission_state", {"permissions": ["geolocation"]}, "ok states.geolocation"),
    Step("session_metrics", {}, "ok session callsByTool durationMsByTool errorsByTool tokensEstimateSum capabilityDenials sessionStartedAt sessionDurationMs tokensEstimate"),
    Step("export_session_report", {"note": "so far"}, "ok session mode url console network regions sessions note"),
    Step("get_config", {"scope": "resolved"}, "scope config"),
]  # fmt: skip

ACTING = [
    Step("name_ref", {"name": "buy-assam", "ref": ref("buy")}),
    Step("list_named_refs", {}, ""),
    Step("click", {"named": "buy-assam", "button": "left"}, f"{ACTION} action.ref action.target element.focused network.mutations[].method network.mutations[].urlPattern network.mutations[].status network.mutations[].ok"),
    Step("hover", {"selector": "text=Home"}, ACTION),
    Step("fill", {"ref": ref("name"), "value": "Ada"}, f"{ACTION} element.value element.focused snapshotDelta.tree"),
    Step("press", {"ref": ref("name"), "key": "End"}, ACTION),
    Step("select", {"selector": "label=Delivery", "values": ["bike"]}, ACTION),
    Step("wait_for", {"text": "Assam", "timeoutMs": 5000}, ACTION),
    Step("choose_option", {"selector": "label=Delivery", "option": "By post"}, ACTION),
    Step("fill_form", {"fields": [{"ref": ref("name"), "value": "Grace"}, {"selector": "label=Note", "value": "Ring"}]}, f"{ACTION} elements[]"),
    Step("plan", {"query": "buy Darjeeling", "verb": "click", "ttlMs": 60000}, "ok descriptor.id descriptor.ref descriptor.verb descriptor.args descriptor.evidence.query descriptor.evidence.selectorHint descriptor.evidence.score descriptor.evidence.alternatives descriptor.expiresAt", "plan"),
    Step("execute", {"descriptor": {"$": "plan.descriptor"}}, "ok result.ok tokensEstimate"),
    Step("find_feedback", {"query": "buy Assam", "ref": ref("buy")}, "ok recorded memorySize"),
    Step("shortcut", {"keys": "Control+A", "ref": ref("name")}, "ok keys activeElement events handled"),
    Step("drag", {"from": {"selector": "#cup"}, "to": {"selector": "#tray"}, "steps": 8}, "ok from to steps"),
    Step("drag", {"from": {"selector": "#cup"}, "preflight": True}, "ok preflight.point preflight.hit preflight.resizeRisk"),
    Step("double_click", {"ref": ref("name")}, "ok"),
    Step("mouse_move", {"coords": {"x": 20, "y": 20}}, "ok"),
    Step("mouse_down", {"coords": {"x": 20, "y": 20}}, "ok"),
    Step("mouse_up", {}, "ok"),
    Step("mouse_wheel", {"coords": {"x": 300, "y": 300}, "deltaY": 50}, "ok"),
    Step("touch_start", {"coords": {"x": 30, "y": 30}}, "ok"),
    Step("touch_move", {"coords": {"x": 40, "y": 30}}, "ok"),
    Step("touch_end", {}, "ok"),
    Step("gesture_pinch", {"coords": {"x": 300, "y": 300}, "scale": 1.5, "steps": 4}, "ok"),
    Step("gesture_swipe", {"from": {"x": 300, "y": 400}, "to": {"x": 300, "y": 300}, "durationMs": 50, "steps": 4}, "ok"),
    Step("batch", {"calls": [{"tool": "fill", "args": {"ref": ref("name"), "value": "Bo"}, "label": "name", "expect": {"valueEquals": "Bo"}}, {"tool": "verify_value", "args": {"ref": ref("name"), "value": "Bo"}}], "stopOnError": True},
         "completed results[].tool results[].ok"),
    Step("flake_check", {"calls": [{"tool": "verify_visible", "args": {"selector": "text=Order now"}}], "n": 3}, "runsCompleted allGreen steps[].step steps[].tool steps[].runs steps[].ok steps[].successRate steps[].errors steps[].signatures firstDivergence cachedResolvers runs"),
    Step("act_and_sample", {"action": {"tool": "scroll", "args": {"to": "bottom"}}, "metric": "scrollTop", "durationMs": 150}, "action sample.metric sample.summary"),
    Step("act_and_diff", {"action": {"tool": "fill", "args": {"ref": ref("name"), "value": "Cy"}}}, "action diff.changed diff.added diff.removed diff.counts"),
    Step("act_and_wait_for_network", {"action": {"tool": "click", "args": {"ref": ref("buy")}}, "match": {"urlPattern": "**/api/basket", "method": "POST"}, "timeoutMs": 5000}, "action network.matched network.method network.url network.status"),
    Step("cross_session_sample", {"action": {"tool": "scroll", "args": {"to": "top"}}, "actionSession": "s", "sampleSession": "s", "metric": "scrollTop", "durationMs": 100}, "action sample.metric"),
    Step("name_region", {"name": "corner", "box": {"x": 0, "y": 0, "width": 10, "height": 10}}),
    Step("region", {"name": "corner"}, "box center"),
    Step("set_dialog_policy", {"mode": "accept"}, "ok mode"),
]  # fmt: skip

NETWORK = [
    Step("route", {"urlPattern": "**/api/offers", "status": 200, "body": "{}", "contentType": "application/json"}),
    Step("route_queue", {"urlPattern": "**/api/queue", "responses": [{"status": 200, "body": "1"}, {"status": 500, "body": "2"}]}),
    Step("eval_js", {"expr": "fetch('/api/offers').then((r) => r.text())"}, "ok value"),
    Step("unroute", {"urlPattern": "**/api/offers"}),
    Step("network_read", {"limit": 100}, "requests[]", "network"),
    Step("network_body", {"requestId": {"$": "network.requests.-1.requestId"}}, "ok body base64Encoded"),
    Step("ws_read", {"limit": 10}, "total frames[].wsId", "sockets"),
    Step("ws_send", {"wsId": {"$": "sockets.frames.-1.wsId"}, "message": "more"}, "ok wsId url bytes"),
    Step("ws_intercept", {"pattern": "**/news", "response": "drop"}),
    Step("ws_unintercept", {}),
    Step("worker_message_send", {"workerId": {"$": "workers.workers.0.workerId"}, "message": "hello"}),
    Step("worker_messages_read", {}, ""),
    Step("sw_intercept_fetch", {"pattern": "**/api/none", "response": {"status": 200, "body": "x", "contentType": "text/plain", "headers": {}}}),
    Step("sw_unintercept_fetch", {}),
    Step("network_emulate", {"latencyMs": 5}, "ok applied reset tokensEstimate"),
    Step("network_emulate", {}, "ok reset"),
    Step("start_har", {"mode": "minimal", "content": "omit"}),
    Step("stop_har", {}, "ok path bytes"),
]  # fmt: skip

STATE = [
    Step("cookies_set", {"name": "a", "value": "b", "url": "$shop"}),
    Step("cookies_get", {"name": "a"}, "ok cookie.name cookie.value"),
    Step("cookies_list", {}, "ok count cookies[].name"),
    Step("cookies_delete", {"name": "a"}),
    *(
        step
        for kind in ("localstorage", "sessionstorage")
        for step in (
            Step(f"{kind}_set", {"key": "k", "value": "v"}),
            Step(f"{kind}_get", {"key": "k"}, "ok key value origin"),
            Step(f"{kind}_list", {}, "ok count entries[].key entries[].value origin"),
            Step(f"{kind}_delete", {"key": "k"}),
        )
    ),
    Step("caches_list_storages", {}, "count names[] origin"),
    Step("caches_put", {"cacheName": "pictures", "url": "$shop/x", "response": {"status": 200, "headers": {"content-type": "text/plain"}, "body": "hi"}}),
    Step("caches_list", {"cacheName": "pictures"}, "count entries[].url entries[].method"),
    Step("caches_get", {"cacheName": "pictures", "url": "$shop/x"}, "found kind text contentType status headers byteLength"),
    Step("caches_delete", {"cacheName": "pictures", "url": "$shop/x"}),
    Step("caches_clear", {"cacheName": "pictures"}),
    Step("caches_delete_storage", {"cacheName": "pictures"}),
    Step("idb_list_databases", {}, "count databases[].name databases[].version origin supported"),
    Step("idb_list_stores", {"dbName": "shop"}, "count stores[] version"),
    Step("idb_put", {"dbName": "shop", "storeName": "orders", "key": "second", "value": {"total": 2}}),
    Step("idb_get", {"dbName": "shop", "storeName": "orders", "key": "second"}, "found value.total"),
    Step("idb_delete", {"dbName": "shop", "storeName": "orders", "key": "second"}),
    Step("idb_clear", {"dbName": "shop", "storeName": "orders"}),
    Step("dump_storage_state", {}, "ok cookies origins state.cookies state.origins", "state"),
    Step("inject_storage_state", {"state": {"$": "state.state"}, "mode": "merge"}),
    Step("auth_save", {"name": "ada"}),
    Step("auth_list", {}, "count slots[].name slots[].path slots[].bytes slots[].modifiedAt"),
    Step("auth_load", {"name": "ada"}),
    Step("auth_delete", {"name": "ada"}),
    Step("profile_snapshot", {"snapshot": "monday"}),
    Step("profile_restore", {"snapshot": "monday"}),
    Step("localstorage_clear", {}),
    Step("sessionstorage_clear", {}),
    Step("cookies_clear", {}),
]  # fmt: skip

MEDIA = [
    Step("screenshot", {"format": "png", "scale": "css"}, ""),
    Step("screenshot", {"path": "shots/page.png", "format": "png", "fullPage": True, "describe": True}, "ok path bytes format fullPage caption tokensEstimate"),
    Step("screenshot_region", {"box": {"x": 0, "y": 0, "width": 200, "height": 100}}, ""),
    Step("screenshot_marks", {"candidates": [{"ref": ref("name")}], "label": "index"}, "marks[].index marks[].ref marks[].bbox marks[].painted mapping.1 warnings"),
    Step("screenshot_schedule", {"everyMs": 100, "count": 2, "intoDir": "series", "format": "jpeg"}, "ok intoDir count capturedAt[] paths[] warnings tokensEstimate"),
    Step("screenshot_on", {"trigger": "console-error", "durationMs": 150}, "ok intoDir trigger count capturedAt paths warnings tokensEstimate"),
    Step("pdf_save", {"path": "page.pdf", "format": "A4", "scale": 1, "printBackground": True}, "ok path bytes format scale printBackground"),
    Step("page_archive", {"format": "single-file"}, "ok"),
    Step("dom_export", {"format": "html"}, "ok"),
    Step("element_export", {"ref": ref("name")}, "ok"),
    Step("asset_export", {"filter": {"mime": "image/"}, "intoDir": "assets"}, "ok totalCount matchedCount persistedCount droppedCount manifest"),
    Step("artifact_save", {"name": "note.txt", "content": "hello"}),
    Step("artifact_get", {"name": "note.txt"}, "ok name content size mtime encoding"),
    Step("artifact_list", {}, "ok count artifacts[]"),
    Step("upload_file", {"selector": "label=Voucher", "name": "v.txt", "mimeType": "text/plain", "content": "aGk="}, "ok"),
    Step("drop_files", {"selector": "#tray", "files": [{"name": "d.txt", "contents": "aGk=", "mimeType": "text/plain"}]}, "ok target files totalBytes fileCount eventsFired dropDispatched"),
    Step("downloads_capture", {"on": True}, "ok"),
    Step("click", {"selector": "text=Price list"}, f"{ACTION} downloads[].id downloads[].suggestedFilename downloads[].sizeBytes downloads[].path", "download"),
    Step("download_get", {"id": {"$": "download.downloads.0.id"}, "pathOnly": True}, "ok"),
]  # fmt: skip

PERFORMANCE = [
    Step("perf_start", {}),
    Step("click", {"selector": "text=Home"}, ACTION),
    Step("perf_stop", {}, "ok path bytes eventCount categories durationMs summary", "trace"),
    Step("perf_insights", {"tracePath": {"$": "trace.path"}}, "ok insights.longTasks insights.layoutShifts insights.renderBlocking insights.lcpCandidates insights.navigation insights.totals"),
    Step("perf_audit", {"durationMs": 300, "categories": ["render-blocking", "oversize-images"]}, "ok summary.score summary.topIssues byCategory evidence durationMs categoriesRun"),
    Step("coverage_start", {}),
    Step("coverage_stop", {}, "ok jsCoverage cssCoverage durationMs"),
    Step("layout_thrash_trace", {"durationMs": 200}, "ok forcedLayoutsCount layoutShiftsCount eventsByOrigin tracePath durationMs"),
    Step("heap_snapshot", {}, "ok path bytes hint", "heap"),
    Step("heap_retainers", {"snapshotPath": {"$": "heap.path"}, "query": {"name": "HTMLButtonElement"}}, "ok matchCount retainers"),
    Step("heap_snapshot", {}, "ok path", "later"),
    Step("memory_diff", {"beforePath": {"$": "heap.path"}, "afterPath": {"$": "later.path"}}, "ok retainerGrowth summary.totalGrowth summary.top3Growers"),
    Step("cpu_emulate", {"throttleRate": 2}, "ok applied reset tokensEstimate"),
    Step("cpu_emulate", {}, "ok reset"),
    Step("clock", {"mode": "freeze", "atIso": "2030-01-01T00:00:00Z"}, "ok applied.mode applied.nowIso applied.paused"),
    Step("clock", {"mode": "advance", "byMs": 1000}, "ok applied.nowIso"),
    Step("clock", {"mode": "release"}, "ok"),
    Step("seed_random", {"seed": 7}, "ok applied.seed"),
]  # fmt: skip

EMULATION = [
    Step(f"set_{name}", given, "ok session applied state warnings tokensEstimate")
    for name, given in (
        ("locale", {"locale": "de-DE"}),
        ("timezone", {"timezoneId": "Europe/Berlin"}),
        ("user_agent", {"userAgent": "Probe/1.0"}),
        ("geolocation", {"latitude": 52.5, "longitude": 13.4, "accuracy": 10}),
        ("color_scheme", {"scheme": "dark"}),
        ("reduced_motion", {"on": True}),
        ("user_agent", {"userAgent": None}),
    )
]

FLOWS = [
    Step("grant_permissions", {"permissions": ["geolocation"]}, "ok session applied state warnings"),
    Step("start_recording", {"flowName": "order"}),
    Step("fill", {"selector": "label=Full name", "value": "Ada"}, ACTION),
    Step("record_annotate", {"copy": "Type your name", "arrow": "left"}),
    Step("export_playwright_script", {}, "ok name source stats.steps stats.handled stats.unhandled stats.fragile tokensEstimate"),
    Step("end_recording", {}, "name yaml stepCount"),
    Step("poll_eval", {"expr": "document.readyState === 'complete'", "timeoutMs": 2000}, "ok truthy value polls elapsedMs timedOut"),
    Step("close_session", {}, "ok"),
    Step("close_sessions", {"all": True}, "closed count"),
]  # fmt: skip

STEPS = (
    *NAVIGATION,
    *READING,
    *ACTING,
    *NETWORK,
    *STATE,
    *MEDIA,
    *PERFORMANCE,
    *EMULATION,
    *FLOWS,
)
