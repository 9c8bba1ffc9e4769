"""Work on the storage of origins."""

from __future__ import annotations

import pytest

from stockade.engines.port import Frame
from stockade.errors import (
    InvalidArgument,
    Missing,
    NavigationRace,
    QuotaExceeded,
    Unsupported,
)
from stockade.page.storage import origin_of_frame, work_in_frame, work_in_storeroom
from tests.support.tabs import Tab

GET = {"area": "local", "action": "get", "key": "a"}


def main(tab: Tab) -> Frame:
    return tab.page.main_frame


async def test_a_frame_and_a_storeroom_meet(tab: Tab) -> None:
    await tab.show("<script>localStorage.setItem('a', 'b')</script>")
    origin = await origin_of_frame(main(tab))
    assert origin == tab.site.url("")
    assert await work_in_frame(main(tab), "web_storage", origin, GET) == "b"
    async with tab.page.context.storeroom() as room:
        assert await work_in_storeroom(room, "web_storage", origin, GET) == "b"


async def test_an_opaque_origin(tab: Tab) -> None:
    for address in ("about:blank", "data:text/html,hi"):
        await tab.page.navigate(address)
        with pytest.raises(Unsupported):
            await origin_of_frame(main(tab))


async def test_a_document_of_another_origin(tab: Tab) -> None:
    await tab.show("<p>hello")
    with pytest.raises(NavigationRace):
        await work_in_frame(main(tab), "web_storage", "https://shop.example", GET)


async def test_what_goes_wrong_has_a_type(tab: Tab) -> None:
    await tab.show("<p>hello")
    origin = tab.site.url("")
    with pytest.raises(Missing) as caught:
        await work_in_frame(main(tab), "caches", origin, {"action": "list", "cacheName": "x"})
    assert caught.value.hint == "There are none."
    given = {"action": "get", "dbName": "x", "storeName": "x", "key": {}, "patience": 100}
    with pytest.raises(InvalidArgument):
        await work_in_frame(main(tab), "databases", origin, given)
    given = {"area": "local", "action": "set", "key": "a", "value": "x" * 6_000_000}
    with pytest.raises(QuotaExceeded):
        await work_in_frame(main(tab), "web_storage", origin, given)
