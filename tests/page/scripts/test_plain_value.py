"""What a script gave, as JSON can hold it."""

from __future__ import annotations

import json
from typing import Any

from stockade.engines.values import World
from stockade.page.scripts import script
from tests.support.tabs import Tab

SMALL = {"nodes": 5, "depth": 2, "characters": 10}


async def plain(tab: Tab, expression: str, limits: dict[str, int]) -> Any:
    source = script("plain_value")
    said = await tab.page.main_frame.call(
        f"limits => ({source})({expression}, limits)", limits, world=World.MAIN
    )
    return json.loads(said)


async def test_every_limit_is_told(tab: Tab) -> None:
    await tab.show("<p>x</p>")
    many = await plain(tab, "[1, 2, 3, 4, 5, 6, 7]", SMALL)
    assert many == {"value": [1, 2, 3, 4, "[more]"], "cut": True, "absent": False}
    long = await plain(tab, "'a'.repeat(20)", SMALL)
    assert long["cut"]
    assert long["value"].endswith("[20 characters]")
    deep = await plain(tab, "({ a: { b: { c: 1 } } })", SMALL)
    assert deep == {"value": {"a": {"b": "[Object]"}}, "cut": False, "absent": False}


async def test_the_same_object_twice_is_no_circle(tab: Tab) -> None:
    await tab.show("<p>x</p>")
    found = await plain(tab, "(shared => [shared, shared])({ a: 1 })", SMALL | {"nodes": 50})
    assert found["value"] == [{"a": 1}, {"a": 1}]


async def test_promises_are_awaited(tab: Tab) -> None:
    await tab.show("<p>x</p>")
    assert (await plain(tab, "Promise.resolve(3)", SMALL))["value"] == 3
