"""The network log over the real pipe: each kind of request, and each way it can end."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import msgspec
import pytest

from stockade.engines.cdp.connection import Connection
from stockade.engines.cdp.requests import GONE, RequestLog
from stockade.engines.events import (
    Events,
    PageOpened,
    Request,
    RequestAnswered,
    RequestFinished,
    RequestStarted,
)
from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.errors import NavigationFailed, StockadeError, TabCrashed
from tests.support.levels import only_beside
from tests.support.logs import begun_request, ended_request
from tests.support.site import Site


async def run(page: Page, code: str, *arguments: object) -> object:
    """Run page code in the main world."""
    return await page.main_frame.call(code, *arguments, world=World.MAIN, timeout=10)


@pytest.fixture
async def home(page: Page, site: Site) -> Page:
    """A tab on an ordinary page of the site."""
    await page.navigate(site.page("/home", "<title>Home</title>"))
    return page


@pytest.fixture
async def either_home(either_page: Page, site: Site) -> Page:
    """The same in each binary in turn, for what has to do with more than a document."""
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    return either_page


async def headers_of_the_wire(page: Page, *requests: Request) -> None:
    """Wait for the headers as they were sent: they travel by another way and may come later."""
    async with asyncio.timeout(10):
        while not all("Host" in request.request_headers for request in requests):
            await run(page, "() => 0")


def logged(page: Page, part: str) -> list[Request]:
    return [request for request in page.requests if part in request.url]


async def test_a_document_and_its_parts(either_page: Page, site: Site) -> None:
    site.page("/style.css", "p {}", content_type="text/css")
    site.page("/parts", "<link rel=stylesheet href=/style.css><p>Hi")
    await either_page.navigate(site.url("/parts"), until="load")
    document = await ended_request(either_page, "/parts")
    style = await ended_request(either_page, "/style.css")
    assert (document.type, style.type) == ("Document", "Stylesheet")
    assert document.status == style.status == 200
    assert document.document == style.document == either_page.main_frame.document
    assert document.frame == style.frame == either_page.main_frame.id
    assert document.mime_type == "text/html"
    assert document.bytes > 0
    assert document.answered is not None
    assert document.ended is not None
    assert document.started <= min(document.answered, document.ended)


async def test_ids_are_unique_and_in_order(home: Page, site: Site) -> None:
    await run(home, "() => Promise.all(['/a', '/b', '/c'].map(path => fetch(path)))")
    numbers = [int(request.id.removeprefix("r")) for request in home.requests]
    assert numbers == sorted(set(numbers))


async def test_events_follow_a_request(home: Page, site: Site) -> None:
    told: list[tuple[str, Request]] = []
    home.events.on(RequestStarted, lambda event: told.append(("started", event.request)))
    home.events.on(RequestAnswered, lambda event: told.append(("answered", event.request)))
    home.events.on(RequestFinished, lambda event: told.append(("finished", event.request)))
    await run(home, "() => fetch('/told').then(answer => answer.text())")
    request = await ended_request(home, "/told")
    assert [name for name, about in told if about is request] == ["started", "answered", "finished"]


async def test_each_hop_of_a_redirect_is_a_request(either_page: Page, site: Site) -> None:
    site.page("/end", "<title>End</title>")
    arrived = await either_page.navigate(site.url("/redirect?to=/redirect%3Fto=/end"))
    assert arrived.status == 200
    await ended_request(either_page, "/end")
    first, second, last = (r for r in either_page.requests if r.type == "Document")
    assert (first.status, second.status, last.status) == (302, 302, 200)
    assert first.redirected_to == second.url
    assert second.redirected_to == last.url == site.url("/end")
    assert not last.redirected_to
    await headers_of_the_wire(either_page, first, second, last)
    for hop in (first, second, last):
        assert hop.ended is not None
        assert hop.request_headers["Sec-Fetch-Dest"] == "document"
    assert [hop.response_headers.get("location") for hop in (first, second, last)] == [
        "/redirect?to=/end",
        "/end",
        None,
    ]


async def test_headers_are_those_of_the_wire(home: Page, site: Site) -> None:
    await run(home, "() => fetch('/set-cookie').then(answer => answer.text())")
    await run(home, "() => fetch('/cookies').then(answer => answer.text())")
    answer = await ended_request(home, "/set-cookie")
    asked = await ended_request(home, "/cookies")
    await headers_of_the_wire(home, answer, asked)
    assert answer.response_headers["set-cookie"] == "flavour=oat; Path=/"
    assert asked.request_headers["Cookie"] == "flavour=oat"


async def test_document_status_is_the_servers(either_page: Page, site: Site) -> None:
    site.page("/missing", "<h1>Not here</h1>", status=404)
    arrived = await either_page.navigate(site.url("/missing"), until="commit")
    assert arrived.status == 404
    assert (await either_page.navigate("about:blank")).status is None


@only_beside
async def test_a_name_that_does_not_resolve(either_home: Page) -> None:
    await run(either_home, "() => fetch('http://nowhere.invalid/').catch(() => 0)")
    request = await ended_request(either_home, "nowhere.invalid")
    assert request.failure == "net::ERR_NAME_NOT_RESOLVED"
    assert request.status is None


async def test_a_failed_navigation_is_a_failed_request(either_page: Page) -> None:
    with pytest.raises(NavigationFailed):
        await either_page.navigate("http://127.0.0.1:9/")
    request = await ended_request(either_page, "127.0.0.1:9")
    assert request.failure.startswith("net::ERR_")


async def test_an_aborted_fetch_under_way(home: Page, site: Site) -> None:
    await run(
        home,
        "() => { globalThis.stop = new AbortController();"
        " fetch('/never', {signal: stop.signal}).catch(() => 0); }",
    )
    await begun_request(home, "/never")
    await run(home, "() => stop.abort()")
    assert (await ended_request(home, "/never")).failure == "net::ERR_ABORTED"


@pytest.mark.parametrize("status", [200, 204, 205, 304, 409])
@pytest.mark.parametrize(
    "send",
    [
        "url => fetch(url, {method: 'PUT'}).then(() => 0)",
        "url => fetch(url, {method: 'PUT'}).then(answer => answer.text())",
        "url => fetch(url, {method: 'PUT'}).then(answer => answer.body && answer.body.cancel())",
        """url => new Promise(done => { const asked = new XMLHttpRequest();
            asked.open('PUT', url); asked.onloadend = () => done(0); asked.send(); })""",
        "url => { navigator.sendBeacon(url, 'x'); }",
    ],
    ids=["unread", "read", "canceled", "xhr", "beacon"],
)
async def test_what_was_answered_did_not_fail(
    home: Page, site: Site, send: str, status: int
) -> None:
    site.page("/empty", "", status=status)
    await run(home, send, "/empty")
    request = await ended_request(home, "/empty")
    assert (request.status, request.failure) == (status, "")


@pytest.mark.parametrize("status", [204, 205])
@pytest.mark.parametrize(
    "go", ["url => { location.href = url; }", "() => { document.forms[0].submit(); }"]
)
async def test_a_navigation_with_an_empty_answer_did_not_fail(
    home: Page, site: Site, go: str, status: int
) -> None:
    site.page("/empty", "", status=status)
    await home.navigate(site.page("/form", "<form method=post action=/empty></form>"))
    await run(home, go, "/empty")
    request = await ended_request(home, "/empty")
    assert (request.status, request.failure, request.canceled) == (status, "", True)


async def test_an_answer_that_breaks_off_failed(home: Page, site: Site) -> None:
    site.page("/short", "abc", headers={"content-length": "100"})
    await run(home, "() => fetch('/short').then(answer => answer.text()).catch(() => 0)")
    request = await ended_request(home, "/short")
    assert request.status == 200
    assert request.failure.startswith("net::ERR_")


async def test_a_head_request_does_not_fail(home: Page, site: Site) -> None:
    site.page("/head", "")
    assert await run(home, "() => fetch('/head', {method: 'HEAD'}).then(answer => answer.ok)")
    request = await ended_request(home, "/head")
    assert (request.status, request.failure) == (200, "")


async def test_from_cache(home: Page, site: Site) -> None:
    site.page("/kept", "kept", headers={"cache-control": "max-age=1000"})
    for _ in range(2):
        await run(home, "() => fetch('/kept').then(answer => answer.text())")
    first, second = logged(home, "/kept")
    assert (first.from_cache, second.from_cache) == (False, True)
    assert len(site.asked("/kept")) == 1


async def test_a_preflight_belongs_to_the_asker(home: Page, site: Site) -> None:
    told: dict[str, Request] = {}
    both = asyncio.Event()

    def ended(event: RequestFinished) -> None:
        if event.request.url.endswith("/refused"):
            told[event.request.method] = event.request
        if len(told) == 2:
            both.set()

    home.events.on(RequestFinished, ended)
    await run(
        home,
        "url => fetch(url, {method: 'PUT', headers: {'x-a': 'b'}}).catch(() => 0)",
        site.other.url("/refused"),
    )
    await asyncio.wait_for(both.wait(), 10)
    assert told["OPTIONS"].type == "Preflight"
    assert told["OPTIONS"].frame == told["PUT"].frame == home.main_frame.id
    assert told["PUT"].failure == "net::ERR_FAILED (PreflightMissingAllowOriginHeader)"


async def test_data_urls_are_not_requests(home: Page) -> None:
    await run(home, "() => fetch('data:text/plain,hello').then(answer => answer.text())")
    await run(home, "() => fetch('/after').then(answer => answer.text())")
    await ended_request(home, "/after")
    assert not logged(home, "data:")


async def test_blobs_are_requests(home: Page) -> None:
    await run(
        home,
        "() => fetch(URL.createObjectURL(new Blob(['hello']))).then(answer => answer.text())",
    )
    assert (await ended_request(home, "blob:")).status == 200


async def test_a_beacon(home: Page, site: Site) -> None:
    await run(home, "() => navigator.sendBeacon('/beacon', 'bye')")
    request = await ended_request(home, "/beacon")
    assert (request.type, request.method) == ("Ping", "POST")


async def test_a_beacon_sent_by_a_page_that_goes(home: Page, site: Site) -> None:
    await run(
        home, "() => { addEventListener('pagehide', () => navigator.sendBeacon('/last', '1')); }"
    )
    await home.navigate(site.page("/next", "<title>Next</title>"), until="load")
    await site.wait_asked("/last")
    assert all(
        request.ended for request in home.requests if request.document != home.main_frame.document
    )


async def test_an_unread_body_is_answered_but_never_ends(home: Page, site: Site) -> None:
    answered: list[Request] = []
    home.events.on(RequestAnswered, lambda event: answered.append(event.request))
    await run(home, "async () => { globalThis.kept = await fetch('/unread'); }")
    assert [request.status for request in answered if "/unread" in request.url] == [404]


async def test_requests_of_a_cross_site_frame(home: Page, site: Site) -> None:
    html = "<script>fetch('/data').then(answer => answer.text())</script>"
    site.page("/inner", html)
    await run(
        home,
        "url => { const frame = document.createElement('iframe');"
        " frame.src = url; document.body.append(frame); }",
        site.url("/inner", "localhost"),
    )
    data = await ended_request(home, "/data")
    document = await ended_request(home, "/inner")
    frame = home.frames[1]
    assert data.frame == document.frame == frame.id
    assert data.document == document.document == frame.document
    assert await home.response_body(document.id) == html.encode()


async def test_a_frame_that_comes_back_to_its_parents_site(home: Page, site: Site) -> None:
    site.page("/abroad", "<title>Abroad</title>")
    site.page("/back", "<title>Back</title>")
    await run(
        home,
        "url => new Promise(done => { const frame = document.createElement('iframe');"
        " frame.src = url; frame.onload = done; document.body.append(frame); })",
        site.url("/abroad", "localhost"),
    )
    await run(
        home,
        "() => new Promise(done => { const frame = document.querySelector('iframe');"
        " frame.onload = done; frame.src = '/back'; })",
    )
    request = await ended_request(home, "/back")
    assert (request.status, request.failure) == (200, "")
    assert await home.response_body(request.id) == b"<title>Back</title>"


async def test_a_popups_first_request(either_home: Page, site: Site) -> None:
    site.page("/popup", "<title>Popup</title>")
    opened: asyncio.Future[Page] = asyncio.get_running_loop().create_future()
    either_home.context.events.on(PageOpened, lambda event: opened.set_result(event.page))
    await run(either_home, "() => { window.open('/popup'); }")
    popup = await asyncio.wait_for(opened, 10)
    request = await ended_request(popup, "/popup")
    assert (request.type, request.status) == ("Document", 200)
    assert not logged(either_home, "/popup")


# --- what can no longer be answered ends --------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_navigation_ends_what_the_old_document_waited_for(
    home: Page, site: Site, host: str
) -> None:
    await run(home, "() => { fetch('/never').catch(() => 0); }")
    await begun_request(home, "/never")
    site.page("/next", "<title>Next</title>")
    await home.navigate(site.url("/next", host))
    assert (await ended_request(home, "/never")).failure == GONE
    assert (await ended_request(home, "/next")).failure == ""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_navigation_ends_sockets(home: Page, site: Site, host: str) -> None:
    await run(
        home,
        "url => new Promise(done => { globalThis.socket = new WebSocket(url);"
        " socket.onopen = () => done(); })",
        site.ws_url("/ws"),
    )
    site.page("/next", "<title>Next</title>")
    await home.navigate(site.url("/next", host))
    ended = await ended_request(home, "/ws")
    assert (ended.status, ended.failure) == (101, "")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_navigation_away_is_no_failure_of_what_was_answered(
    home: Page, site: Site, host: str
) -> None:
    site.page("/saved", "x" * 200_000)
    site.page("/next", "<title>Next</title>")
    await run(home, "() => fetch('/saved', {method: 'POST'}).then(() => 0)")
    await home.navigate(site.url("/next", host))
    request = await ended_request(home, "/saved")
    assert (request.status, request.failure) == (200, "")


async def test_removing_a_frame_ends_its_requests(home: Page, site: Site) -> None:
    site.page("/inner", "<script>fetch('/never')</script>")
    await run(
        home,
        "url => { const frame = document.createElement('iframe');"
        " frame.src = url; document.body.append(frame); }",
        site.url("/inner", "localhost"),
    )
    await begun_request(home, "/never")
    await run(home, "() => document.querySelector('iframe').remove()")
    assert (await ended_request(home, "/never")).failure in (GONE, "net::ERR_ABORTED")


async def test_closing_the_tab_ends_its_requests(either_home: Page, site: Site) -> None:
    await run(either_home, "() => { fetch('/never').catch(() => 0); }")
    await begun_request(either_home, "/never")
    await either_home.close()
    assert (await ended_request(either_home, "/never")).failure == GONE


async def test_a_crash_ends_its_requests(either_home: Page, site: Site) -> None:
    await run(either_home, "() => { fetch('/never').catch(() => 0); }")
    await begun_request(either_home, "/never")
    with pytest.raises((TabCrashed, NavigationFailed, StockadeError)):
        await either_home.navigate("chrome://crash")
    assert (await ended_request(either_home, "/never")).failure == GONE


# --- without a browser --------------------------------------------------------------------------


class Told:
    """A log that is told what a browser might tell."""

    def __init__(self) -> None:
        connection = Connection()
        connection.opened(lambda _: None, lambda: None)
        self.session = connection.session("S")
        self.events = Events()
        self.log = RequestLog(self.events)
        self.log.watch(self.session)

    def tell(self, method: str, **params: object) -> None:
        raw = msgspec.json.encode({"requestId": "1", "timestamp": 1.0, **params})
        self.session.dispatch(f"Network.{method}", msgspec.Raw(raw))

    def sent(self, path: str, redirect: str = "", **params: object) -> None:
        if redirect:
            params["redirectResponse"] = {"status": 302, "headers": {"plain": redirect}}
            params["redirectHasExtraInfo"] = True
        request = {"url": f"http://host{path}", "headers": {"plain": path}}
        self.tell(
            "requestWillBeSent", request=request, wallTime=1.0, initiator={"type": "x"}, **params
        )


def hop(told: Told, number: int) -> None:
    told.sent(f"/{number}", redirect=f"answer {number - 1}" if number else "")


def raw_request(told: Told, number: int) -> None:
    told.tell("requestWillBeSentExtraInfo", headers={"raw": f"/{number}"})


def raw_answer(told: Told, number: int) -> None:
    told.tell("responseReceivedExtraInfo", headers={"raw": f"answer {number}"})


def end(told: Told, _number: int) -> None:
    response = {"status": 200, "headers": {"plain": "answer 2"}}
    told.tell("responseReceived", response=response, hasExtraInfo=True)
    told.tell("loadingFinished", encodedDataLength=10)


@pytest.mark.parametrize("seed", range(50))
def test_headers_find_their_hop_in_any_order(seed: int) -> None:
    """Three streams, each in order, mixed at random."""
    told = Told()
    streams: list[list[tuple[Callable[[Told, int], None], int]]] = [
        [(hop, 0), (hop, 1), (hop, 2), (end, 2)],
        [(raw_request, 0), (raw_request, 1), (raw_request, 2)],
        [(raw_answer, 0), (raw_answer, 1), (raw_answer, 2)],
    ]
    chance = random.Random(seed)
    while streams:
        stream = chance.choice(streams)
        event, number = stream.pop(0)
        event(told, number)
        streams = [each for each in streams if each]
    requests = told.log.requests
    assert [request.request_headers for request in requests] == [
        {"raw": f"/{number}"} for number in range(3)
    ]
    assert [request.response_headers for request in requests] == [
        {"raw": f"answer {number}"} for number in range(3)
    ]
    assert [request.status for request in requests] == [302, 302, 200]
    assert requests[-1].bytes == 10


def test_a_hop_without_headers_of_the_wire() -> None:
    told = Told()
    told.sent("/0")
    redirect = {"status": 301, "headers": {"plain": "cached"}, "fromDiskCache": True}
    told.sent("/1", redirectResponse=redirect, redirectHasExtraInfo=False)
    raw_request(told, 1)
    raw_answer(told, 1)
    first, second = told.log.requests
    assert first.response_headers == {"plain": "cached"}
    assert first.from_cache
    assert second.request_headers == {"raw": "/1"}
    assert second.response_headers == {"raw": "answer 1"}


def test_a_number_used_again_is_another_request() -> None:
    told = Told()
    for _ in range(2):
        told.sent("/same")
        told.tell("loadingFinished", encodedDataLength=1)
    first, second = told.log.requests
    assert first.id != second.id
    assert all(request.ended is not None for request in (first, second))


def test_words_about_unknown_requests_do_no_harm() -> None:
    told = Told()
    response = {"status": 200}
    told.tell("responseReceived", response=response)
    told.tell("loadingFinished")
    told.tell("loadingFailed", errorText="late")
    told.tell("requestServedFromCache")
    told.tell("webSocketClosed")
    told.tell("webSocketFrameError", errorMessage="late")
    for number in range(1000):
        raw = msgspec.json.encode({"requestId": f"x{number}", "headers": {}})
        told.session.dispatch("Network.responseReceivedExtraInfo", msgspec.Raw(raw))
    assert not told.log.requests
    assert len(told.log._early) <= 64


def test_giant_headers_are_cut() -> None:
    told = Told()
    told.sent("/")
    told.tell("requestWillBeSentExtraInfo", headers={"cookie": "x" * 100_000})
    [request] = told.log.requests
    assert len(request.request_headers["cookie"]) == 8193
