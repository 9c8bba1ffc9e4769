"""Live WebSockets, found without having been wrapped."""

from __future__ import annotations

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.page.scripts import script
from tests.support.site import Site
from tests.support.websocket import WebSocket

TOKEN = "t0ken"


async def test_those_that_are_open(page: Page, site: Site) -> None:
    heard: list[str | bytes | None] = []

    async def talk(socket: WebSocket) -> None:
        heard.append(await socket.receive())
        await socket.send("got it")
        await socket.receive()

    url = site.websocket("/talk", talk)
    await page.navigate(site.page("/home", "<title>Home</title>"))
    frame = page.main_frame
    opened = "url => new Promise(done => { globalThis.s = new WebSocket(url); s.onopen = () => done(0); })"
    await frame.call(opened, url, world=World.MAIN)
    await frame.call(script("sockets"), TOKEN, [], world=World.MAIN)
    root = await frame.call_handle(script("sockets_root"), world=World.MAIN)
    live = await root.instances()
    # It was made before it could be timed.
    [[index, age]] = await live.call(script("sockets_live"), TOKEN, "open", url)
    assert age is None
    assert await live.call(script("sockets_live"), TOKEN, "open", url + "x") == []
    await live.call(script("sockets_live"), TOKEN, "follow")
    heard_by_page = (
        "() => { globalThis.answered = new Promise(done => { s.onmessage = e => done(e.data); }); }"
    )
    await frame.call(heard_by_page, world=World.MAIN)
    await live.call(script("sockets_live"), TOKEN, "send", index, "aGk=", True)
    assert await frame.call("() => answered", world=World.MAIN) == "got it"
    assert heard == [b"hi"]
