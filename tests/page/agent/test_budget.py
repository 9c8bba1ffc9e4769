"""Budgets are hard."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stockade.page.snapshot import SnapshotOptions
from tests.page.looks import Looks, tokens
from tests.page.pages import PAGES


def rows(count: int, text: str = "row") -> str:
    return "".join(f"<li>{text} {n} <button>Open</button>" for n in range(count))


async def test_what_fits_is_whole(looks: Looks) -> None:
    seen = await looks.see(f"<ul>{rows(60)}</ul>", budget=3000)
    assert not seen.truncated
    assert seen.text.count("button") == 60


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    html=PAGES,
    budget=st.integers(1, 400),
    mode=st.sampled_from(["full", "interactive"]),
    hidden=st.booleans(),
)
async def test_no_budget_is_ever_exceeded(
    looks: Looks, html: str, budget: int, mode: str, *, hidden: bool
) -> None:
    await looks.tab.main("html => { document.body.innerHTML = html }", html)
    options = SnapshotOptions(mode=mode, budget=budget, hidden=hidden)  # type: ignore[arg-type]
    seen = await looks.snapshots.take("property", options)
    assert tokens(seen.text) <= budget
    if seen.continuation:
        options = SnapshotOptions(continuation=seen.continuation, budget=budget)
        more = await looks.snapshots.take("property", options)
        assert tokens(more.text) <= budget
    change = await looks.snapshots.delta("property", budget=budget)
    assert tokens(change.text) <= budget
