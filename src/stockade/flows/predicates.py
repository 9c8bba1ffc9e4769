"""Predicates over data: a fixed vocabulary in place of code.

A leaf is `{kind, key, value}` (`between` takes `lo` and `hi`, `exists` nothing), and `and`, `or`
and `not` hold `predicates`. A key is a dotted path that begins with one of the roots; `length` at
its end counts a list or a text.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from stockade.errors import InvalidArgument
from stockade.masking.background import check_stopped, lower_priority

if TYPE_CHECKING:
    import regex

__all__ = ["KINDS", "PATTERNS", "ROOTS", "Miss", "checked", "evaluate"]

ROOTS: Final = ("actionResult", "element", "expect", "snapshot", "value")
_JOINED: Final = ("and", "or", "not")
_COMPARED: Final = ("equals", "notEquals", "contains", "notContains", "gt", "lt", "gte", "lte")
KINDS: Final = (*_COMPARED, "matches", "exists", "between", *_JOINED)

_MOST_PARTS = 200
_DEEPEST = 20
_LONGEST_KEY = 500
_LONGEST_PATTERN = 1000
_PATTERN_SECONDS = 0.25
"""For one pattern on one text: a pattern that backtracks for ever is a mistake, and told as one."""
_ALL_PATTERNS_SECONDS = 1.0
"""The same for all patterns of one predicate."""
_LONGEST_SHOWN = 200


PATTERNS: Final = ThreadPoolExecutor(4, "patterns", lower_priority)
"""Where predicates are evaluated: patterns are matched without the interpreter."""


@dataclass(frozen=True)
class Miss:
    """What did not hold, and what was there instead."""

    kind: str
    expected: str
    actual: Any
    key: str | None = None


def checked(predicate: Any) -> Mapping[str, Any]:
    """The predicate, if it is well formed; else what is wrong with which part of it."""
    pending: list[tuple[str, Any, int]] = [("predicate", predicate, 0)]
    looked = 0
    while pending:
        where, part, depth = pending.pop()
        looked += 1
        if looked > _MOST_PARTS or depth > _DEEPEST:
            raise InvalidArgument("the predicate is too large")
        if not isinstance(part, Mapping) or part.get("kind") not in KINDS:
            raise InvalidArgument(f"{where} needs a kind", hint=f"One of {', '.join(KINDS)}.")
        if part["kind"] in _JOINED:
            inner = part.get("predicates")
            alone = part["kind"] == "not"
            if not isinstance(inner, list | tuple) or not inner or (alone and len(inner) != 1):
                raise InvalidArgument(
                    f"{where}.predicates: {'exactly one' if alone else 'a list of predicates'}"
                )
            pending += [
                (f"{where}.predicates.{at}", each, depth + 1) for at, each in enumerate(inner)
            ]
        else:
            _check_leaf(where, part)
    whole: Mapping[str, Any] = predicate
    return whole


def _check_leaf(where: str, leaf: Mapping[str, Any]) -> None:
    key = leaf.get("key")
    if not isinstance(key, str) or key.partition(".")[0] not in ROOTS or len(key) > _LONGEST_KEY:
        raise InvalidArgument(
            f"{where}.key: a dotted path", hint=f"It begins with one of {', '.join(ROOTS)}."
        )
    kind = leaf["kind"]
    if kind == "between" and not (_is_number(leaf.get("lo")) and _is_number(leaf.get("hi"))):
        raise InvalidArgument(f"{where}: between needs the numbers lo and hi")
    if kind == "matches":
        _pattern(where, leaf.get("value"))
    elif kind in _COMPARED and "value" not in leaf:
        raise InvalidArgument(f"{where}: {kind} needs a value")


def _pattern(where: str, text: Any) -> regex.Pattern[str]:
    if not isinstance(text, str) or len(text) > _LONGEST_PATTERN:
        raise InvalidArgument(f"{where}.value: a regular expression")
    try:
        return _compiled(text)
    except ValueError:
        raise InvalidArgument(f"{where}.value: not a regular expression") from None


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> regex.Pattern[str]:
    # Few callers need it, and it takes its time to load. Unlike `re` it can be told to give up.
    import regex  # noqa: PLC0415

    try:
        return regex.compile(pattern)
    except (regex.error, OverflowError, RecursionError):
        raise ValueError(pattern) from None


def evaluate(predicate: Mapping[str, Any], data: Any) -> Miss | None:
    """Nothing if a well-formed predicate holds, else the first part of it that does not.

    Patterns may take their time, if not for long: this is not for the event loop.
    """
    return _Evaluation(data).of(predicate)


class _Evaluation:
    """One predicate on its data, and how much time is left for patterns."""

    def __init__(self, data: Any) -> None:
        self._data = data
        self._left = _ALL_PATTERNS_SECONDS

    def of(self, predicate: Mapping[str, Any]) -> Miss | None:
        kind = predicate["kind"]
        if kind not in _JOINED:
            return self._leaf(predicate)
        misses = [self.of(each) for each in predicate["predicates"]]
        if kind == "not":
            held = misses[0] is None
            return Miss("not", "the predicate does not hold", "it holds") if held else None
        if kind == "or":
            if None in misses:
                return None
            seen = [miss.actual for miss in misses if miss is not None]
            return Miss("or", f"any of {len(misses)} predicates", seen)
        for at, miss in enumerate(misses):
            if miss is not None:
                return Miss("and", f"predicates.{at}: {miss.expected}", miss.actual, miss.key)
        return None

    def _leaf(self, leaf: Mapping[str, Any]) -> Miss | None:
        kind, key = leaf["kind"], leaf["key"]
        actual = _found(self._data, key)
        if kind == "exists":
            expected, holds = "exists", actual is not None
        elif kind == "between":
            low, high = leaf["lo"], leaf["hi"]
            expected = f"between {low} and {high}"
            holds = _is_number(actual) and low <= actual <= high
        elif kind == "matches":
            expected = f"matches /{leaf['value']}/"
            try:
                holds = isinstance(actual, str) and self._matches(leaf["value"], actual)
            except TimeoutError:
                expected = expected[:_LONGEST_SHOWN]
                return Miss(kind, expected, "the pattern takes too long on this text", key)
        else:
            expected = f"{kind} {json.dumps(leaf['value'], ensure_ascii=False)}"
            holds = _COMPARISONS[kind](actual, leaf["value"])
        return None if holds else Miss(kind, expected[:_LONGEST_SHOWN], _short(actual), key)

    def _matches(self, pattern: str, text: str) -> bool:
        check_stopped()
        seconds = min(_PATTERN_SECONDS, self._left)
        if seconds <= 0:
            raise TimeoutError
        began = time.monotonic()
        try:
            return _compiled(pattern).search(text, timeout=seconds) is not None
        finally:
            self._left -= time.monotonic() - began


def _found(data: Any, key: str) -> Any:
    """What a path leads to; nothing where it leads nowhere."""
    found = data
    for step in key.split("."):
        if isinstance(found, Mapping):
            found = found.get(step)
        elif step == "length" and isinstance(found, list | tuple | str):
            found = len(found)
        elif isinstance(found, list | tuple) and step.isdecimal():
            found = found[int(step)] if int(step) < len(found) else None
        else:
            return None
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    """As JSON has it: true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other)


def _contains(whole: Any, part: Any) -> bool:
    if isinstance(whole, str):
        return (isinstance(part, str) or _is_number(part)) and str(part) in whole
    return isinstance(whole, list | tuple) and any(_same(each, part) for each in whole)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda one, other: _is_number(one) and _is_number(other) and compare(one, other)


_COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "equals": _same,
    "notEquals": lambda one, other: not _same(one, other),
    "contains": _contains,
    "notContains": lambda one, other: not _contains(one, other),
    "gt": _ordered(lambda one, other: bool(one > other)),
    "lt": _ordered(lambda one, other: bool(one < other)),
    "gte": _ordered(lambda one, other: bool(one >= other)),
    "lte": _ordered(lambda one, other: bool(one <= other)),
}


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _LONGEST_SHOWN:
        return value[:_LONGEST_SHOWN] + "…"
    if isinstance(value, dict | list) and len(json.dumps(value)) > _LONGEST_SHOWN:
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    return value
