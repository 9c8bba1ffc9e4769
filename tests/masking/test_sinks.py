"""Every sink: a page shows six kinds of secret in every way it can, and none comes out."""

from __future__ import annotations

import asyncio
import io
import json
import re
from pathlib import Path
from typing import Any

from stockade.kernel.dispatch import Kernel
from stockade.kernel.leaving import content_of
from stockade.kernel.results import Reply
from stockade.telemetry import logs
from tests.masking.spellings import SECRETS
from tests.masking.sweep import found_in
from tests.support.callers import Caller
from tests.support.serving import logging_restored
from tests.support.site import Request, Response
from tests.support.websocket import WebSocket

PAGE = Path(__file__).with_name("reflecting.html").read_text(encoding="utf-8")
ENDINGS = frozenset(
    {"close_session", "close_sessions", "camofox_stop", "camofox_close_tab", "camofox_close_group"}
    | {"camofox_pressure_cleanup", "camofox_youtube_transcript", "await_human", "solve_captcha"}
    | {"get_totp", "get_credential", "camofox_start", "heap_snapshot", "perf_audit", "flake_check"}
    | {"camofox_reset_storage", "cookies_clear", "reload", "go_back", "go_forward", "set_config"}
    | {"camofox_refresh", "camofox_back", "camofox_forward", "localstorage_clear"}
    | {"sessionstorage_clear", "reset_config", "pdf_save", "tab_visibility", "asset_export"}
    | {"camofox_wait", "start_video", "stop_video", "get_video", "camofox_screenshot", "screenshot"}
)
"""Tools that end what the others look at, or are tried elsewhere for they take long."""


def arguments(caller: Caller, tab: str, requests: list[str]) -> dict[str, list[dict[str, Any]]]:
    """What tools need that take more than a tab."""
    site = caller.site
    button, field = {"selector": "button >> nth=0"}, {"selector": "textarea >> nth=0"}
    rows = {"type": "array", "items": {"type": "string"}, "x-source": {"selector": "li"}}
    everything = {"type": "object", "properties": {"rows": rows}}
    return {
        "find": [{"query": "buy"}, {"query": "labelled"}],
        "text_search": [{"text": "they say"}],
        "click": [button],
        "hover": [button],
        "inspect": [button, field],
        "verify_text": [{"text": "nowhere", **button}],
        "verify_value": [{"value": "wrong", **field}],
        "verify_visible": [{"selector": "#none"}],
        "verify_attribute": [{"attr": "class", "value": "x", "selector": "li >> nth=0"}],
        "extract": [{"schema": everything}],
        "camofox_extract": [{"tabId": tab, "schema": everything}],
        "camofox_list_tabs": [{}],
        "camofox_storage_state": [{}],
        "camofox_hover": [{"tabId": tab, "selector": "h1"}],
        "layout_thrash_trace": [{"durationMs": 100}],
        "eval_js": [
            {"expr": "secrets"},
            {"expr": "Object.fromEntries(Object.values(secrets).map((s) => [s, [...s]]))"},
            {"expr": "throw new Error(Object.values(secrets).join())"},
            {"expr": "new TextEncoder().encode(Object.values(secrets).join())"},
            {"expr": "document.documentElement.outerHTML"},
            {"expr": "btoa(unescape(encodeURIComponent(JSON.stringify(secrets))))"},
        ],
        "poll_eval": [{"expr": "secrets"}],
        "camofox_evaluate": [{"tabId": tab, "expression": "secrets"}],
        "network_body": [{"requestId": each} for each in requests],
        "localstorage_get": [{"key": f"key {SECRETS['token']}"}],
        "sessionstorage_get": [{"key": "s0"}],
        "cookies_get": [{"name": "c0"}],
        "idb_list_stores": [{"dbName": "kept"}],
        "idb_get": [{"dbName": "kept", "storeName": "things", "key": SECRETS["token"]}],
        "caches_list": [{"cacheName": "cache token"}],
        "caches_get": [
            {"cacheName": "cache token", "url": site.url(f"/cached?p={SECRETS['token']}")}
        ],
        "element_export": [{"selector": "main"}],
        "generate_locator": [{"ref": "e5"}],
        "point_probe": [{"coords": {"x": 100, "y": 100}}],
        "name_ref": [{"name": "it", "ref": "e5"}],
        "batch": [
            {"calls": [{"tool": "snapshot", "args": {}}, {"tool": "frames_list", "args": {}}]}
        ],
        "plan": [{"verb": "click", "query": "buy token"}],
        "act_and_diff": [{"action": {"tool": "click", "args": button}}],
        "artifact_save": [{"name": "note.txt", "content": SECRETS["token"]}],
        "artifact_get": [{"name": "note.txt"}],
        "read_file": [{"name": "note.txt"}],
        "navigate": [{"url": "nonsense://x"}],
        "wait_for": [{"text": "they say"}],
        "tabs": [{}],
        "fill": [{"value": SECRETS["letters"], **field}],
        "type": [{"text": SECRETS["code"], **field}],
        "select": [{"values": [SECRETS["spaced"]], "selector": "#choice"}],
        "choose_option": [{"option": "nothing like it", "selector": "#choice"}],
        "cookies_set": [{"name": "n", "value": SECRETS["token"], "url": site.url("/")}],
        "localstorage_set": [{"key": "n", "value": SECRETS["token"]}],
        "route": [{"urlPattern": f"*{SECRETS['token']}*", "status": 404}],
        "auth_save": [{"name": "slot"}],
    }


