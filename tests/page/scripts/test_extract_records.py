"""Rows, cards and what is in one of them."""

from __future__ import annotations

from typing import Any

from stockade.page.agent import PageAgent
from stockade.page.extract import extract


def rows(*names: str, required: tuple[str, ...] = ()) -> dict[str, Any]:
    properties = {name: {"type": "string"} for name in names}
    return {
        "type": "array",
        "items": {"type": "object", "properties": properties, "required": list(required)},
    }


async def data(agent: PageAgent, html: str, schema: dict[str, Any]) -> Any:
    await agent.page.set_content(html)
    return (await extract(agent, schema, caller="test")).data


async def test_spans_fill_every_row_they_cover(agent: PageAgent) -> None:
    html = (
        "<table><tr><th>Country<th>City<tr><td rowspan=2>Italy<td>Rome<tr><td>Milan"
        "<tr><td colspan=2>a note</table>"
    )
    assert await data(agent, html, rows("country", "city")) == [
        {"country": "Italy", "city": "Rome"},
        {"country": "Italy", "city": "Milan"},
    ]


async def test_the_table_that_has_the_needed_columns(agent: PageAgent) -> None:
    html = (
        "<table><tr><th>Name<th>Age<tr><td>Ada<td>36</table>"
        "<table><tr><th>Name<th>Price<tr><td>Tea<td>4</table>"
    )
    found = await data(agent, html, rows("name", "price", required=("price",)))
    assert found == [{"name": "Tea", "price": "4"}]


async def test_cards_with_labels(agent: PageAgent) -> None:
    card = "<div class=c><dl><dt>Name<dd>{0}<dt>Size<dd>{1}</dl></div>"
    html = "<section>" + card.format("a", 1) + card.format("b", 2) + "</section>"
    assert await data(agent, html, rows("name", "size")) == [
        {"name": "a", "size": "1"},
        {"name": "b", "size": "2"},
    ]


async def test_nothing_is_made_up(agent: PageAgent) -> None:
    html = "<nav><ul><li><a href=/a>One</a><li><a href=/b>Two</a></ul></nav><p>Words"
    assert await data(agent, html, rows("price", "weight", required=("price",))) is None
