"""No tool tells anything that does not show, on a page whose every string has it in it.

The tools are those of the registry. Each is called as its worked example is, by
`tests/examples/test_examples.py`, on a shop that says everything with invisible characters; here
are those that have no example, and other ways in which a page's words reach results. A tool
without either fails the test.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from stockade.masking import leaves, masker
from stockade.surfaces.mcp import resources
from stockade.tools import registry
from stockade.tools.examples import examples
from tests.support.callers import Caller
from tests.support.hostile_shop import Heard, open_hostile_shop, spoilt
from tests.support.unseen import HOSTILE, unseen_in

TOOLS = [each.name for each in (*registry(), *registry().apart)]
ELSEWHERE = {
    "camofox_start", "camofox_stop", "camofox_pressure_cleanup", "camofox_reset_storage",
    "camofox_delete_trace", "camofox_youtube_transcript", "camofox_import_cookies",
    "camofox_close_group", "camofox_upload", "camofox_download",
}  # fmt: skip
"""Tools without a worked example that say nothing of what a page says."""


def test_every_tool_is_walked() -> None:
    walked = {*examples(), *samples("", "", []), *ELSEWHERE}
    assert sorted(set(TOOLS) - walked) == []


# --- what reaches results in other ways -----------------------------------------------------------


def samples(tab: str, site: str, requests: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Calls whose results have the page's own words in them."""
    here = {"tabId": tab}
    field, note = {"selector": "body > input"}, {"selector": ".said"}
    texts_of = {"type": "array", "items": {"type": "string"}, "x-source": {"selector": "td"}}
    schema = {"type": "object", "properties": {"names": texts_of}}
    return {
        "tabs": [{}],
        "list_sessions": [{}],
        "snapshot": [{}, {"mode": "interactive"}, {"urls": True}, {"includeHidden": True}],
        "find": [{"query": "Buy"}],
        "text_search": [{"text": "Assam"}],
        "page_text": [{}],
        "read_dom": [{}],
        "frames_list": [{}],
        "shadow_trees": [{}],
        "inspect": [field, note, {"selector": "img >> nth=1"}],
        "point_probe": [{"coords": {"x": 40, "y": 40}}],
        "generate_locator": [field],
        "extract": [{"schema": schema}],
        "console_read": [{}],
        "network_read": [{}],
        "network_body": [{"requestId": each} for each in requests],
        "ws_read": [{}],
        "workers_list": [{}],
        "eval_js": [
            {"expr": f"({{ [{json.dumps(HOSTILE)} + 'key']: [{json.dumps(HOSTILE)} + 'value'] }})"},
            {"expr": f"throw new Error('thrown' + {json.dumps(HOSTILE)})"},
            {"expr": "document.documentElement.outerHTML"},
            {"expr": "[window.name, document.title, document.cookie, '\\ud800', '\\u001b[31m']"},
            {"expr": f"{json.dumps('a' + HOSTILE)}.repeat(20000)"},
        ],
        "poll_eval": [{"expr": "document.title"}],
        "cookies_list": [{}],
        "localstorage_list": [{}],
        "localstorage_get": [{"key": spoilt("key")}],
        "sessionstorage_list": [{}],
        "sessionstorage_get": [{"key": spoilt("key")}],
        "caches_list_storages": [{}],
        "caches_list": [{"cacheName": spoilt("cache")}],
        "idb_list_databases": [{}],
        "idb_list_stores": [{"dbName": spoilt("database")}],
        "idb_get": [
            {"dbName": spoilt("database"), "storeName": spoilt("store"), "key": spoilt("key")}
        ],
        "dump_storage_state": [{}],
        "verify_value": [{"value": "wrong", **field}],
        "verify_text": [{"text": "nowhere", **note}],
        "verify_attribute": [{"attr": "data-said", "value": "x", **note}],
        "verify_visible": [{"selector": f"#none{HOSTILE}"}],
        "click": [{"selector": "role=button"}, note],
        "hover": [note],
        "fill": [{"value": spoilt("written"), **field}],
        "act_and_diff": [
            {"action": {"tool": "click", "args": {"selector": "button.buy >> nth=0"}}}
        ],
        "batch": [{"calls": [{"tool": "tabs", "args": {}}, {"tool": "page_text", "args": {}}]}],
        "accessibility_audit": [{}],
        "export_session_report": [{}],
        "artifact_save": [{"name": "note.txt", "content": spoilt("kept")}],
        "artifact_list": [{}],
        "read_file": [{"name": "note.txt"}],
        "dom_export": [{}],
        "navigate": [{"url": f"{site}/none?{spoilt('q')}#{spoilt('part')}"}, {"url": spoilt("a:")}],
        "camofox_create_tab": [{"url": f"{site}/"}],
        "camofox_list_tabs": [{}],
        "camofox_navigate": [{**here, "url": f"{site}/"}],
        "camofox_snapshot": [here],
        "camofox_links": [here],
        "camofox_images": [here],
        "camofox_stats": [here],
        "camofox_extract": [{**here, "schema": schema}],
        "camofox_evaluate": [{**here, "expression": "[document.title, window.name]"}],
        "camofox_click": [{**here, "selector": ".said"}],
        "camofox_hover": [{**here, "selector": ".said"}],
        "camofox_type": [{**here, "selector": "body > input", "text": spoilt("typed")}],
        "camofox_wait_for": [{**here, "text": "Said"}],
        "camofox_downloads": [here],
        "camofox_storage_state": [{}],
        "camofox_viewport": [{**here, "width": 800, "height": 600}],
        "camofox_screenshot": [here],
        "camofox_scroll": [here],
        "camofox_press": [{**here, "key": "Tab"}],
        "camofox_refresh": [here],
        "camofox_back": [here],
        "camofox_forward": [here],
        "camofox_wait": [here],
        "camofox_traces": [{}],
        "camofox_close_tab": [here],
    }


