"""The storage of any origin, without a tab and without a server."""

from __future__ import annotations

import asyncio

from stockade.engines.events import PageOpened
from stockade.engines.port import Context, Page
from stockade.engines.values import World
from stockade.errors import NavigationFailed
from tests.support.site import Site
from tests.support.waiting import until

SET = "(name, value) => { localStorage.setItem(name, value); }"
GET = "name => localStorage.getItem(name)"


async def test_what_is_put_there_is_what_pages_of_the_origin_find(
    either_context: Context, site: Site
) -> None:
    address = site.page("/page", "<p>hello")
    site.page("/favicon.ico", "")
    origin = site.url("")
    async with either_context.storeroom() as room:
        await room.call(origin, SET, "tea", "green")
        assert await room.call(origin, GET, "tea") == "green"
        assert await room.call("https://shop.example", GET, "tea") is None
        assert await room.call("https://shop.example", "() => isSecureContext") is True
    assert site.requests == []
    page = await either_context.new_page()
    await page.navigate(address)
    assert await page.main_frame.call(GET, "tea") == "green"


async def test_it_is_no_tab(either_context: Context, site: Site) -> None:
    opened: list[Page] = []
    either_context.events.on(PageOpened, lambda event: opened.append(event.page))
    async with either_context.storeroom() as room, asyncio.TaskGroup() as group:
        group.create_task(room.call(site.url(""), SET, "a", "b"))
        async with either_context.storeroom() as other:
            tab = await either_context.new_page()
            await other.call(site.other.url(""), SET, "a", "b")
        assert list(either_context.pages) == [tab]
    assert opened == [tab]


async def test_tabs_that_open_at_the_same_time_are_told_apart(context: Context, site: Site) -> None:
    rooms: list[str] = []
    tabs: list[Page] = []

    async def enter(number: int) -> None:
        async with context.storeroom() as room:
            rooms.append(await room.call(f"https://s{number}.example", "() => self.origin"))

    async def open_tab() -> None:
        tabs.append(await context.new_page())

    async with asyncio.TaskGroup() as group:
        for number in range(4):
            group.create_task(enter(number))
            group.create_task(open_tab())
    assert sorted(rooms) == [f"https://s{number}.example" for number in range(4)]
    assert {page.id for page in context.pages} == {page.id for page in tabs}
    assert len(tabs) == 4


async def test_one_that_nobody_waits_for_any_more_is_closed(context: Context) -> None:
    async def enter() -> None:
        async with context.storeroom() as room:
            await room.call("https://shop.example", "() => 1")

    for pause in (0, 1, 3, 10):
        async with asyncio.TaskGroup() as group:
            entering = group.create_task(enter())
            for _ in range(pause):
                await asyncio.sleep(0)
            entering.cancel()
    tab = await context.new_page()
    await tab.navigate("about:blank")
    assert list(context.pages) == [tab]

    async def is_alone() -> bool:
        targets = await context.browser.devtools.send("Target.getTargets")
        mine = [
            each["targetId"]
            for each in targets["targetInfos"]
            if each.get("browserContextId") == context.id and each["type"] == "page"
        ]
        return mine == [tab.id]

    await until(is_alone)


async def test_a_service_worker_is_not_asked(context: Context, site: Site) -> None:
    site.page(
        "/sw.js",
        "addEventListener('activate', e => e.waitUntil(clients.claim()));"
        "addEventListener('fetch', e => e.respondWith(new Response('<script>localStorage.clear()</script>',"
        " {headers: {'content-type': 'text/html'}})))",
        content_type="text/javascript",
    )
    page = await context.new_page()
    await page.navigate(site.page("/page", "<p>hello"))
    await page.main_frame.call(
        "async () => { localStorage.setItem('a', 'b'); await navigator.serviceWorker.register('/sw.js');"
        " await navigator.serviceWorker.ready; }",
        world=World.MAIN,
    )
    async with context.storeroom() as room:
        assert await room.call(site.url(""), GET, "a") == "b"


async def test_everything_an_origin_stored_can_be_cleared(context: Context, site: Site) -> None:
    page = await context.new_page()
    await page.navigate(site.page("/page", "<p>hello"))
    await page.main_frame.call(SET, "a", "b")
    async with context.storeroom() as room:
        await room.clear(site.url(""))
        assert await room.call(site.url(""), GET, "a") is None
    assert await page.main_frame.call(GET, "a") is None


async def test_origins_that_were_shown_are_remembered(context: Context, site: Site) -> None:
    page = await context.new_page()
    await page.navigate(site.page("/page", "<p>hello"))
    await page.navigate(site.other.page("/page", "<p>hello"))
    await page.navigate("data:text/html,x")
    await page.close()
    assert list(context.origins) == [site.url(""), site.other.url("")]


async def test_what_is_no_origin_has_no_document(context: Context) -> None:
    async with context.storeroom() as room:
        for origin in ("about:blank", "https://a b"):
            try:
                await room.call(origin, "() => 1")
            except NavigationFailed:
                continue
            raise AssertionError(origin)
