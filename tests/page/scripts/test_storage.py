"""The wrapping of work on storage."""

from __future__ import annotations

import json
from typing import Any

from stockade.page.scripts import script
from tests.support.tabs import Tab


async def told(tab: Tab, work: str, origin: str | None = None, argument: Any = None) -> Any:
    function = f"(origin, argument) => ({script('storage')})({work}, origin, argument)"
    origin = tab.site.url("") if origin is None else origin
    return json.loads(await tab.page.main_frame.call(function, origin, argument))


async def test_what_came_of_it_is_told_as_text(tab: Tab) -> None:
    await tab.show("<p>hello")
    assert await told(tab, "async (given) => [given, 'é']", argument=1) == {"value": [1, "é"]}
    deep = "() => { let deep = 0; for (let i = 0; i < 900; i++) deep = [deep]; return deep; }"
    assert "value" in await told(tab, deep)


async def test_half_characters_are_replaced(tab: Tab) -> None:
    await tab.show("<p>hello")
    assert await told(tab, "() => 'a\\ud83d'") == {"value": "a\ufffd"}


async def test_errors_are_data(tab: Tab) -> None:
    await tab.show("<p>hello")
    thrown = "() => { throw Object.assign(new TypeError('no'), { details: { a: 1 } }); }"
    error = (await told(tab, thrown))["error"]
    assert error == {"name": "TypeError", "message": "no", "details": {"a": 1}}
    assert (await told(tab, "() => { throw null; }"))["error"]["name"] == "undefined"


async def test_another_origin_is_left_alone(tab: Tab) -> None:
    await tab.show("<p>hello")
    answer = await told(tab, "() => { localStorage.a = 1; }", "https://shop.example")
    assert answer["error"]["name"] == "Moved"
    assert await tab.main("() => localStorage.length") == 0
