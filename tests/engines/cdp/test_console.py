"""Console lines and uncaught exceptions over the real pipe."""

from __future__ import annotations

import json

import msgspec
import pytest

from stockade.engines.cdp.connection import Connection, Session
from stockade.engines.cdp.console import Console
from stockade.engines.cdp.page import ChromiumPage
from stockade.engines.events import ConsoleMessage, Events
from stockade.engines.port import Page
from stockade.engines.values import World
from tests.support.logs import console_line, page_error
from tests.support.site import Site


async def run(page: Page, code: str, *arguments: object) -> object:
    return await page.main_frame.call(code, *arguments, world=World.MAIN, timeout=10)


async def test_lines_as_developer_tools_print_them(either_page: Page, site: Site) -> None:
    url = site.page(
        "/lines",
        """<script>
        console.log('%cstyled %s %d', 'color: red', 'text', 3.9, {a: 1, b: 'x'}, [1, 2], null);
        console.warn('careful');
        console.error(new TypeError('bad'));
        console.debug(new Map([['k', 1]]), undefined, 10n, -0, document.body);
        console.assert(false, 'untrue');
        console.clear();
        console.group('group');
        console.groupEnd();
        console.info('last');
        </script>""",
    )
    await either_page.navigate(url)
    await console_line(either_page, "last")
    lines = [message for message in either_page.console if message.source == "page"]
    assert [(line.level, line.text.partition("\n")[0]) for line in lines] == [
        ("log", "styled text 3 {a: 1, b: 'x'} Array(2) [1, 2] null"),
        ("warning", "careful"),
        ("error", "TypeError: bad"),
        ("debug", "Map(1) {'k' => 1} undefined 10n -0 null"),
        ("error", "Assertion failed: untrue"),
        ("log", "group"),
        ("info", "last"),
    ]
    assert "/lines:4:" in lines[2].text
    assert (lines[1].url, lines[1].line) == (url, 3)
    assert lines[0].at <= lines[-1].at


async def test_exceptions_nobody_caught(page: Page, site: Site) -> None:
    url = site.page(
        "/thrown",
        """<script>
        setTimeout(() => { throw new RangeError('too far'); });
        Promise.reject(new Error('unkept'));
        Promise.reject('just text');
        </script>""",
    )
    await page.navigate(url)
    thrown = await page_error(page, "too far")
    unkept = await page_error(page, "unkept")
    assert thrown.text.startswith("Uncaught RangeError: too far\n    at ")
    assert (thrown.url, thrown.line, thrown.source) == (url, 2, "page")
    assert unkept.text.startswith("Uncaught (in promise) Error: unkept")
    assert (await page_error(page, "just text")).text == "Uncaught (in promise) just text"


async def test_network_and_security_errors(either_page: Page, site: Site) -> None:
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    await run(either_page, "() => fetch('/missing').then(answer => answer.text())")
    missing = await console_line(either_page, "404")
    assert (missing.level, missing.source) == ("error", "network")
    assert missing.url == site.url("/missing")
    await run(either_page, "url => fetch(url).catch(() => 0)", site.other.url("/data"))
    assert (await console_line(either_page, "CORS policy")).level == "error"


async def test_lines_of_a_cross_site_frame(page: Page, site: Site) -> None:
    site.page("/inner", "<script>console.log('from inside')</script>")
    url = site.url("/inner", "localhost")
    await page.navigate(site.page("/outer", f"<iframe src='{url}'></iframe>"))
    assert (await console_line(page, "from inside")).url == url


async def test_half_characters_do_no_harm(page: Page) -> None:
    await run(page, "() => console.log('half \\ud83d', '\\ude00 \\ud83d\\ude00')")
    assert (await console_line(page, "half")).text == "half \ufffd \ufffd 😀"


async def test_long_lines_are_cut(page: Page) -> None:
    await run(page, "() => { console.log('x'.repeat(1e6)); }")
    line = await console_line(page, "xxx")
    assert len(line.text) == 4096
    assert line.text.endswith("…")


async def test_the_last_lines_are_never_lost(page: Page) -> None:
    told: list[ConsoleMessage] = []
    page.events.on(ConsoleMessage, told.append)
    await run(page, "() => { for (let i = 0; i < 5000; i++) console.log('line', i); }")
    await console_line(page, "line 4999")
    assert [line.text for line in page.console] == [f"line {i}" for i in range(4000, 5000)]
    assert len(told) < 5000


async def test_logged_objects_are_let_go(page: Page) -> None:
    assert isinstance(page, ChromiumPage)
    await run(
        page,
        """() => {
            globalThis.held = [];
            for (let i = 0; i < 1000; i++) {
                const thing = {i, weight: new Array(1000).fill(i)};
                held.push(new WeakRef(thing));
                console.log('thing', thing);
            }
            console.log('all said');
        }""",
    )
    await console_line(page, "all said")
    await page.session.send("HeapProfiler.collectGarbage", timeout=10)
    alive = await run(page, "() => held.filter(thing => thing.deref()).length")
    assert isinstance(alive, int)
    assert alive <= 100


# --- without a browser --------------------------------------------------------------------------


@pytest.fixture
def session() -> Session:
    connection = Connection()
    connection.opened(lambda _: None, lambda: None)
    return connection.session("S")


def say(session: Session, text: str) -> None:
    event = {"type": "log", "timestamp": 1000.0, "args": [{"type": "string", "value": text}]}
    raw = json.dumps(event, separators=(",", ":")).encode()
    session.dispatch("Runtime.consoleAPICalled", msgspec.Raw(raw))


def test_listeners_of_a_flood_are_told_what_they_missed(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 5.0
    monkeypatch.setattr("stockade.engines.cdp.console.time.monotonic", lambda: now)
    events = Events()
    console = Console(events)
    console.watch(session)
    told: list[ConsoleMessage] = []
    events.on(ConsoleMessage, told.append)
    for number in range(1200):
        say(session, f"line {number}")
    assert [message.text for message in told] == [f"line {number}" for number in range(500)]
    assert len(console.messages) == 1000
    now = 6.0
    say(session, "after")
    missed, after = told[500:]
    assert missed.text.startswith("700 console lines")
    assert after.text == "after"
    assert console.messages[-2].text == "line 1199"


def test_a_line_is_read_only_when_somebody_looks(session: Session) -> None:
    console = Console(Events())
    console.watch(session)
    for number in range(3000):
        say(session, f"line {number}")
    assert [message.text for message in console.messages[:1]] == ["line 2000"]
    assert console.messages == console.messages


def test_an_odd_line_hides_no_other(session: Session) -> None:
    console = Console(Events())
    console.watch(session)
    say(session, "before")
    session.dispatch("Runtime.consoleAPICalled", msgspec.Raw(b'{"type": 5}'))
    say(session, "after")
    assert [message.text for message in console.messages] == ["before", "after"]
