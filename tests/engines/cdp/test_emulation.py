"""What a page is told about its device, on both binaries."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stockade.engines.cdp import limits
from stockade.engines.cdp.page import ChromiumPage
from stockade.engines.events import DialogOpened, PageCrashed, PageOpened, WorkerStarted
from stockade.engines.port import Browser, Context, Page
from stockade.engines.values import (
    ContextOptions,
    Emulation,
    Geolocation,
    NetworkConditions,
    UserAgent,
    Viewport,
    World,
)
from stockade.errors import InvalidArgument, NavigationFailed, StockadeError
from tests.support.browsers import FULL_CHROMIUM, HEADLESS_SHELL, jailed
from tests.support.expecting import expecting
from tests.support.site import Site
from tests.support.waiting import until

GERMAN = Emulation(locale="de-DE", timezone="Europe/Berlin")

ABOUT_PLACE = """() => ({
  language: navigator.language,
  languages: navigator.languages.join(),
  intl: new Intl.NumberFormat().resolvedOptions().locale,
  zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
})"""
GERMAN_PLACE = {
    "language": "de-DE",
    "languages": "de-DE,de",
    "intl": "de-DE",
    "zone": "Europe/Berlin",
}
ABOUT_AGENT = """() => [
  navigator.userAgent,
  navigator.userAgentData.brands.map(b => b.brand + b.version).join(),
].join(' ')"""


async def frames_of(page: Page, count: int) -> None:
    """Let `count` frames pass in a page: a clock for what another page does meanwhile."""
    await page.main_frame.call(
        """count => new Promise(done => {
             const next = () => count-- ? requestAnimationFrame(next) : done();
             next();
           })""",
        count,
    )


# --- viewport -----------------------------------------------------------------------------------


async def test_a_new_tab_has_the_default_viewport(either_page: Page) -> None:
    shown = await either_page.main_frame.call(
        "() => [innerWidth, innerHeight, devicePixelRatio, screen.width, outerWidth]"
    )
    assert shown == [1280, 720, 1, 1280, 1280]


async def test_the_viewport_can_change(either_page: Page) -> None:
    phone = Viewport(390, 844, scale=3, mobile=True, touch=True)
    await either_page.set_content("<meta name=viewport content='width=device-width'>")
    await either_page.emulate(Emulation(viewport=phone))
    shown = await either_page.main_frame.call(
        """() => [innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints,
                  screen.orientation.type]"""
    )
    assert shown == [390, 844, 3, 5, "portrait-primary"]
    assert either_page.emulation.viewport == phone
    await either_page.emulate(Emulation())
    shown = await either_page.main_frame.call(
        "() => [innerWidth, innerHeight, devicePixelRatio, navigator.maxTouchPoints]"
    )
    assert shown == [1280, 720, 1, 0]


async def test_every_tab_is_visible_and_focused(either_context: Context) -> None:
    tabs = [await either_context.new_page() for _ in range(3)]
    for tab in tabs:
        shown = await tab.main_frame.call("() => [document.visibilityState, document.hasFocus()]")
        assert shown == ["visible", True]
        await frames_of(tab, 3)


# --- identity -----------------------------------------------------------------------------------


async def test_no_word_of_headless_anywhere(either_context: Context, site: Site) -> None:
    site.page("/inner", "<p>inner")
    site.page("/worker.js", "fetch('/from-worker')", content_type="text/javascript")
    site.page("/from-worker", "")
    site.page("/popup", "<p>popup")
    site.page(
        "/outer",
        f"""<iframe src="{site.url("/inner", host="localhost")}"></iframe>
            <script>new Worker('/worker.js'); open('/popup')</script>""",
    )
    page = await either_context.new_page()
    await page.navigate(site.url("/outer"), until="load")
    for path in ("/outer", "/inner", "/worker.js", "/from-worker", "/popup"):
        request = await site.wait_asked(path)
        assert "Headless" not in str(request.headers), path
        assert request.headers["user-agent"].endswith("Safari/537.36"), path
        assert request.headers["accept-language"] == "en-US,en;q=0.9", path
    for frame in page.frames:
        said = await frame.call(ABOUT_AGENT)
        assert "Headless" not in said
        assert "Chromium" in said


async def test_the_first_request_of_a_popup_without_opener(
    either_context: Context, site: Site
) -> None:
    site.page("/popup", "<p>popup")
    site.page("/", "<script>open('/popup', '_blank', 'noopener')</script>")
    page = await either_context.new_page()
    await page.navigate(site.url())
    # Its hints are made before anybody hears of the tab; its user agent is made in time.
    assert "Headless" not in (await site.wait_asked("/popup")).headers["user-agent"]


async def test_hints_agree_with_the_browser_itself(
    either_browser: Browser, either_page: Page, site: Site
) -> None:
    site.page("/", "")
    await either_page.navigate(site.url())
    version = either_browser.product.rpartition("/")[2]
    hints = await either_page.main_frame.call(
        """() => navigator.userAgentData.getHighEntropyValues(
             ['fullVersionList', 'uaFullVersion', 'bitness', 'platformVersion'])"""
    )
    assert hints["platform"] == "Linux"
    assert hints["bitness"] == "64"
    assert hints["mobile"] is False
    assert hints["uaFullVersion"] == version
    assert {"brand": "Chromium", "version": version} in hints["fullVersionList"]
    major = version.partition(".")[0]
    assert {"brand": "Chromium", "version": major} in hints["brands"]
    assert f"Chrome/{major}.0.0.0" in await either_page.main_frame.call("() => navigator.userAgent")


async def test_another_user_agent_and_back(either_page: Page, site: Site) -> None:
    site.page("/", "")
    own = await either_page.main_frame.call("() => navigator.userAgent")
    agent = UserAgent(
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
        " Chrome/120.0.0.0 Safari/537.36"
    )
    await either_page.emulate(Emulation(user_agent=agent))
    await either_page.navigate(site.url())
    headers = site.requests[-1].headers
    assert headers["user-agent"] == agent.value
    assert 'v="120"' in headers["sec-ch-ua"]
    assert headers["sec-ch-ua-platform"] == '"Windows"'
    assert await either_page.main_frame.call("() => navigator.platform") == "Win32"
    await either_page.emulate(Emulation())
    await either_page.reload()
    assert site.requests[-1].headers["user-agent"] == own
    assert await either_page.main_frame.call("() => navigator.platform") == "Linux x86_64"


async def test_a_user_agent_of_another_make_sends_no_hints(page: Page, site: Site) -> None:
    site.page("/", "")
    firefox = UserAgent("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    await page.emulate(Emulation(user_agent=firefox))
    await page.navigate(site.url())
    assert "Chromium" not in site.requests[-1].headers.get("sec-ch-ua", "")


# --- place --------------------------------------------------------------------------------------


@pytest.fixture
async def german(either_browser: Browser) -> Any:
    context = await either_browser.new_context(ContextOptions(emulation=GERMAN))
    yield context
    await context.close()


async def test_locale_and_zone_reach_every_frame_and_worker(german: Context, site: Site) -> None:
    about = f"({ABOUT_PLACE})()"
    site.page("/worker.js", f"postMessage({about})", content_type="text/javascript")
    site.page("/inner", "")
    site.page(
        "/outer",
        f"""<iframe src="{site.url("/inner", host="localhost")}"></iframe>
            <script>const heard = new Promise(done => {{
              new Worker('/worker.js').onmessage = e => done(e.data);
            }})</script>""",
    )
    page = await german.new_page()
    await page.navigate(site.url("/outer"), until="load")
    assert site.asked("/outer")[0].headers["accept-language"] == "de-DE,de;q=0.9"
    assert len(page.frames) == 2
    for frame in page.frames:
        assert await frame.call(ABOUT_PLACE) == GERMAN_PLACE
    heard = await page.main_frame.call("() => heard", world=World.MAIN)
    assert heard == GERMAN_PLACE


async def test_a_popup_keeps_its_place_when_its_opener_is_gone(german: Context, site: Site) -> None:
    site.page("/popup", "")
    site.page("/opener", "<script>open('/popup')</script>")
    page = await german.new_page()
    async with expecting(german.events, PageOpened) as opened:
        await page.navigate(site.url("/opener"), until="load")
    popup = opened.result().page
    await site.wait_asked("/popup")
    assert await popup.main_frame.call(ABOUT_PLACE) == GERMAN_PLACE
    await page.close()
    assert await popup.main_frame.call(ABOUT_PLACE) == GERMAN_PLACE
    site.page("/elsewhere", "")
    await popup.navigate(site.url("/elsewhere", host="localhost"))
    assert await popup.main_frame.call(ABOUT_PLACE) == GERMAN_PLACE


async def test_the_place_can_be_taken_back(page: Page, site: Site) -> None:
    site.page("/", "")
    await page.navigate(site.url())
    own = await page.main_frame.call(ABOUT_PLACE)
    await page.emulate(GERMAN)
    assert await page.main_frame.call(ABOUT_PLACE) == GERMAN_PLACE
    await page.emulate(Emulation())
    assert (await page.main_frame.call(ABOUT_PLACE))["zone"] == own["zone"]
    assert (await page.main_frame.call(ABOUT_PLACE))["intl"] == own["intl"]
    assert (await page.main_frame.call(ABOUT_PLACE))["language"] == own["language"]


async def test_geolocation(either_context: Context, either_page: Page, site: Site) -> None:
    site.page("/", "")
    await either_page.navigate(site.url())
    await either_context.grant_permissions(["geolocation"])
    await either_page.emulate(Emulation(geolocation=Geolocation(48.2, 16.4, 30)))
    place = await either_page.main_frame.call(
        """() => new Promise((done, fail) => navigator.geolocation.getCurrentPosition(
             p => done([p.coords.latitude, p.coords.longitude, p.coords.accuracy]),
             e => fail(new Error(e.message))))""",
        world=World.MAIN,
    )
    assert place == [48.2, 16.4, 30]


async def test_media(page: Page) -> None:
    about = """() => ['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', 'print']
                     .map(query => matchMedia(query).matches)"""
    assert await page.main_frame.call(about) == [False, False, False]
    await page.emulate(Emulation(color_scheme="dark", reduced_motion=True, media="print"))
    assert await page.main_frame.call(about) == [True, True, True]
    await page.emulate(Emulation(color_scheme="light", reduced_motion=False))
    assert await page.main_frame.call(about) == [False, False, False]


# --- network and processor ----------------------------------------------------------------------


async def test_offline_and_back(either_page: Page, site: Site) -> None:
    site.page("/inner", "")
    site.page("/data", "data")
    site.page("/", f'<iframe src="{site.url("/inner", host="localhost")}"></iframe>')
    await either_page.navigate(site.url(), until="load")
    fetched = "() => fetch('/data').then(answer => answer.text(), error => error.name)"
    await either_page.emulate(Emulation(network=NetworkConditions(offline=True)))
    for frame in either_page.frames:
        assert await frame.call("() => navigator.onLine") is False
        assert await frame.call(fetched, world=World.MAIN) == "TypeError"
    with pytest.raises(NavigationFailed) as caught:
        await either_page.navigate(site.url("/data"))
    assert "ERR_INTERNET_DISCONNECTED" in caught.value.details["reason"]
    await either_page.emulate(Emulation())
    await either_page.navigate(site.url(), until="load")
    assert await either_page.main_frame.call("() => navigator.onLine") is True
    assert await either_page.main_frame.call(fetched, world=World.MAIN) == "data"


@pytest.mark.parametrize("binary", [HEADLESS_SHELL, FULL_CHROMIUM])
async def test_where_loopback_is_all_there_is_pages_are_online(binary: Path, site: Site) -> None:
    says = "postMessage(navigator.onLine)"
    for name, script in {
        "worker": says,
        "shared": f"onconnect = e => e.ports[0].{says}",
        "service": f"onmessage = e => e.source.{says}",
    }.items():
        site.page(f"/{name}.js", script, content_type="text/javascript")
    site.page("/frame", "<script>parent.postMessage(navigator.onLine, '*')</script>")
    site.page(
        "/",
        f"""<iframe src="{site.url("/frame", host="localhost")}"></iframe><script>
        const said = {{ page: navigator.onLine }};
        const hear = who => event => said[who] = event.data;
        onmessage = hear("frame");
        new Worker("/worker.js").onmessage = hear("worker");
        const shared = new SharedWorker("/shared.js");
        shared.port.onmessage = hear("shared");
        navigator.serviceWorker.onmessage = hear("service");
        navigator.serviceWorker.register("/service.js").then(() => navigator.serviceWorker.ready)
          .then(found => found.active.postMessage(1));
        </script>""",
    )
    async with jailed(binary) as browser:
        page = await (await browser.new_context(ContextOptions())).new_page()
        await page.navigate(site.url("/"), until="load")

        async def said() -> dict[str, bool]:
            told: dict[str, bool] = await page.main_frame.call("() => said", world=World.MAIN)
            return told

        async def all_said() -> bool:
            return len(await said()) == 5

        await until(all_said)
        assert set((await said()).values()) == {True}


async def test_a_worker_hears_of_changes(page: Page, site: Site) -> None:
    site.page("/data", "data")
    site.page("/worker.js", "", content_type="text/javascript")
    site.page("/", "<script>const worker = new Worker('/worker.js')</script>")
    async with expecting(page.events, WorkerStarted) as started:
        await page.navigate(site.url(), until="load")
    worker = started.result().worker
    fetched = "() => fetch('/data').then(answer => answer.text(), error => error.name)"
    assert await worker.call(fetched) == "data"
    offline = NetworkConditions(offline=True)
    await page.emulate(replace(GERMAN, network=offline))
    assert await worker.call(fetched) == "TypeError"
    assert await worker.call(ABOUT_PLACE) == GERMAN_PLACE
    await page.emulate(Emulation())
    assert await worker.call(fetched) == "data"


async def test_an_offline_context_has_no_network_from_its_first_page(
    browser: Browser, site: Site
) -> None:
    offline = ContextOptions(emulation=Emulation(network=NetworkConditions(offline=True)))
    context = await browser.new_context(offline)
    try:
        page = await context.new_page()
        with pytest.raises(NavigationFailed):
            await page.navigate(site.url("/"))
        assert not site.requests
    finally:
        await context.close()


async def test_a_slow_line_and_a_slow_processor_still_work(page: Page, site: Site) -> None:
    site.page("/", "<title>Slow</title>")
    slow = NetworkConditions(latency_ms=5, download_bytes_per_second=1e6)
    await page.emulate(Emulation(network=slow, cpu_slowdown=2))
    await page.navigate(site.url())
    assert await page.title() == "Slow"


# --- sending and refusing -----------------------------------------------------------------------


async def test_only_what_differs_is_sent(page: ChromiumPage, monkeypatch: Any) -> None:
    sent: list[str] = []
    submit = page.session.connection.submit

    def recording(session: Any, commands: Any, timeout: float) -> Any:
        sent.extend(method for method, _ in commands)
        return submit(session, commands, timeout)

    monkeypatch.setattr(page.session.connection, "submit", recording)
    await page.emulate(page.emulation)
    assert sent == []
    await page.emulate(replace(page.emulation, color_scheme="dark"))
    assert sent == ["Emulation.setEmulatedMedia"]


async def test_a_value_no_device_has_changes_nothing(page: Page) -> None:
    before = page.emulation
    with pytest.raises(InvalidArgument):
        await page.emulate(Emulation(color_scheme="dark", timezone="Mars/Olympus"))
    assert page.emulation == before


async def test_a_zone_the_browser_refuses_leaves_the_old_one(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_zones", frozenset)
    await page.emulate(GERMAN)
    with pytest.raises(InvalidArgument):
        await page.emulate(replace(GERMAN, timezone="Mars/Olympus", color_scheme="dark"))
    assert page.emulation == replace(GERMAN, color_scheme="dark")
    assert await page.main_frame.call(ABOUT_PLACE) == GERMAN_PLACE


@pytest.mark.parametrize("bad", [Emulation(locale="?"), Emulation(timezone="Mars/Olympus")])
async def test_a_context_is_not_made_with_what_cannot_be(browser: Browser, bad: Emulation) -> None:
    with pytest.raises(InvalidArgument):
        await browser.new_context(ContextOptions(emulation=bad))


async def test_two_locales_in_one_process_are_refused(german: Context, site: Site) -> None:
    site.page("/popup", "")
    site.page("/opener", "<script>open('/popup')</script>")
    page = await german.new_page()
    async with expecting(german.events, PageOpened) as opened:
        await page.navigate(site.url("/opener"), until="load")
    with pytest.raises(InvalidArgument) as caught:
        await opened.result().page.emulate(replace(GERMAN, locale="fr-FR"))
    assert caught.value.details["field"] == "locale"
    assert opened.result().page.emulation == GERMAN
    assert await page.main_frame.call(ABOUT_PLACE) == GERMAN_PLACE


async def test_a_crash_does_not_change_the_device(either_page: Page, site: Site) -> None:
    assert isinstance(either_page, ChromiumPage)
    site.page("/", "")
    await either_page.emulate(replace(GERMAN, viewport=Viewport(500, 400)))
    async with expecting(either_page.events, PageCrashed):
        either_page.session.post(("Page.crash", {}))
    await either_page.navigate(site.url())
    assert await either_page.main_frame.call("() => [innerWidth, innerHeight]") == [500, 400]
    assert await either_page.main_frame.call(ABOUT_PLACE) == GERMAN_PLACE
    await frames_of(either_page, 2)


# --- freezing -----------------------------------------------------------------------------------


async def test_a_frozen_tab_stands_still_and_the_next_call_thaws_it(
    either_context: Context, site: Site
) -> None:
    count = """<script>
      let frames = 0, ticks = 0, messages = 0;
      const frame = () => { frames++; requestAnimationFrame(frame); };
      frame();
      setInterval(() => ticks++, 1);
      const worker = new Worker('/worker.js');
      worker.onmessage = () => messages++;
    </script>"""
    site.page("/worker.js", "setInterval(postMessage, 1, '')", content_type="text/javascript")
    site.page("/inner", count)
    site.page("/busy", f"{count}<iframe src='{site.url('/inner', host='localhost')}'></iframe>")
    busy = await either_context.new_page()
    assert isinstance(busy, ChromiumPage)
    await busy.navigate(site.url("/busy"), until="load")
    clock = await either_context.new_page()

    async def counted() -> list[int]:
        # Not by way of the frame, which would thaw the tab.
        asked = {"expression": "[frames, ticks, messages]", "returnByValue": True}
        numbers: list[int] = []
        for session in busy.sessions:
            answer = await session.send("Runtime.evaluate", asked, timeout=10)
            numbers += answer["result"]["value"]
        return numbers

    async def until_all_rise() -> None:
        start = await counted()
        async with asyncio.timeout(10):
            while not all(now > was for was, now in zip(start, await counted(), strict=True)):
                await frames_of(clock, 1)

    assert len(busy.sessions) == 2
    await until_all_rise()

    await busy.freeze()
    frozen = busy.frozen
    assert frozen
    still = await counted()
    await frames_of(clock, 30)
    assert await counted() == still

    assert await busy.main_frame.call("() => document.visibilityState") == "visible"
    assert not busy.frozen
    await until_all_rise()


async def test_a_frozen_tab_can_be_pictured_and_clicked_after_all(either_page: Page) -> None:
    await either_page.freeze()
    await either_page.freeze()
    assert await either_page.screenshot()
    assert not either_page.frozen
    await either_page.thaw()


async def test_freezing_under_a_dialog_is_an_error_and_leaves_the_tab_as_it_was(
    either_page: Page,
) -> None:
    async with expecting(either_page.events, DialogOpened):
        await either_page.main_frame.call("() => { setTimeout(() => alert('now'), 0); }")
    with pytest.raises(StockadeError) as caught:
        await either_page.freeze()
    assert caught.value.code == "dialog_open"
    assert not either_page.frozen
    await either_page.answer_dialog(accept=True)
    await frames_of(either_page, 2)
