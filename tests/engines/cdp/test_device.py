"""One device for all tabs of a context, on both binaries."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from stockade.engines.cdp.page import ChromiumPage
from stockade.engines.events import DialogOpened, PageCrashed, PageOpened, WorkerStarted
from stockade.engines.port import Context, Page
from stockade.engines.values import Emulation, UserAgent, Viewport
from stockade.errors import InvalidArgument
from tests.support.expecting import expecting
from tests.support.site import Site

GERMAN = Emulation(locale="de-DE", timezone="Europe/Berlin", user_agent=UserAgent("Radio/1"))
FRENCH = Emulation(locale="fr-FR", timezone="Europe/Paris", user_agent=UserAgent("Television/1"))
ABOUT = """() => [
  navigator.language, new Intl.NumberFormat().resolvedOptions().locale,
  new Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.userAgent,
]"""
IN_GERMANY = ["de-DE", "de-DE", "Europe/Berlin", "Radio/1"]
IN_FRANCE = ["fr-FR", "fr-FR", "Europe/Paris", "Television/1"]


async def popup_of(page: Page, site: Site) -> Page:
    """A tab that shares the process of its opener."""
    site.page("/popup", "")
    site.page("/opener", "<script>open('/popup')</script>")
    async with expecting(page.context.events, PageOpened) as opened:
        await page.navigate(site.url("/opener"), until="load")
    return opened.result().page


async def test_all_tabs_change_together_even_in_one_process(
    either_context: Context, site: Site
) -> None:
    first = await either_context.new_page()
    popup = await popup_of(first, site)
    for emulation, place in ((GERMAN, IN_GERMANY), (FRENCH, IN_FRANCE), (GERMAN, IN_GERMANY)):
        await either_context.emulate(emulation)
        assert await first.main_frame.call(ABOUT) == place
        assert await popup.main_frame.call(ABOUT) == place
    await first.close()
    assert await popup.main_frame.call(ABOUT) == IN_GERMANY


async def test_popups_have_it_from_their_first_byte(either_context: Context, site: Site) -> None:
    page = await either_context.new_page()
    await either_context.emulate(FRENCH)
    popup = await popup_of(page, site)
    request = await site.wait_asked("/popup")
    assert request.headers["user-agent"] == "Television/1"
    assert request.headers["accept-language"] == "fr-FR,fr;q=0.9"
    assert await popup.main_frame.call(ABOUT) == IN_FRANCE
    assert either_context.emulation == FRENCH


async def test_shared_workers_hear_of_it_too(either_context: Context, site: Site) -> None:
    site.page("/shared.js", "", content_type="text/javascript")
    site.page("/", "<script>new SharedWorker('/shared.js')</script>")
    page = await either_context.new_page()
    async with expecting(either_context.events, WorkerStarted) as started:
        await page.navigate(site.url(), until="load")
    worker = started.result().worker
    # One that is only just starting may miss it.
    await worker.call(ABOUT)
    await either_context.emulate(GERMAN)
    # What it has been told it is, it keeps until it is started anew.
    async with asyncio.timeout(10):
        while (await worker.call(ABOUT))[:-1] != IN_GERMANY[:-1]:
            pass


async def test_what_the_browser_refuses_changes_nothing_anywhere(
    context: Context, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await context.new_page()
    popup = await popup_of(first, site)
    await context.emulate(GERMAN)
    monkeypatch.setattr("stockade.engines.cdp.limits._zones", frozenset)
    with pytest.raises(InvalidArgument) as caught:
        await context.emulate(replace(FRENCH, timezone="Europe/Atlantis"))
    assert caught.value.details["field"] == "timezone"
    assert context.emulation == first.emulation == popup.emulation == GERMAN
    for page in (first, popup):
        assert await page.main_frame.call(ABOUT) == IN_GERMANY


async def test_what_one_tab_has_of_its_own_stays(context: Context) -> None:
    page = await context.new_page()
    narrow = Viewport(500, 400)
    await page.emulate(replace(page.emulation, viewport=narrow))
    await context.emulate(GERMAN)
    assert page.emulation == replace(GERMAN, viewport=narrow)


async def test_tabs_that_cannot_listen_hear_of_it_when_they_can(
    either_context: Context, site: Site
) -> None:
    site.page("/", "")
    held, crashed, frozen = [await either_context.new_page() for _ in range(3)]
    for page in (held, crashed, frozen):
        await page.navigate(site.url())
    async with expecting(held.events, DialogOpened):
        await held.main_frame.call("() => { setTimeout(() => alert()) }")
    assert isinstance(crashed, ChromiumPage)
    async with expecting(crashed.events, PageCrashed):
        crashed.session.post(("Page.crash", {}))
    await frozen.freeze()
    await either_context.emulate(GERMAN)
    assert frozen.frozen
    await held.answer_dialog(accept=True)
    await crashed.navigate(site.url())
    for page in (frozen, held, crashed):
        assert await page.main_frame.call(ABOUT) == IN_GERMANY


async def test_without_tabs_it_is_kept_for_those_to_come(context: Context, site: Site) -> None:
    await context.emulate(GERMAN)
    site.page("/", "")
    page = await context.new_page()
    await page.navigate(site.url())
    assert await page.main_frame.call(ABOUT) == IN_GERMANY
