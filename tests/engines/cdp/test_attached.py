"""A browser that somebody else uses is joined, and left as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.engines.cdp.attached import attach
from stockade.engines.values import ContextOptions, Emulation, Point, Viewport, World
from stockade.errors import LaunchFailed
from stockade.page.agent import init_script
from tests.support.persons import Person
from tests.support.site import Site
from tests.support.waiting import until

ATTENDED = ContextOptions(attended=True, init_scripts=(init_script(attended=True),))
PAGE = """<title>theirs</title><body style="margin:0">
<button style="width:200px;height:100px" onclick="document.title = 'pressed'">Press</button>"""
SIZE = "[innerWidth, innerHeight, navigator.userAgent].join()"


async def test_a_person_goes_on_while_we_are_there_and_afterwards(
    person: Person, site: Site
) -> None:
    site.page("/theirs", PAGE)
    site.page("/ours", PAGE.replace("document.title = 'pressed'", "window.open('/popup')"))
    theirs = await person.open(site.url("/theirs"))
    apart = await person.open_apart(site.url("/theirs"))
    await site.wait_asked("/theirs")
    before, size = await person.tabs(), await person.see(theirs, SIZE)

    browser = await attach(person.address, timeout=10)
    context = await browser.own_context(ATTENDED)
    known = {page.id: page for page in context.pages}
    assert theirs in known
    assert apart not in known
    page = known[theirs]
    await page.emulate(Emulation(viewport=Viewport(400, 300)))
    assert await page.main_frame.call("() => innerWidth", world=World.MAIN) == 400
    await person.click(theirs, 50, 50)
    await until(lambda: _is(person, theirs, "document.title", "pressed"))
    ours = await context.new_page()
    await ours.navigate(site.url("/ours"))
    await ours.mouse.click(Point(50, 50))
    await site.wait_asked("/popup")
    later = await person.open(site.url("/theirs"))
    await until(lambda: {ours.id, later} <= {page.id for page in context.pages})
    await until(lambda: len(context.pages) == len(known) + 3)

    await context.close()
    await browser.close()
    assert not browser.alive
    assert person.browser.alive
    await until(lambda: _has(person, before | {later}))
    await until(lambda: _is(person, theirs, SIZE, size))
    # Another tab is in front, and nobody pretends otherwise any more.
    await until(lambda: _is(person, theirs, "document.hasFocus()", False))
    await person.close(apart)


async def _is(person: Person, tab: str, expression: str, value: object) -> bool:
    return bool(await person.see(tab, expression) == value)


async def _has(person: Person, tabs: set[str]) -> bool:
    return await person.tabs() == tabs


async def test_by_its_own_address(person: Person) -> None:
    announced = Path(person.browser.profile) / "DevToolsActivePort"
    port, path = announced.read_text(encoding="utf-8").split()
    browser = await attach(f"ws://127.0.0.1:{port}{path}", timeout=10)
    assert browser.product == person.eyes.product
    await browser.close()


async def test_what_is_no_browser(site: Site) -> None:
    site.page("/json/version", '{"webSocketDebuggerUrl": "ws://10.0.0.1/devtools/browser/1"}')
    for address in (site.url("").rstrip("/"), site.ws_url("/nothing"), "http://127.0.0.1:1"):
        with pytest.raises(LaunchFailed) as caught:
            await attach(address, timeout=5)
        assert "chrome start" in caught.value.hint
    # Only the path is taken from what listens there: no other machine is asked.
    assert site.requests[-2].path == "/devtools/browser/1"
