"""What one origin stores, put in parts and put back."""

from __future__ import annotations

import pytest

from stockade.engines.port import Context
from stockade.engines.values import ContextOptions, StorageKey, World
from stockade.page.kept_storage import (
    KeptStorage,
    dump_databases,
    local_items,
    read_part,
    restore_storage,
    written_databases,
    written_items,
)
from tests.support.site import Site

SHOP = StorageKey("https://shop.example")
DATABASE = {
    "name": "shop",
    "version": 3,
    "stores": [
        {
            "name": "cart",
            "autoIncrement": True,
            "indexes": [],
            "records": [{"key": 1, "valueEncoded": {"d": "2026-01-01T00:00:00.000Z"}}],
        }
    ],
}


@pytest.fixture
def context_options() -> ContextOptions:
    return ContextOptions(watch_storage=True)


def test_parts_of_one_origin_come_together_again() -> None:
    below = StorageKey(SHOP.origin, "https://news.example")
    parts = dict(
        (
            written_items(SHOP, {"tea": "green"}),
            written_databases(SHOP, [DATABASE]),
            written_items(below, {"tea": "black"}),
        )
    )
    assert len(parts) == 3
    found: dict[StorageKey, KeptStorage] = {}
    for name, content in parts.items():
        read_part(name, content, found)
    assert (found[SHOP].items, found[SHOP].databases) == ({"tea": "green"}, [DATABASE])
    assert found[below].items == {"tea": "black"}
    assert {*found[SHOP].parts, *found[below].parts} == {*parts}
    assert written_items(SHOP, {})[1] == written_databases(SHOP, [])[1] == b""
    for rubbish in (b"", b"{}", b'{"origin": 1}', b"\xff"):
        with pytest.raises(ValueError, match=r"."):
            read_part("local", rubbish, {})


async def test_what_was_put_back_is_found(context: Context, site: Site) -> None:
    key = StorageKey(site.url(""))
    async with context.storeroom() as room:
        storage = KeptStorage(key, {"tea": "green"}, [DATABASE])
        assert await restore_storage(room, storage, timeout=10) == []
    # Without a page of the origin, and with one.
    assert await dump_databases(context, key, timeout=10) == ([DATABASE], [])
    page = await context.new_page()
    await page.navigate(site.page("/page", "<p>hello"))
    assert await local_items(page.main_frame, key, timeout=10) == {"tea": "green"}
    assert await dump_databases(context, key, timeout=10) == ([DATABASE], [])
    await page.main_frame.call("() => { setTimeout(() => alert(1)) }", world=World.MAIN)
    await page.until(lambda: page.dialog is not None, timeout=10)  # type: ignore[attr-defined]
    assert await dump_databases(context, key, timeout=10) == ([DATABASE], [])
    await page.answer_dialog(accept=True)
