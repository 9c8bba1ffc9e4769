"""Frames of every kind: same site, other sites, nested, replaced, removed."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from stockade.engines.events import FrameAttached, FrameDetached, FrameNavigated
from stockade.engines.port import Frame, Page
from stockade.engines.values import ContextOptions, InitScript, World
from stockade.errors import NavigationRace, TabClosed
from tests.support.site import Site


@pytest.fixture
def context_options() -> ContextOptions:
    return ContextOptions(init_scripts=(InitScript("globalThis.agent = location.pathname"),))


async def framed(page: Page, site: Site, host: str = "a.localhost") -> Frame:
    """A page with a frame on another host, which has a frame on a third."""
    site.page("/leaf", "<title>Leaf</title><p id=p>leaf</p>")
    site.page("/mid", f"<iframe name=leaf src='{site.url('/leaf', host='b.localhost')}'></iframe>")
    site.page("/top", f"<iframe name=mid src='{site.url('/mid', host=host)}'></iframe>")
    await page.navigate(site.url("/top"), until="load")
    return next(frame for frame in page.frames if frame.url.endswith("/leaf"))


@pytest.mark.parametrize("host", ["127.0.0.1", "a.localhost"])
async def test_nested_frames_have_their_places_names_and_worlds(
    either_page: Page, site: Site, host: str
) -> None:
    page = either_page
    leaf = await framed(page, site, host)
    assert [frame.name for frame in page.frames] == ["", "mid", "leaf"]
    assert leaf.parent is page.frames[1]
    assert leaf.parent.parent is page.main_frame
    assert leaf.origin == f"http://b.localhost:{site.port}"
    for frame, path in zip(page.frames, ("/top", "/mid", "/leaf"), strict=True):
        assert await frame.call("() => globalThis.agent") == path
        assert await frame.call("() => globalThis.agent", world=World.MAIN) is None
        assert await frame.call("() => location.pathname", world=World.MAIN) == path


async def test_the_owner_is_an_element_of_the_parent(page: Page, site: Site) -> None:
    leaf = await framed(page, site)
    owner = await leaf.owner()
    assert owner.frame is leaf.parent
    assert await owner.call("function () { return this.name; }") == "leaf"
    assert await owner.content_frame() is leaf


def _leads_to(url: str, event: FrameNavigated) -> bool:
    return event.url == url


async def test_a_frame_that_moves_between_sites_stays_the_same_frame(
    page: Page, site: Site
) -> None:
    site.page("/one", "<p>one</p>")
    site.page("/two", "<p>two</p>")
    site.page("/top", "<iframe src=/one></iframe>")
    await page.navigate(site.url("/top"), until="load")
    frame = page.frames[1]
    documents = {frame.document}
    for host in ("a.localhost", "b.localhost", "127.0.0.1"):
        url = site.url("/two", host=host)
        async with asyncio.TaskGroup() as group:
            there = group.create_task(
                page.events.wait(FrameNavigated, where=partial(_leads_to, url))
            )
            await asyncio.sleep(0)
            await page.main_frame.call(
                "(url) => { document.querySelector('iframe').src = url; }", url
            )
        assert there.result().frame is frame
        assert await frame.call("() => location.href") == url
        documents.add(frame.document)
    assert len(documents) == 4
    assert page.frames == [page.main_frame, frame]


@pytest.mark.parametrize("host", ["127.0.0.1", "a.localhost"])
async def test_a_removed_frame_fails_its_calls(page: Page, site: Site, host: str) -> None:
    site.page("/inner", "<p>inner</p>")
    site.page("/top", f"<iframe src='{site.url('/inner', host=host)}'></iframe>")
    await page.navigate(site.url("/top"), until="load")
    frame = page.frames[1]
    gone: list[Frame] = []
    page.events.on(FrameDetached, lambda event: gone.append(event.frame))
    assert await frame.call("() => document.body.textContent") == "inner"
    async with asyncio.timeout(5):
        waiting = asyncio.gather(frame.call("() => new Promise(() => {})"), return_exceptions=True)
        await page.main_frame.call("() => { document.querySelector('iframe').remove(); }")
        [error] = await waiting
    assert isinstance(error, (TabClosed, NavigationRace))
    assert frame.detached
    assert gone == [frame]
    with pytest.raises(TabClosed):
        await frame.call("() => 1")
    assert page.frames == [page.main_frame]


async def test_frames_made_by_script(page: Page) -> None:
    attached: list[Frame] = []
    page.events.on(FrameAttached, lambda event: attached.append(event.frame))
    await page.main_frame.call(
        """() => new Promise((done) => {
          const frame = document.createElement('iframe');
          frame.srcdoc = '<b>made</b>'; frame.onload = done; document.body.append(frame); })"""
    )
    assert [await frame.call("() => document.body.textContent") for frame in attached] == ["made"]


async def test_where_a_frame_lies_in_its_parent(either_page: Page, site: Site) -> None:
    page = either_page
    site.page("/leaf", "<body style='margin:0'>leaf")
    site.page(
        "/mid",
        "<body style='margin:0'><iframe style='border:0;margin:30px 0 0 20px' width=200 height=100"
        f" src='{site.url('/leaf', host='b.localhost')}'></iframe>",
    )
    site.page(
        "/top",
        "<body style='margin:0'><iframe style='border:5px solid;padding:3px;margin:7px'"
        f" width=400 height=300 src='{site.url('/mid')}'></iframe>",
    )
    await page.navigate(site.url("/top"), until="load")
    _, mid, leaf = page.frames
    assert tuple((await mid.owner_quad()).top_left) == (15, 15)
    assert tuple((await leaf.owner_quad()).top_left) == (20, 30)
    assert (await leaf.owner_quad()).bottom_right == pytest.approx((220, 130))


async def test_a_page_without_scripts_that_comes_where_a_frame_of_its_site_was(
    either_page: Page, site: Site
) -> None:
    """It is shown in the process of that frame, and has no default context of its own accord."""
    page = either_page
    there = site.page("/there", "<title>There</title>").replace("127.0.0.1", "a.localhost")
    inner = site.page("/inner", f"<a id=a target=_top href='{there}'>Go</a>")
    site.page("/top", f"<iframe src='{inner}'></iframe><iframe src='{there}'></iframe>")
    await page.navigate(site.url("/top"), until="load")
    frame = next(each for each in page.frames if each.url == inner)
    async with asyncio.TaskGroup() as group:
        group.create_task(page.events.wait(FrameNavigated, where=partial(_leads_to, there)))
        await asyncio.sleep(0)
        await frame.call("() => document.querySelector('a').click()", world=World.MAIN)
    assert (
        await page.main_frame.call("() => document.title", world=World.MAIN, timeout=5) == "There"
    )
