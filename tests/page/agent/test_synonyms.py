from __future__ import annotations

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab


async def test_every_idea_joins_at_least_two_ways_to_say_it(tab: Tab) -> None:
    await tab.show("<p>words</p>")
    ideas = await evaluate(tab, "return stockade.modules.Synonyms.ideas();")
    assert len(ideas) > 80
    for idea in ideas:
        ways = [*idea["words"], *idea["symbols"]]
        assert len(ways) >= 2, idea
        assert len(set(ways)) == len(ways), f"said twice: {idea}"
        assert all(way == way.strip() and way for way in ways), idea


async def test_languages_meet_in_an_idea(tab: Tab) -> None:
    await tab.show("<p>words</p>")
    pairs = [
        ("delete", "L\u00f6schen"),
        ("log in", "\u0412\u043e\u0439\u0442\u0438"),
        ("cart", "Panier"),
        ("settings", "\u8bbe\u7f6e"),
        ("search", "\U0001f50d"),
    ]
    found = await evaluate(
        tab,
        "const { Words } = stockade.modules;"
        "return args[0].map(([a, b]) => Words.match(Words.tokens(a)[0], Words.prepare(b)));",
        pairs,
    )
    assert all(share >= 0.75 for share in found), found
