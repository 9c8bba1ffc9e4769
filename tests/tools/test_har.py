"""Traffic recorded and replayed, on real pages."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest

from stockade.engines.events import PageOpened
from stockade.engines.values import World
from stockade.errors import ArtifactNotFound, InvalidArgument
from stockade.kernel.call import Call
from stockade.tools.har import HarRecording, begin_har, replay_hars
from tests.support.callers import Caller
from tests.support.expecting import expecting
from tests.support.site import Request, Response
from tests.support.traffic import page_of, run, session_of
from tests.support.waiting import until
from tests.support.websocket import WebSocket

PICTURE = bytes(range(256))


async def shop(caller: Caller) -> None:
    async def basket(request: Request) -> Response:
        headers = {"set-cookie": "basket=7; Path=/; HttpOnly; SameSite=Lax"}
        return Response(b"got " + request.body, content_type="text/plain", headers=headers)

    caller.site.route("/basket", basket)
    caller.site.page("/cup.png", PICTURE, content_type="image/png")
    caller.site.page("/old", "", status=302, headers={"location": "/shop?from=old"})
    caller.site.page("/shop", "<title>Shop</title><img src=/cup.png>")
    await caller.show("<title>Before</title>")


async def visit(caller: Caller) -> None:
    await caller.ok("navigate", url=caller.site.url("/old"))
    await run(
        caller,
        "() => fetch('/basket', {method: 'POST', headers: {'content-type':"
        " 'application/x-www-form-urlencoded'}, body: 'tea=1&note=gr%C3%BCn'}).then(a => a.text())",
    )
    await until(lambda: _ended(caller, "/cup.png"))


async def _ended(caller: Caller, part: str) -> bool:
    page = await page_of(caller)
    return any(part in each.url and each.ended is not None for each in page.requests)


def by_path(har: dict[str, Any], site_url: str) -> dict[str, dict[str, Any]]:
    return {each["request"]["url"].removeprefix(site_url): each for each in har["log"]["entries"]}


async def stored(caller: Caller, uri: str) -> bytes:
    artifact = caller.kernel.artifacts.find(caller.kernel.sessions, caller.principal, uri)
    return artifact.path.read_bytes()


async def test_a_whole_recording(mighty: Caller) -> None:
    await shop(mighty)
    started = await mighty.ok("start_har", path="archives/visit.har")
    assert (started["recording"], started["content"]) == (True, "embed")
    assert (await mighty.refused("start_har"))["code"] == "conflict"
    await visit(mighty)
    stopped = await mighty.ok("stop_har")
    har = json.loads(await stored(mighty, stopped["uri"]))
    assert stopped["har"] == har
    assert started["path"] == stopped["path"] == "archives/visit.har"
    assert stopped["bytes"] == len(await stored(mighty, stopped["uri"]))
    log = har["log"]
    assert (log["version"], log["creator"]["name"]) == ("1.2", "Stockade")
    entries = by_path(har, mighty.site.url(""))
    assert set(entries) == {"/old", "/shop?from=old", "/cup.png", "/basket"}
    assert stopped["entries"] == 4

    old, page, cup, basket = (
        entries[each] for each in ("/old", "/shop?from=old", "/cup.png", "/basket")
    )
    assert (old["response"]["status"], old["response"]["redirectURL"]) == (
        302,
        mighty.site.url("/shop?from=old"),
    )
    assert page["request"]["queryString"] == [{"name": "from", "value": "old"}]
    assert page["response"]["content"]["text"] == "<title>Shop</title><img src=/cup.png>"
    assert page["response"]["content"]["mimeType"] == "text/html"
    assert base64.b64decode(cup["response"]["content"]["text"]) == PICTURE
    assert cup["response"]["content"]["encoding"] == "base64"
    assert "serverIPAddress" not in cup, "the browser knows the way out alone"
    post = basket["request"]["postData"]
    assert post["text"] == "tea=1&note=gr%C3%BCn"
    assert {"name": "note", "value": "grün"} in post["params"]
    assert basket["response"]["cookies"] == [
        {"name": "basket", "value": "7", "path": "/", "sameSite": "Lax", "httpOnly": True}
    ]
    assert {"send", "wait", "receive"} <= set(page["timings"])
    assert (
        abs(sum(v for k, v in page["timings"].items() if v > 0 and k != "ssl") - page["time"]) < 1
    )
    [tab] = log["pages"]
    assert page["pageref"] == tab["id"]
    assert tab["title"] == "Shop"
    assert tab["pageTimings"]["onLoad"] > 0
    assert (await mighty.refused("stop_har"))["code"] == "not_found"


async def test_attached_and_filtered_and_minimal(mighty: Caller) -> None:
    await shop(mighty)
    await mighty.ok("start_har", content="attach", urlFilter="*/cup.png", mode="minimal")
    await visit(mighty)
    stopped = await mighty.ok("stop_har")
    [entry] = stopped["har"]["log"]["entries"]
    assert stopped["attachments"] == 1
    content = entry["response"]["content"]
    assert "text" not in content
    body = mighty.kernel.artifacts.named(session_of(mighty), content["_file"])
    assert body.path.read_bytes() == PICTURE
    assert "serverIPAddress" not in entry
    assert entry["timings"] == {"send": -1, "wait": -1, "receive": -1}
    assert "har" not in await stop_again(mighty)


async def stop_again(caller: Caller) -> dict[str, Any]:
    await caller.ok("start_har")
    return await caller.ok("stop_har", inline=False)


async def test_popups_and_sockets(mighty: Caller) -> None:
    async def talk(socket: WebSocket) -> None:
        while (message := await socket.receive()) is not None:
            await socket.send("got " + str(message))

    mighty.site.websocket("/talk", talk)
    mighty.site.page("/popup", "<title>Popup</title>")
    await mighty.show("<title>Shop</title>")
    await mighty.ok("start_har")
    page = await page_of(mighty)
    async with expecting(page.context.events, PageOpened):
        await run(mighty, "() => { window.open('/popup'); }")
    await run(
        mighty,
        "() => new Promise(done => { const s = new WebSocket(location.href.replace('http', 'ws').replace('/page', '/talk'));"
        " s.onopen = () => s.send('hi'); s.onmessage = e => done(e.data); globalThis.s = s; })",
    )
    await until(lambda: all(tab.url.startswith("http") for tab in session_of(mighty).tabs))
    stopped = await mighty.ok("stop_har")
    har = stopped["har"]
    urls = {each["request"]["url"] for each in har["log"]["entries"]}
    assert mighty.site.url("/popup") in urls
    [socket] = [each for each in har["log"]["entries"] if each["request"]["url"].endswith("/talk")]
    assert [(m["type"], m["data"], m["opcode"]) for m in socket["_webSocketMessages"]] == [
        ("send", "hi", 1),
        ("receive", "got hi", 1),
    ]
    assert len(har["log"]["pages"]) == 2


async def test_secrets_are_not_written_down(mighty: Caller) -> None:
    mighty.kernel.masker.add("TILL_KEY", "t1ll-k3y-secret")
    mighty.site.page("/blob", b"\xff t1ll-k3y-secret", content_type="application/octet-stream")
    await mighty.show("<title>Shop</title>")
    await mighty.ok("start_har")
    await run(
        mighty,
        "() => fetch('/blob?key=t1ll-k3y-secret', {headers: {'x-key': 't1ll-k3y-secret'}}).then(a => a.arrayBuffer()).then(() => 0)",
    )
    stopped = await mighty.ok("stop_har")
    written = await stored(mighty, stopped["uri"])
    assert b"t1ll-k3y-secret" not in written
    content = json.loads(written)["log"]["entries"][0]["response"]["content"]
    assert base64.b64decode(content["text"]) == b"\xff <TILL_KEY>"


async def test_without_the_capability_for_bodies(caller: Caller) -> None:
    await shop(caller)
    await run(caller, "() => { document.cookie = 'who=me'; }")
    assert (await caller.refused("start_har", content="embed"))["code"] == "capability_disabled"
    assert (await caller.refused("start_har", path="x.har"))["code"] == "capability_disabled"
    started = await caller.ok("start_har")
    assert started["content"] == "omit"
    assert "network-body" in started["warning"]
    await visit(caller)
    stopped = await caller.ok("stop_har")
    text = (await stored(caller, stopped["uri"])).decode()
    assert "who=me" not in text
    assert "tea=1" not in text
    assert "basket=7" not in text
    assert "cup.png>" not in text


async def test_the_end_of_a_session_ends_its_recording(mighty: Caller) -> None:
    await shop(mighty)
    await mighty.ok("start_har", path="last.har")
    await visit(mighty)
    path = mighty.kernel.artifacts.folder(session_of(mighty)) / "last.har"
    await mighty.ok("close_session")
    assert len(json.loads(path.read_bytes())["log"]["entries"]) == 4


async def test_a_recording_is_replayed(mighty: Caller) -> None:
    await shop(mighty)
    await mighty.ok("start_har", content="attach")
    await visit(mighty)
    archive = (await mighty.ok("stop_har"))["uri"]
    await mighty.ok("open_session", session="again")
    session = mighty.kernel.sessions.find(mighty.principal, "again")
    assert await replay_hars(call_of(mighty), session, (archive,)) == 4
    before = len(mighty.site.requests)
    arrived = await mighty.ok("navigate", url=mighty.site.url("/old"), session="again")
    assert arrived["final_url"].endswith("/shop?from=old")
    page = (await session.tab()).page

    def asked(code: str) -> Any:
        return page.main_frame.call(code, world=World.MAIN, timeout=10)

    form = "fetch('/basket', {method: 'POST', headers: {'content-type': 'application/x-www-form-urlencoded'}, body: BODY}).then(a => a.text())"
    assert (
        await asked("() => " + form.replace("BODY", "'tea=1&note=gr%C3%BCn'"))
        == "got tea=1&note=gr%C3%BCn"
    )
    assert (
        await asked(
            "() => fetch('/cup.png').then(a => a.arrayBuffer()).then(b => new Uint8Array(b)[255])"
        )
        == 255
    )
    assert len(mighty.site.requests) == before
    # What was not recorded goes out.
    assert await asked("() => " + form.replace("BODY", "'tea=2'")) == "got tea=2"
    assert await asked("() => fetch('/page').then(a => a.text())") == "<title>Before</title>"


def call_of(caller: Caller) -> Call:
    """A call under way, as open_session has one."""
    kernel = caller.kernel
    tool = kernel.registry.find("open_session")
    deadline = asyncio.get_running_loop().time() + 20
    return Call("call_test", kernel, caller.principal, tool, tool.arguments(), deadline)


async def test_recording_from_the_opening_on(mighty: Caller) -> None:
    await shop(mighty)
    session = session_of(mighty)
    started = await begin_har(
        call_of(mighty), session, HarRecording(path="opened.har", mode="minimal")
    )
    assert started["path"] == "opened.har"
    assert (await mighty.ok("stop_har"))["path"] == "opened.har"
    started = await begin_har(call_of(mighty), session, HarRecording(mode="minimal"))
    assert started["path"] == "traffic.har"
    await visit(mighty)
    assert (await mighty.ok("stop_har"))["entries"] == 4


async def test_who_can_open_files_is_told_the_same_path_before_and_after(mighty: Caller) -> None:
    near = mighty.another(nearby=True)
    await near.show("<title>Shop</title>")
    for given in ({"path": "near.har"}, {}):
        started = await near.ok("start_har", **given)
        stopped = await near.ok("stop_har")
        assert (started["path"], stopped["wasActive"]) == (stopped["path"], True)
        assert Path(stopped["path"]).is_file()


async def test_an_archive_that_is_none(mighty: Caller) -> None:
    await mighty.show("<title>Shop</title>")
    session = session_of(mighty)
    kept = mighty.kernel.artifacts.save(session, "no.har", b'{"log": 1}')
    with pytest.raises(InvalidArgument):
        await replay_hars(call_of(mighty), session, (kept.uri,))
    with pytest.raises(ArtifactNotFound):
        await replay_hars(call_of(mighty), session, ("nowhere.har",))
