"""All that an origin keeps; what it is for is tried through the tools."""

from __future__ import annotations

from typing import Any

from stockade.page.scripts import script
from tests.support.tabs import Tab

PARTS = f"({script('database_access')})(), ({script('encoded_values')})(({script('binary')})())"
FUNCTION = f"argument => ({script('origin_state')})({PARTS})(argument)"


async def work(tab: Tab, action: str, **argument: Any) -> Any:
    return await tab.page.main_frame.call(FUNCTION, {"action": action, **argument})


def database(count: int) -> dict[str, Any]:
    records = [{"key": number, "value": {"n": number}} for number in range(count)]
    index = {"name": "by n", "keyPath": "n", "unique": True, "multiEntry": False}
    store = {"name": "s", "autoIncrement": True, "indexes": [index], "records": records}
    return {"name": "db", "version": 3, "stores": [store]}


async def test_what_is_put_back_is_what_was_taken_out(tab: Tab) -> None:
    await tab.show("<p>hello")
    items = [{"name": "a", "value": "b"}]
    # More than one piece of records.
    given = {"localStorage": items, "indexedDB": [database(450)]}
    assert await work(tab, "restore", **given) == {"omitted": []}
    found = await work(tab, "dump", databases=True, most=1_000_000)
    assert found == {**given, "omitted": []}
    assert (await work(tab, "dump", databases=False, most=0))["indexedDB"] == []


async def test_a_database_beyond_the_limit_is_left_out(tab: Tab) -> None:
    await tab.show("<p>hello")
    small = {**database(1), "name": "small"}
    await work(tab, "restore", localStorage=[], indexedDB=[database(100), small])
    found = await work(tab, "dump", databases=True, most=500)
    assert [each["database"] for each in found["omitted"]] == ["db", "small"]


async def test_one_bad_database_does_not_keep_out_the_others(tab: Tab) -> None:
    await tab.show("<p>hello")
    bad = database(1)
    bad["stores"][0]["records"] = [{"key": 1, "valueEncoded": {"odd": 1}}]
    good = {**database(1), "name": "good"}
    answer = await work(tab, "restore", localStorage=[], indexedDB=[bad, good])
    assert [each["database"] for each in answer["omitted"]] == ["db"]
    found = await work(tab, "dump", databases=True, most=1_000_000)
    assert "good" in [each["name"] for each in found["indexedDB"]]