QUOTING = {
    "tabs", "console_read", "network_body", "ws_read", "eval_js", "poll_eval", "cookies_list",
    "localstorage_list", "localstorage_get", "sessionstorage_list", "sessionstorage_get",
    "caches_list_storages", "caches_list", "idb_list_databases", "idb_list_stores", "idb_get",
    "dump_storage_state", "verify_value", "verify_attribute", "export_session_report", "read_file",
    "batch", "camofox_list_tabs", "camofox_evaluate", "camofox_storage_state",
}  # fmt: skip
"""Tools that give a page's words as they are, so that there is something to take out."""


async def test_nothing_a_page_says_keeps_what_does_not_show(
    mighty: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_hostile_shop(mighty.site)
    await mighty.ok("navigate", url=mighty.site.url("/"))
    await mighty.ok("wait_for", selector=".said")
    tab = mighty.kernel.sessions.all()[0].tabs[0]
    rows = (await mighty.ok("network_read"))["requests"]
    asked = [each["requestId"] for each in rows if "basket" in each["url"]][:1]
    heard = Heard()
    removed: set[str] = set()
    now = ""

    def noting(visible: Callable[[str], str]) -> Callable[[str], str]:
        def note(text: str) -> str:
            shown = visible(text)
            if shown != text:
                removed.add(now)
            return shown

        return note

    for module in (masker, leaves):
        monkeypatch.setattr(module, "visible", noting(module.visible))
    for name, calls in samples(tab.id, mighty.site.url("").rstrip("/"), asked).items():
        now = name
        assert calls, name
        for given in calls:
            reply = await mighty.reply(name, **given)
            heard(name, reply)
            wrong = reply.error is not None and reply.error.code in {
                "invalid_argument", "unknown_tool", "tab_not_found", "internal_error",
            }  # fmt: skip
            assert not wrong or name == "navigate", (name, given, reply.text)
    assert heard.found == {}
    assert sorted(QUOTING - removed) == []


async def test_a_dialog_and_a_notification_do_not_either(mighty: Caller) -> None:
    open_hostile_shop(mighty.site)
    heard = Heard()
    await mighty.ok("grant_permissions", permissions=["notifications"])
    await mighty.ok("set_notification_policy", mode="raise")
    await mighty.ok("navigate", url=mighty.site.url("/ask.html"))
    heard("click", await mighty.reply("click", selector="button"))
    heard("snapshot", await mighty.reply("snapshot"))
    heard("answer_dialog", await mighty.reply("answer_dialog", accept=False))
    expr = "{ new Notification('Hello', { body: 'there' }); 1 }"
    heard("eval_js", await mighty.reply("eval_js", expr=expr))
    heard("tabs", await mighty.reply("tabs"))
    heard("snapshot", await mighty.reply("snapshot"))
    assert heard.found == {}


async def test_a_download_is_kept_as_it_is_and_told_as_all_else(mighty: Caller) -> None:
    open_hostile_shop(mighty.site)
    await mighty.ok("navigate", url=mighty.site.url("/"))
    heard = Heard()
    clicked = await mighty.reply("click", selector="text=Save the list")
    heard("click", clicked)
    heard("downloads_capture", await mighty.reply("downloads_capture", on=True))
    saved = (clicked.data or {})["downloads"][0]
    heard("download_get", await mighty.reply("download_get", id=saved["id"]))
    kernel = mighty.kernel
    file = kernel.artifacts.find(kernel.sessions, mighty.principal, saved["uri"])
    assert heard.found == {}
    assert HOSTILE in file.path.read_text(encoding="utf-8")
    listed, _ = resources.listed(kernel, mighty.principal, None)
    read = await resources.read(kernel, mighty.principal, file.uri)
    assert not unseen_in("".join(each.name for each in listed))
    assert not unseen_in(read.text)  # type: ignore[union-attr]
    assert "Assam 4.20" in read.text  # type: ignore[union-attr]