async def test_none_of_them_comes_out(mighty: Caller) -> None:
    caller, kernel = mighty, mighty.kernel
    await reflected(caller)
    tab = kernel.sessions.all()[0].tabs[0]
    rows = (await caller.ok("network_read"))["requests"]
    asked = [each["requestId"] for each in rows if "/api" in each["url"]]
    wanted = arguments(caller, tab.id, asked[:2])
    lines = io.StringIO()
    ran: set[str] = set()
    leaks: dict[str, dict[str, str]] = {}
    with logging_restored():
        logs.configure("json", "debug", mask=kernel.masker.value, stream=lines, journal=True)
        await caller.ok("start_recording", flowName="flow")
        await caller.ok("start_har", content="embed")
        for name in tools(kernel):
            for given in wanted.get(
                name, [{"tabId": tab.id} if name.startswith("camofox") else {}]
            ):
                reply = await caller.reply(name, **given)
                if reply.error is None or reply.error.code != "invalid_argument":
                    ran.add(name)
                for part in await parts(caller, reply):
                    if found := found_in(part, SECRETS):
                        leaks[f"{name} {json.dumps(given)[:60]}"] = found
    assert not leaks, json.dumps(leaks, indent=1, ensure_ascii=False)
    assert not found_in(lines.getvalue(), SECRETS)
    assert len(ran) > 100, sorted(set(tools(kernel)) - ran)


def tools(kernel: Kernel) -> list[str]:
    """Those that look, and those that leave everything as it is."""
    names = [each.name for each in (*kernel.registry, *kernel.registry.apart)]
    # What was recorded is told last.
    return sorted(set(names) - ENDINGS, key=lambda name: (name.startswith(("stop", "end")), name))


async def reflected(caller: Caller) -> None:
    """A page that shows them, once it has done all it does."""

    async def api(request: Request) -> Response:
        body = request.body or json.dumps(SECRETS).encode()
        return Response(body, content_type="application/json", headers={"x-echo": "yes"})

    async def socket(connection: WebSocket) -> None:
        while (message := await connection.receive()) is not None:
            await connection.send(message)

    caller.site.route("/api", api)
    caller.site.websocket("/socket", socket)
    page = PAGE.replace("__SECRETS__", json.dumps(SECRETS).replace("<", "\\u003c"))
    for name, secret in SECRETS.items():
        await caller.ok("register_secret", name=name.upper(), value=secret)
    await caller.show(page)
    await caller.ok("wait_for", selector="body[data-ready]")


async def parts(caller: Caller, reply: Reply) -> list[str | bytes]:
    """Everything that a reply gives away, the files that it names included."""
    kernel = caller.kernel
    found: list[str | bytes] = [reply.text, json.dumps(reply.data), str(reply.aside)]
    if reply.error is not None:
        # Surfaces make their own words of it.
        found.append(
            json.dumps(caller.kernel.masker_of(caller.principal).value(reply.error.as_dict()))
        )
    named = [each.uri for each in reply.links]
    named += re.findall(r"stockade://[\w/.-]+", reply.text)
    for uri in dict.fromkeys(named):
        artifact = kernel.artifacts.find(kernel.sessions, caller.principal, uri)
        found.append(artifact.name)
        if not artifact.mime_type.startswith(("image/", "video/")):
            found.append(await content_of(kernel.masker_of(caller.principal), artifact, 10**8))
            found.append(await asyncio.to_thread(artifact.path.read_bytes))
    return found
