"""A plan followed in one document."""

from __future__ import annotations

from typing import Any

import msgspec

from stockade.page.schema import plan_of
from tests.support.tabs import CALLER, Tab

SCRIPT = (
    "extract.js extract_kit.js extract_declared.js extract_pairs.js data_tables.js "
    "extract_records.js"
)


async def found(tab: Tab, html: str, schema: dict[str, Any]) -> Any:
    await tab.show(html)
    plan = msgspec.to_builtins(plan_of(schema))
    said = await tab.agent.call(tab.page.main_frame, SCRIPT, caller=CALLER, plan=plan, ms=2000)
    return said["result"]


async def test_fields_are_looked_for_inside_their_item(tab: Tab) -> None:
    html = "<b>outside</b><ul><li><b>one</b><li>none<li><b>three</b></ul>"
    item = {"type": "object", "properties": {"b": {"type": "string", "x-source": "b"}}}
    schema = {"type": "array", "items": item, "x-source": {"collection": "li"}}
    result = await found(tab, html, schema)
    raws = [each["fields"]["b"].get("raw") for each in result["items"]]
    assert raws == ["one", None, "three"]
    assert result["items"][1]["fields"]["b"]["missing"] == "not_found"


async def test_an_item_can_be_its_own_value(tab: Tab) -> None:
    schema = {
        "type": "array",
        "items": {"type": "string"},
        "x-source": {"collection": "li", "attr": "id"},
    }
    result = await found(tab, "<ul><li id=a>x<li id=b>y</ul>", schema)
    assert [each["raw"] for each in result["items"]] == ["a", "b"]
