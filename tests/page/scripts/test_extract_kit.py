"""Names compared and values read."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.page.scripts import script
from tests.support.tabs import Tab


async def kit(tab: Tab, expression: str) -> Any:
    await tab.ref("body")
    return await tab.page.main_frame.call(
        f"() => {{ const kit = ({script('extract_kit')})({{caller: 'test', prefix: ''}});"
        f" const at = (id) => document.getElementById(id); return {expression}; }}"
    )


@pytest.mark.parametrize(
    ("label", "name", "grade"),
    [
        ("Price:", "price", 2),
        ("Unit price (€)", "unit price", 2),
        ("unitPrice", "unit price", 2),
        ("Unit-Price", "unitprice", 2),
        ("Price per box", "price", 1),
        ("The price of all of this", "price", 0),
        ("Größe", "grosse", 2),
        ("Preis", "price", 0),
    ],
)
async def test_names(tab: Tab, label: str, name: str, grade: int) -> None:
    await tab.show("")
    assert await kit(tab, f"kit.match({label!r}, [{name!r}])") == grade


async def test_only_safe_properties_are_read(tab: Tab) -> None:
    await tab.show("<form id=f><input name=id><input name=title></form><a id=a href=/x>A</a>")
    read = "kit.read(at('%s'), {type: 'string'}, {prop: '%s'})"
    assert await kit(tab, read % ("a", "innerHTML")) is None
    assert await kit(tab, read % ("a", "href")) == tab.site.url("/x")
    assert await kit(tab, "kit.read(document.querySelector('form'), {}, {prop: 'title'})") is None
