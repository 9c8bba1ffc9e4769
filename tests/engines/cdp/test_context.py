"""Isolated states, on both binaries: what they share (nothing), and how they end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from stockade.engines.cdp.context import ChromiumContext
from stockade.engines.events import DialogOpened, PageClosed
from stockade.engines.port import Browser, Context, Page
from stockade.engines.values import (
    ContextOptions,
    Cookie,
    Emulation,
    Explained,
    Proxy,
    Viewport,
    World,
)
from stockade.errors import (
    AddressDenied,
    InvalidArgument,
    NavigationFailed,
    StockadeError,
    TabClosed,
)
from tests.support.expecting import expecting
from tests.support.levels import only_beside
from tests.support.proxies import forward_proxy
from tests.support.site import Request, Response, Site
from tests.support.waiting import until

STORE = """async () => {
  localStorage.setItem('kept', 'local');
  sessionStorage.setItem('kept', 'session');
  document.cookie = 'kept=cookie';
  await (await caches.open('kept')).put('/kept', new Response('cached'));
  await new Promise((done, fail) => {
    const opening = indexedDB.open('kept');
    opening.onsuccess = () => { opening.result.close(); done(); };
    opening.onerror = fail;
  });
}"""
STORED = """async () => ({
  local: localStorage.getItem('kept'),
  session: sessionStorage.getItem('kept'),
  cookie: document.cookie,
  caches: await caches.keys(),
  databases: (await indexedDB.databases()).map(each => each.name),
})"""
EMPTY: dict[str, Any] = {
    "local": None,
    "session": None,
    "cookie": "",
    "caches": [],
    "databases": [],
}
FULL = {
    "local": "local",
    "session": "session",
    "cookie": "kept=cookie",
    "caches": ["kept"],
    "databases": ["kept"],
}


@pytest.fixture
async def other_context(either_browser: Browser) -> AsyncIterator[Context]:
    context = await either_browser.new_context(ContextOptions())
    yield context
    await context.close()


async def at(context: Context, url: str) -> Page:
    page = await context.new_page()
    await page.navigate(url)
    return page


# --- isolation ----------------------------------------------------------------------------------


async def test_contexts_share_nothing_stored(
    either_context: Context, other_context: Context, site: Site
) -> None:
    site.page("/", "")
    one = await at(either_context, site.url())
    await one.main_frame.call(STORE, world=World.MAIN)
    assert await one.main_frame.call(STORED, world=World.MAIN) == FULL
    two = await at(other_context, site.url())
    assert await two.main_frame.call(STORED, world=World.MAIN) == EMPTY
    assert await other_context.cookies() == []


async def test_contexts_share_no_cache(
    either_context: Context, other_context: Context, site: Site
) -> None:
    lasting = {"cache-control": "max-age=3600"}
    site.page("/lasting.js", "", headers=lasting, content_type="text/javascript")
    site.page("/", "<script src='/lasting.js'></script>")
    for _ in range(2):
        await at(either_context, site.url())
    assert len(site.asked("/lasting.js")) == 1
    await at(other_context, site.url())
    assert len(site.asked("/lasting.js")) == 2


async def test_contexts_share_no_permission_and_no_cookie(
    either_context: Context, other_context: Context, site: Site
) -> None:
    site.page("/", "")
    query = "() => navigator.permissions.query({name: 'geolocation'}).then(s => s.state)"
    two = await at(other_context, site.url())
    own = await two.main_frame.call(query)
    await either_context.grant_permissions(["geolocation"])
    await either_context.set_cookies([Cookie("a", "1", url=site.url("/"))])
    one = await at(either_context, site.url())
    assert await one.main_frame.call(query) == "granted"
    assert await two.main_frame.call(query) == own
    assert await other_context.cookies() == []


async def test_options_reach_popups(either_browser: Browser, site: Site) -> None:
    site.page("/popup", "<script>const size = [innerWidth, innerHeight].join()</script>")
    site.page("/", "<script>const popup = open('/popup')</script>")
    small = ContextOptions(emulation=Emulation(viewport=Viewport(640, 480)))
    context = await either_browser.new_context(small)
    try:
        await at(context, site.url())
        await site.wait_asked("/popup")
        [_, popup] = context.pages
        await popup.navigate(site.url("/popup"))
        assert await popup.main_frame.call("() => size", world=World.MAIN) == "640,480"
    finally:
        await context.close()


# --- storage ------------------------------------------------------------------------------------


async def test_one_origin_is_cleared_and_keeps_its_cookies(
    either_context: Context, site: Site
) -> None:
    site.page("/", "")
    site.other.page("/", "")
    page = await at(either_context, site.url())
    await page.main_frame.call(STORE, world=World.MAIN)
    other = await at(either_context, site.other.url())
    await other.main_frame.call(STORE, world=World.MAIN)
    await either_context.clear_storage(site.url())

    async def is_empty() -> bool:
        left = await page.main_frame.call(STORED, world=World.MAIN)
        return bool(left == {**EMPTY, "cookie": "kept=cookie"})

    # A renderer that has read its storage is told a moment later.
    await until(is_empty)
    assert await other.main_frame.call(STORED, world=World.MAIN) == FULL


async def test_storage_is_cleared_without_a_tab(either_context: Context, site: Site) -> None:
    site.page("/", "")
    page = await at(either_context, site.url())
    await page.main_frame.call(STORE, world=World.MAIN)
    await page.close()
    await either_context.clear_storage(site.url())
    assert list(either_context.pages) == []
    page = await at(either_context, site.url())
    assert (await page.main_frame.call(STORED, world=World.MAIN))["local"] is None


async def test_what_is_no_origin_is_refused(context: Context) -> None:
    with pytest.raises(InvalidArgument):
        await context.clear_storage("everything")


# --- the way out --------------------------------------------------------------------------------


@pytest.fixture
async def proxy() -> AsyncIterator[tuple[str, list[str]]]:
    """A proxy that answers everything itself, and what it was asked for."""
    asked: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            asked.append(head.split(b"\r\n", 1)[0].decode())
            body = b"<title>By proxy</title>"
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n"
                b"content-length: %d\r\n\r\n%b" % (len(body), body)
            )
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}", asked


@only_beside
async def test_who_runs_the_proxy_says_why_nothing_came(
    either_browser: Browser, site: Site
) -> None:
    def explain(url: str, failure: str) -> Explained:
        if "/away" in url:
            return Explained(f"shut: {failure}", AddressDenied("not there"))
        return Explained(f"lost: {failure}")

    site.page("/", "<img src='/gone.png'><a href='http://127.0.0.1:1/'>Out</a>")
    site.page("/on", "", status=302, headers={"location": "http://127.0.0.1:1/away"})
    async with forward_proxy() as gate:
        proxy = Proxy(gate.address, explain)
        context = await either_browser.new_context(ContextOptions(proxy=proxy))
        try:
            page = await context.new_page()
            with pytest.raises(NavigationFailed) as lost:
                await page.navigate("http://127.0.0.1:1/")
            assert lost.value.details["reason"].startswith("lost: net::ERR_")
            with pytest.raises(AddressDenied, match="not there"):
                await page.navigate(site.url("/on"))
            await until(lambda: page.main_frame.unreachable == "http://127.0.0.1:1/away")
            assert page.requests[-1].failure.startswith("shut: net::ERR_")
            await page.navigate(site.url("/"))
            assert page.requests[-1].server == "", "of a server the browser sees nothing"
        finally:
            await context.close()


@only_beside
async def test_loopback_too_goes_through_the_proxy_of_its_context(
    either_browser: Browser, either_context: Context, site: Site, proxy: tuple[str, list[str]]
) -> None:
    server, asked = proxy
    context = await either_browser.new_context(ContextOptions(proxy=Proxy(server)))
    try:
        for host in ("127.0.0.1", "localhost"):
            page = await at(context, site.url("/page", host=host))
            assert await page.title() == "By proxy"
            assert f"GET {site.url('/page', host=host)} HTTP/1.1" in asked
        assert site.requests == []
    finally:
        await context.close()
    site.page("/page", "<title>Direct</title>")
    asked.clear()
    page = await at(either_context, site.url("/page"))
    assert await page.title() == "Direct"
    assert asked == []


# --- tabs and the end ---------------------------------------------------------------------------


async def test_closing_fails_pending_calls_and_closes_tabs(either_browser: Browser) -> None:
    context = await either_browser.new_context(ContextOptions())
    page = await context.new_page()
    async with asyncio.TaskGroup() as group:
        pending = group.create_task(never_ends(page))
        async with expecting(context.events, PageClosed) as closed:
            await page.main_frame.call("() => 1")
            await context.close()
    assert isinstance(pending.result(), TabClosed)
    assert closed.result().page is page
    assert page.closed
    await context.close()
    with pytest.raises(TabClosed):
        await context.new_page()
    with pytest.raises(TabClosed):
        await page.main_frame.call("() => 1")


async def never_ends(page: Page) -> StockadeError | None:
    try:
        await page.main_frame.call("() => new Promise(() => {})")
    except StockadeError as error:
        return error
    return None


async def test_a_context_with_a_dialog_or_a_reluctant_page_closes(
    either_browser: Browser, site: Site
) -> None:
    site.page("/", "<script>onbeforeunload = event => event.preventDefault()</script>")
    context = await either_browser.new_context(ContextOptions())
    reluctant = await at(context, site.url())
    await reluctant.main_frame.call("() => document.body.click()", world=World.MAIN)
    talking = await context.new_page()
    async with expecting(talking.events, DialogOpened):
        await talking.main_frame.call("() => { setTimeout(() => alert('now'), 0); }")
    await context.close()
    assert list(context.pages) == []


async def test_new_tabs_race_the_end(either_browser: Browser) -> None:
    for tabs in range(4):
        context = await either_browser.new_context(ContextOptions())
        opening = [context.new_page() for _ in range(tabs)]
        results = await asyncio.gather(*opening, context.close(), return_exceptions=True)
        assert results[-1] is None
        for result in results[:-1]:
            assert isinstance(result, TabClosed)


async def test_a_tab_announced_after_the_answer_is_waited_for(
    context: ChromiumContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = context.browser.connection.root
    dispatch = root.dispatch
    late: list[tuple[str, Any]] = []

    def hold(method: str, params: Any) -> None:
        if method == "Target.attachedToTarget":
            late.append((method, params))
        else:
            dispatch(method, params)

    monkeypatch.setattr(root, "dispatch", hold)
    async with asyncio.TaskGroup() as group:
        opening = group.create_task(context.new_page())
        async with asyncio.timeout(10):
            while not context._arrivals:
                await context.browser.ping()
        for method, params in late:
            dispatch(method, params)
    assert opening.result() in context.pages


async def test_a_request_under_way_does_not_hold_up_the_end(
    either_browser: Browser, site: Site
) -> None:
    asked = asyncio.Event()

    async def hang(_request: Request) -> Response:
        asked.set()
        await asyncio.Event().wait()
        return Response()

    context = await either_browser.new_context(ContextOptions())
    page = await context.new_page()
    site.route("/hang", hang)
    await page.main_frame.call("url => { location.href = url; }", site.url("/hang"))
    await asked.wait()
    await context.close()
    assert list(context.pages) == []
