from __future__ import annotations

from typing import Any

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab


async def parse(tab: Tab, query: str, expression: str) -> Any:
    await tab.show("<p>words</p>")
    body = f"const query = stockade.modules.Query.parse(args[0]); return {expression};"
    return await evaluate(tab, body, query)


async def test_words_kinds_and_places_are_told_apart(tab: Tab) -> None:
    parsed = await parse(
        tab,
        "click the Delete button in row Alice",
        "query.tokens.map((each) => [each.word, each.weight, Boolean(each.roles), each.tail])",
    )
    assert parsed == [
        ["click", 0.3, False, False],
        ["the", 0.06, False, False],
        ["delete", 1, False, False],
        ["button", 0.45, True, False],
        ["in", 0.06, False, False],
        ["row", 0.45, True, True],
        ["alice", 1, False, True],
    ]


async def test_a_lone_word_is_meant_in_full(tab: Tab) -> None:
    for word in ("button", "to", "press"):
        assert await parse(tab, word, "query.tokens.map((each) => each.weight)") == [1]


async def test_quoted_words_and_core(tab: Tab) -> None:
    parsed = await parse(tab, 'the "Add to Cart" button', "[query.quoted, query.core, query.text]")
    assert parsed == [["add to cart"], "add cart", "the add to cart button"]
