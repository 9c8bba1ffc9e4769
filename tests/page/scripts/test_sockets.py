"""WebSockets under rules, in a real page."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.page.scripts import script
from tests.support.site import Site
from tests.support.websocket import WebSocket

TOKEN = "t0ken"


async def install(page: Page, *rules: dict[str, Any]) -> Any:
    return await page.main_frame.call(
        f"(token, rules) => ({script('sockets')})(token, rules, {script('address_pattern')})",
        TOKEN,
        list(rules),
        world=World.MAIN,
    )


async def run(page: Page, code: str, *arguments: object) -> Any:
    return await page.main_frame.call(code, *arguments, world=World.MAIN, timeout=10)


@pytest.fixture
async def talking(page: Page, site: Site) -> Page:
    async def talk(socket: WebSocket) -> None:
        while (message := await socket.receive()) is not None:
            await socket.send(f"got {message}" if isinstance(message, str) else message)

    site.websocket("/talk", talk)
    await page.navigate(site.page("/home", "<title>Home</title>"))
    await install(page)
    await run(
        page,
        "url => new Promise(done => { globalThis.s = new WebSocket(url); s.onopen = () => done(0); })",
        site.ws_url("/talk"),
    )
    return page


ASK = "given => new Promise(done => { s.addEventListener('message', e => done(e.data), {once: true}); s.send(given); })"


async def test_rules_come_and_go(talking: Page) -> None:
    assert await run(talking, ASK, "a") == "got a"
    await install(
        talking, {"parts": ["", "/talk"], "response": {"data": "ours"}, "direction": "sent"}
    )
    assert await run(talking, ASK, "b") == "ours"
    await install(talking, {"parts": ["", "/elsewhere"], "response": "drop", "direction": "both"})
    assert await run(talking, ASK, "c") == "got c"
    await install(talking, {"parts": ["", "/talk"], "response": "echo", "direction": "both"})
    assert await run(talking, ASK, 7) == "7"
    await install(talking)
    assert await run(talking, ASK, "d") == "got d"


async def test_the_way_in_is_for_those_who_know_the_token(talking: Page) -> None:
    assert await run(
        talking, "token => WebSocket.prototype.send.call(token, 'age', s) > 1e12", TOKEN
    )
    for wrong in ("other", ""):
        threw = "token => { try { WebSocket.prototype.send.call(token, 'age', s); } catch (e) { return e.name; } }"
        assert await run(talking, threw, wrong) == "TypeError"


async def test_bytes_come_as_the_socket_gives_them(talking: Page) -> None:
    await install(talking, {"parts": ["", "/talk"], "response": "echo", "direction": "sent"})
    code = """kind => { s.binaryType = kind; return new Promise(done => {
        s.addEventListener('message', async e => done([e.data.constructor.name,
            [...new Uint8Array(await new Response(e.data).arrayBuffer())]]), {once: true});
        s.send(new Uint8Array([1, 2])); }); }"""
    assert await run(talking, code, "blob") == ["Blob", [1, 2]]
    assert await run(talking, code, "arraybuffer") == ["ArrayBuffer", [1, 2]]


async def test_a_closed_socket_is_not_answered_for(talking: Page) -> None:
    await install(talking, {"parts": ["", "/talk"], "response": "echo", "direction": "both"})
    code = "() => new Promise(done => { s.onmessage = () => done('message'); s.onclose = () => { s.send('x'); setTimeout(done, 20, 'nothing'); }; s.close(); })"
    assert await run(talking, code) == "nothing"
