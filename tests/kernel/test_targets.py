"""Targets, and tabs that are watched without being held."""

from __future__ import annotations

from tests.support.callers import Caller


async def test_one_way_to_name_a_target(caller: Caller) -> None:
    await caller.show("<button>Go</button>")
    refusal = await caller.refused("click", ref="e1", selector="button")
    assert refusal["code"] == "invalid_argument"


async def test_a_watched_tab_can_be_worked_in(caller: Caller) -> None:
    await caller.show("<button onclick=\"window.scrollTo(0, 500)\">Go</button><p style='height:5000px'>")
    done = await caller.ok(
        "act_and_sample",
        action={"tool": "click", "args": {"selector": "button"}},
        metric="scrollTop",
        durationMs=300,
    )
    assert done["sample"]["summary"]["last"] == 500
