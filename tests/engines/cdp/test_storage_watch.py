"""Changes of storage, told wherever they are made."""

from __future__ import annotations

import asyncio

import pytest

from stockade.engines.cdp.storage_watch import key_of, name_of
from stockade.engines.events import DatabasesChanged, LocalStorageChanged
from stockade.engines.port import Context
from stockade.engines.values import ContextOptions, StorageKey, World
from tests.support.site import Site
from tests.support.waiting import until

WAIT = 10.0


@pytest.fixture
def context_options() -> ContextOptions:
    return ContextOptions(watch_storage=True)


@pytest.mark.parametrize(
    "name", ["https://a.example/", "http://b.a.example:8080/^0https://top.example"]
)
def test_keys_are_read_as_they_are_written(name: str) -> None:
    key = key_of(name)
    assert key is not None
    assert name_of(key) == name


@pytest.mark.parametrize(
    "name", ["", "null", "https://a.example/^31", "https://a.example/^11^22", "file:///"]
)
def test_what_cannot_be_reached_again_has_no_key(name: str) -> None:
    assert key_of(name) is None


async def test_tabs_frames_and_storerooms_tell(context: Context, site: Site) -> None:
    items: list[LocalStorageChanged] = []
    told: dict[StorageKey, asyncio.Event] = {}
    context.events.on(LocalStorageChanged, items.append)
    context.events.on(
        DatabasesChanged, lambda event: told.setdefault(event.key, asyncio.Event()).set()
    )

    async def databases(key: StorageKey) -> None:
        async with asyncio.timeout(WAIT):
            await told.setdefault(key, asyncio.Event()).wait()
        told.pop(key)

    inner = site.url("/inner", "a.localhost")
    top = site.page("/top", f"<iframe src='{inner}'></iframe>")
    site.page("/inner", "<script>localStorage.tea = 'green'</script>")
    frame = StorageKey(site.url("", "a.localhost"), "http://127.0.0.1")
    async with context.storeroom() as room:
        await room.call(frame, "() => { localStorage.milk = 'none' }")
    page = await context.new_page()
    await page.navigate(top, until="load")
    [child] = page.frames[1:]
    assert await child.call("() => ({...localStorage})") == {"milk": "none", "tea": "green"}
    await until(lambda: (child.storage_key, context.frame_storing(frame)) == (frame, child))
    assert LocalStorageChanged(frame, "tea", "green") in items
    own = StorageKey(site.url(""))
    await databases(own)
    await page.close()
    other = await context.new_page()
    await other.navigate(top)
    told.clear()
    await other.main_frame.call("() => { indexedDB.open('shop') }", world=World.MAIN)
    await databases(own)
    await other.main_frame.call("() => { localStorage.a = 1; localStorage.clear() }")
    await context.clear_storage(own.origin)
    assert items[-1] == LocalStorageChanged(own)
