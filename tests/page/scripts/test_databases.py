"""Databases, record by record; every kind of key and value is tried through the tools."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import ScriptFailed
from stockade.page.scripts import script
from tests.support.tabs import Tab

PARTS = f"({script('database_access')})(), ({script('tagged_values')})(({script('binary')})())"
FUNCTION = f"argument => ({script('databases')})({PARTS})(argument)"
MADE = """() => new Promise((resolve) => {
  const request = indexedDB.open('shop', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('plain');
    request.result.createObjectStore('inside', { keyPath: 'a.b', autoIncrement: true });
  };
  request.onsuccess = () => { request.result.close(); resolve(); };
})"""


async def work(tab: Tab, action: str, **argument: Any) -> Any:
    given = {"action": action, "dbName": "shop", "patience": 1000, **argument}
    return await tab.page.main_frame.call(FUNCTION, given)


async def test_a_record_from_first_to_last(tab: Tab) -> None:
    await tab.show("<p>hello")
    await tab.main(MADE)
    assert await work(tab, "put", storeName="plain", key=1, value={"a": 2}) == {"key": 1}
    found = await work(tab, "get", storeName="plain", key=1)
    assert found == {"found": True, "value": {"a": 2}}
    assert await work(tab, "get", storeName="plain", key=2) == {"found": False}
    about = await work(tab, "stores")
    assert [each["count"] for each in about["stores"]] == [0, 1]
    assert await work(tab, "delete", storeName="plain", key=1) == 1
    assert await work(tab, "clear", storeName="plain") == 0


async def test_a_key_goes_to_its_place(tab: Tab) -> None:
    await tab.show("<p>hello")
    await tab.main(MADE)
    await work(tab, "put", storeName="inside", key=7, value={"a": {"c": 1}})
    found = await work(tab, "get", storeName="inside", key=7)
    assert found["value"] == {"a": {"c": 1, "b": 7}}
    assert (await work(tab, "put", storeName="inside", value={}))["key"] == 8
    with pytest.raises(ScriptFailed, match="differ"):
        await work(tab, "put", storeName="inside", key=7, value={"a": {"b": 8}})
    with pytest.raises(ScriptFailed, match="leave out key"):
        await work(tab, "put", storeName="inside", key=7, value=5)
