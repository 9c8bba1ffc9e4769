"""Local and session storage."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.page.scripts import script
from tests.support.tabs import Tab


async def work(tab: Tab, **argument: Any) -> Any:
    return await tab.page.main_frame.call(script("web_storage"), argument)


@pytest.mark.parametrize("area", ["local", "session"])
async def test_one_item_after_the_other(tab: Tab, area: str) -> None:
    await tab.show("<p>hello")
    assert await work(tab, area=area, action="set", key="b", value="2") is True
    assert await work(tab, area=area, action="set", key="a", value="1") is True
    assert await work(tab, area=area, action="get", key="a") == "1"
    assert await work(tab, area=area, action="get", key="c") is None
    listed = await work(tab, area=area, action="list")
    assert listed == [{"key": "a", "value": "1"}, {"key": "b", "value": "2"}]
    assert await work(tab, area=area, action="delete", key="a") is True
    assert await work(tab, area=area, action="delete", key="a") is False
    assert await work(tab, area=area, action="clear") == 1


async def test_items_with_the_names_of_methods(tab: Tab) -> None:
    await tab.show("<p>hello")
    names = ["clear", "getItem", "key", "length", "removeItem", "setItem"]
    for name in names:
        await work(tab, area="local", action="set", key=name, value="x")
    assert [each["key"] for each in await work(tab, area="local", action="list")] == names
    assert await work(tab, area="local", action="clear") == 6
