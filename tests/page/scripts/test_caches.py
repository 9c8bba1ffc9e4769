"""The caches of an origin."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import ScriptFailed
from stockade.page.scripts import script
from tests.support.tabs import Tab

FUNCTION = f"argument => ({script('caches')})(({script('binary')})())(argument)"


async def work(tab: Tab, action: str, **argument: Any) -> Any:
    given = {"action": action, "most": 100, **argument}
    return await tab.page.main_frame.call(FUNCTION, given)


async def test_an_entry_from_first_to_last(tab: Tab) -> None:
    await tab.show("<p>hello")
    entry = {"cacheName": "new", "url": "/tea"}
    response = {"status": 200, "headers": {"vary": "accept"}, "content": "YQ=="}
    assert await work(tab, "get", **entry) is None
    assert await work(tab, "storages") == []
    assert await work(tab, "put", **entry, response=response) == {"created": True}
    found = await work(tab, "get", **entry)
    assert (found["status"], found["content"], found["type"]) == (200, "YQ==", "default")
    assert [each["url"] for each in await work(tab, "list", **entry)] == [tab.site.url("/tea")]
    assert await work(tab, "delete", **entry) is True
    assert await work(tab, "clear", **entry) == 0
    assert await work(tab, "deleteStorage", **entry) is True


async def test_a_body_beyond_the_limit(tab: Tab) -> None:
    await tab.show("<p>hello")
    response = {"status": 200, "headers": {}, "content": "YQ==" * 1}
    await work(tab, "put", cacheName="new", url="/a", response=response)
    with pytest.raises(ScriptFailed, match="1 bytes"):
        await work(tab, "get", cacheName="new", url="/a", most=0)


async def test_a_page_without_caches(tab: Tab) -> None:
    tab.site.page("/page", "<p>hello")
    await tab.page.navigate("about:blank")
    with pytest.raises(ScriptFailed):
        await work(tab, "storages")
