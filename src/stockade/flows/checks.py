"""Checks: what was expected of an element, held against what it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from stockade.page.checks import Reading

__all__ = ["Check", "Unmet", "attribute", "text", "value", "visible"]

_LONGEST = 200


@dataclass(frozen=True)
class Unmet:
    """What did not hold, and what was there instead."""

    kind: str
    expected: str
    actual: Any
    evidence: dict[str, Any] = field(default_factory=dict)
    source: str = "app"


@dataclass(frozen=True)
class Check:
    """Something that is expected of an element."""

    kind: str
    expected: str
    judge: Callable[[Reading], Unmet | None]


def _quoted(text: str) -> str:
    return json.dumps(_short(text), ensure_ascii=False)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def visible() -> Check:
    """It is displayed, has a size and is not transparent."""
    expected = "visible"

    def judge(reading: Reading) -> Unmet | None:
        return None if reading.visible else Unmet("visible", expected, f"hidden ({reading.why})")

    return Check("visible", expected, judge)


def text(wanted: str, *, exact: bool = False) -> Check:
    """It says `wanted`: somewhere and in any case, or exactly and alone."""
    plain = " ".join(wanted.split())
    expected = f"text {'is' if exact else 'includes'} {_quoted(plain)}"

    def holds(said: str) -> bool:
        return said == plain if exact else plain.casefold() in said.casefold()

    def judge(reading: Reading) -> Unmet | None:
        if any(holds(said) for said in reading.texts):
            return None
        longest = max(reading.texts, key=len, default="")
        return Unmet("text", expected, _short(longest), {"exact": exact, "length": len(longest)})

    return Check("text", expected, judge)


def value(wanted: str) -> Check:
    """It holds `wanted`; an option counts by its value and by its label."""
    expected = f"value is {_quoted(wanted)}"

    def judge(reading: Reading) -> Unmet | None:
        if reading.secret:
            return Unmet("value", expected, "a secret field, which is never read")
        if not reading.values:
            return Unmet("value", expected, "it holds no value")
        if wanted in reading.values:
            return None
        return Unmet("value", expected, _short(reading.values[0]))

    return Check("value", expected, judge)


def attribute(name: str, wanted: str | None = None) -> Check:
    """It has the attribute, with that value if one is wanted."""
    expected = f"attribute {name} is {'present' if wanted is None else _quoted(wanted)}"

    def judge(reading: Reading) -> Unmet | None:
        found = reading.attribute
        if found is not None and wanted in (None, found):
            return None
        actual = None if found is None else _short(found)
        return Unmet("attribute", expected, actual, {"attr": name})

    return Check("attribute", expected, judge)
