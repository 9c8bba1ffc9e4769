"""Predicates: what holds, what does not, and what cannot be asked."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from stockade.errors import InvalidArgument
from stockade.flows.predicates import Miss, checked, evaluate

DATA = {
    "actionResult": {
        "ok": True,
        "warnings": ["slow", "late"],
        "element": {"value": "Ada Lovelace", "count": 3},
        "structure": {"appeared": [{"role": "dialog", "name": "Thank you"}]},
    },
    "value": 1,
}
NAME = "actionResult.element.value"


def miss(predicate: dict[str, Any]) -> Miss | None:
    return evaluate(checked(predicate), DATA)


@pytest.mark.parametrize(
    ("holds", "predicate"),
    [
        (True, {"kind": "equals", "key": "actionResult.ok", "value": True}),
        (False, {"kind": "equals", "key": "actionResult.ok", "value": 1}),
        (False, {"kind": "equals", "key": "value", "value": True}),
        (True, {"kind": "equals", "key": "value", "value": 1.0}),
        (True, {"kind": "notEquals", "key": NAME, "value": "Bob"}),
        (True, {"kind": "contains", "key": NAME, "value": "Love"}),
        (True, {"kind": "contains", "key": "actionResult.warnings", "value": "slow"}),
        (False, {"kind": "contains", "key": "actionResult.warnings", "value": "slo"}),
        (True, {"kind": "notContains", "key": NAME, "value": "Bob"}),
        (True, {"kind": "gt", "key": "actionResult.warnings.length", "value": 1}),
        (False, {"kind": "lt", "key": NAME, "value": 5}),
        (False, {"kind": "gte", "key": "actionResult.ok", "value": 0}),
        (True, {"kind": "lte", "key": f"{NAME}.length", "value": 12}),
        (True, {"kind": "between", "key": "actionResult.element.count", "lo": 3, "hi": 4}),
        (True, {"kind": "matches", "key": NAME, "value": r"^Ada\s+L"}),
        (False, {"kind": "matches", "key": "value", "value": "1"}),
        (True, {"kind": "exists", "key": "actionResult.structure.appeared.0.name"}),
        (False, {"kind": "exists", "key": "actionResult.structure.appeared.7.name"}),
        (False, {"kind": "exists", "key": "snapshot.title"}),
    ],
)
def test_leaves(holds: bool, predicate: dict[str, Any]) -> None:
    assert (miss(predicate) is None) is holds


def test_joined_ones_name_what_failed() -> None:
    yes = {"kind": "exists", "key": "value"}
    no = {"kind": "gt", "key": "value", "value": 5}
    assert miss({"kind": "and", "predicates": [yes, yes]}) is None
    found = miss({"kind": "and", "predicates": [yes, no]})
    assert found == Miss("and", "predicates.1: gt 5", 1, "value")
    assert miss({"kind": "or", "predicates": [no, yes]}) is None
    assert miss({"kind": "or", "predicates": [no, no]}) == Miss("or", "any of 2 predicates", [1, 1])
    assert miss({"kind": "not", "predicates": [no]}) is None
    assert miss({"kind": "not", "predicates": [yes]}) is not None


@pytest.mark.parametrize(
    "predicate",
    [
        "value",
        {},
        {"kind": "evaluate", "key": "value"},
        {"kind": "equals", "key": "window.secret", "value": 1},
        {"kind": "equals", "key": "value"},
        {"kind": "between", "key": "value", "lo": 1},
        {"kind": "matches", "key": "value", "value": "("},
        {"kind": "matches", "key": "value", "value": "a" * 2000},
        {"kind": "and", "predicates": []},
        {"kind": "not", "predicates": [{"kind": "exists", "key": "value"}] * 2},
        {"kind": "and", "predicates": [{"kind": "exists", "key": "value"}] * 500},
    ],
)
def test_what_is_not_a_predicate_is_refused(predicate: Any) -> None:
    with pytest.raises(InvalidArgument):
        checked(predicate)


def test_a_predicate_nested_without_end_is_refused() -> None:
    deep: dict[str, Any] = {"kind": "exists", "key": "value"}
    for _ in range(5000):
        deep = {"kind": "not", "predicates": [deep]}
    with pytest.raises(InvalidArgument):
        checked(deep)


async def test_a_pattern_that_never_ends_is_given_up_and_holds_nobody_up() -> None:
    data = {"value": "a" * 50_000 + "b"}
    endless = checked({"kind": "matches", "key": "value", "value": "(a|aa)+$"})
    done = asyncio.get_running_loop().run_in_executor(None, evaluate, endless, data)
    turns = 0
    while not done.done():
        await asyncio.sleep(0)
        turns += 1
    found = await done
    assert found is not None
    assert found.actual == "the pattern takes too long on this text"
    assert turns > 10


def test_many_such_patterns_take_no_longer_than_a_few() -> None:
    data = {"value": "a" * 50_000 + "b"}
    endless = [
        {"kind": "matches", "key": "value", "value": f"(a|aa)+{number}$"} for number in range(100)
    ]
    began = time.monotonic()
    assert evaluate(checked({"kind": "or", "predicates": endless}), data) is not None
    assert time.monotonic() - began < 10
