"""Scripts of a caller's own in a page."""

from __future__ import annotations

import pytest

from stockade.errors import DeadlineExceeded, ScriptFailed
from stockade.page.evaluation import Evaluated, evaluate
from tests.support.tabs import CALLER, Tab


async def test_a_policy_against_eval_is_no_obstacle(either_tab: Tab) -> None:
    await either_tab.show(
        """<meta http-equiv="Content-Security-Policy" content="script-src 'none'"><p>x</p>"""
    )
    found = await evaluate(either_tab.agent, "[1, document.body.innerText]", caller=CALLER)
    assert found == Evaluated([1, "x"])


async def test_more_than_can_be_brought_out_is_cut_and_says_so(tab: Tab) -> None:
    await tab.show("<p>x</p>")
    found = await evaluate(tab.agent, "Array(300000).fill(1)", caller=CALLER)
    assert found.cut
    assert found.value[-1] == "[more]"
    found = await evaluate(tab.agent, "'x'.repeat(9_000_000)", caller=CALLER)
    assert found.cut


async def test_a_throwing_getter_is_told_of(tab: Tab) -> None:
    await tab.show("<p>x</p>")
    found = await evaluate(tab.agent, "({ a: 1, get b() { throw TypeError() } })", caller=CALLER)
    assert found.value == {"a": 1, "b": "[TypeError]"}


async def test_a_runaway_after_an_await_is_ended_too(either_tab: Tab) -> None:
    await either_tab.show("<p>x</p>")
    with pytest.raises(DeadlineExceeded, match="was ended"):
        await evaluate(either_tab.agent, "await 1; while (true) {}", caller=CALLER, timeout=0.3)
    assert (await evaluate(either_tab.agent, "2", caller=CALLER)).value == 2


async def test_lines_are_counted_from_one(tab: Tab) -> None:
    await tab.show("<p>x</p>")
    with pytest.raises(ScriptFailed) as caught:
        await evaluate(tab.agent, "null.x", caller=CALLER)
    assert caught.value.details["line"] == 1
