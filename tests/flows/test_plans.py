"""Plans as they are kept."""

from __future__ import annotations

import pytest

from stockade.errors import InvalidArgument
from stockade.flows.plans import Plan, Plans, check_arguments


def make(plans: Plans, caller: str = "me", ttl: int = 1000) -> Plan:
    return plans.make(
        tab="t1", caller=caller, ref="e1", verb="click", args={}, evidence={}, ttl_ms=ttl
    )


def test_a_plan_is_its_callers_own() -> None:
    plans = Plans()
    plan = make(plans)
    assert plans.find(plan.id, "me") is plan
    assert plans.find(plan.id, "you") is None
    assert plans.find(None, "me") is None
    assert not plan.expired
    assert make(plans, ttl=0).expired
    plans.drop(plan)
    assert plans.find(plan.id, "me") is None


def test_the_oldest_makes_room() -> None:
    plans = Plans()
    first = make(plans)
    for _ in range(200):
        make(plans)
    assert plans.find(first.id, "me") is None


def test_what_verbs_take() -> None:
    check_arguments("click", {"button": "right"})
    for verb, given in (("fill", {}), ("hover", {"value": "x"}), ("press", {"value": "x"})):
        with pytest.raises(InvalidArgument):
            check_arguments(verb, given)  # type: ignore[arg-type]
