"""What is remembered of what was meant."""

from __future__ import annotations

from typing import Any

from stockade.flows.feedback import Feedback, find, print_of
from stockade.page.find import Candidate, FindOptions
from tests.support.tabs import CALLER, Tab

SHOP = "https://shop.example"


def candidate(name: str, score: float, **more: Any) -> Candidate:
    return Candidate(
        ref="e1",
        role="button",
        name=name,
        stability="high",
        selector_hint=name,
        selector_tier=2,
        bbox=None,
        clipped=False,
        actionable=True,
        score=score,
        why=["name"],
        **more,
    )


def test_the_more_alike_the_more_it_counts() -> None:
    memory = Feedback()
    memory.record("save the order", print_of(candidate("Keep 3 items", 0.1), SHOP))
    found = [candidate("Save", 0.8), candidate("Keep 7 items", 0.1)]
    same = memory.ranked("save order", SHOP, found)
    assert [each.name for each in same] == ["Keep 7 items", "Save"]
    assert same[0].why == ["chosen before", "name"]
    like = memory.ranked("save order now", SHOP, found)
    assert same[0].score > like[0].score > 0.1
    assert memory.ranked("log out", SHOP, found) == found
    assert not memory.knows("save order", "https://other.example")


def test_a_hundred_are_kept() -> None:
    memory = Feedback()
    for number in range(150):
        memory.record(f"word{number}", print_of(candidate("x", 0.1), SHOP))
    assert len(memory) == 100
    assert not memory.knows("word1", SHOP)
    assert memory.knows("word149", SHOP)


async def test_a_search_without_memory_is_as_it_was(tab: Tab) -> None:
    await tab.show("<button>Save</button>")
    options = FindOptions()
    plain = await find(None, tab.agent, "save", caller=CALLER, options=options, timeout=5)
    assert plain.candidates[0].name == "Save"
