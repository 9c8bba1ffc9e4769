"""While a person is asked, nothing else leaves the tab."""

from __future__ import annotations

import asyncio

import pytest

from stockade.kernel.line_cut import LineCut
from tests.support.callers import Caller
from tests.support.desk import Desk, script
from tests.support.site import Site
from tests.support.waiting import until
from tests.support.websocket import WebSocket

PAGE = """<form id=f action=/pay method=post><input name=a value=1></form>
<p id=go onclick=f.submit()>Go</p><script>
const opened = new Promise((done) => { const s = new WebSocket(WS); s.onopen = () => done(s); });
</script>"""


@pytest.fixture
def heard(site: Site) -> list[str]:
    """What a WebSocket of the site has received."""
    found: list[str] = []

    async def listen(socket: WebSocket) -> None:
        while (message := await socket.receive()) is not None:
            found.append(str(message))

    site.websocket("/ws", listen)
    site.page("/pay", "<title>Paid</title>")
    return found


async def test_messages_requests_and_beacons_wait(hasty: Caller, heard: list[str]) -> None:
    desk = Desk.of(hasty, "form_submit")
    await desk.agent.show(PAGE.replace("WS", f"'{hasty.site.ws_url('/ws')}'"))
    await script(
        desk.agent, "return opened.then((s) => { globalThis.socket = s; s.send('before') })"
    )
    await until(lambda: heard == ["before"])
    asked = await desk.waits("click", selector="#go")
    await script(
        desk.agent,
        "socket.send('during'); fetch('/look').then(() => { document.title = 'looked' });"
        "fetch('/post', {method: 'POST'}); navigator.sendBeacon('/beacon', 'x')",
    )
    # The page answers, and nothing of this has left.
    assert "Go" in await desk.agent.text("snapshot")
    assert heard == ["before"]
    for path in ("/look", "/post", "/beacon"):
        assert hasty.site.asked(path) == [], path
    await desk.say("deny")
    await desk.agent.refused("click", selector="#go", approval=asked)
    await hasty.site.wait_asked("/look")
    await until(lambda: heard == ["before", "during"])
    assert hasty.site.asked("/beacon") == []
    # What can change something is asked about in its turn.
    assert (await desk.asked()).facts["form"]["action"].endswith("/post")


async def test_what_has_just_left_is_answered_first(hasty: Caller) -> None:
    answered = asyncio.Event()
    await hasty.show("<p>Home")
    look = hasty.site.page("/look", "seen", delay=answered)
    await script(hasty, "fetch('/look').then((answer) => answer.text())")
    await hasty.site.wait_asked("/look")
    tab = hasty.kernel.sessions.find(hasty.principal, "default").current
    assert tab is not None
    line = LineCut()
    line.note_sent(tab.page, look)

    async def cut() -> None:
        async with line.around(tab.page):
            assert not await script(hasty, "return navigator.onLine")

    async with asyncio.TaskGroup() as group:
        cutting = group.create_task(cut())
        assert await script(hasty, "return navigator.onLine")
        assert not cutting.done()
        answered.set()
    assert await script(hasty, "return navigator.onLine")


async def test_whoever_leaves_is_online_again(hasty: Caller, heard: list[str]) -> None:
    desk = Desk.of(hasty, "form_submit")
    await desk.agent.show(PAGE.replace("WS", f"'{hasty.site.ws_url('/ws')}'"))
    await desk.waits("click", selector="#go")
    await desk.agent.show("<p>Elsewhere")
    assert desk.pending == []
    assert "Elsewhere" in await desk.agent.text("snapshot")
    assert await script(desk.agent, "return navigator.onLine")
    assert heard == []
