"""Layouts that scripts force, and who forces them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["CATEGORIES", "Thrash", "thrash"]

CATEGORIES = (
    "devtools.timeline",
    "loading",
    "blink.user_timing",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.stack",
    "disabled-by-default-devtools.timeline.invalidationTracking",
)
_FORCED = frozenset({"Layout", "UpdateLayoutTree"})
_MOST_ORIGINS = 50
_UNKNOWN = "<anonymous>"


@dataclass
class Thrash:
    """How often, and by whom."""

    forced: int = 0
    shifts: int = 0
    origins: dict[str, list[float]] = field(default_factory=dict)

    def by_origin(self) -> list[dict[str, Any]]:
        """Who forced layouts, most often first."""
        ranked = sorted(self.origins.items(), key=lambda each: (-len(each[1]), -sum(each[1])))
        return [
            {
                "originatingStack": origin,
                "count": len(times),
                "totalDurationMs": round(sum(times), 2),
            }
            for origin, times in ranked[:_MOST_ORIGINS]
        ]


def thrash(events: Iterable[dict[str, Any]]) -> Thrash:
    """Styles and layouts that were computed in the middle of a script count as forced."""
    found = Thrash()
    for event in events:
        if event["name"] == "LayoutShift":
            found.shifts += 1
        elif event["name"] in _FORCED and (stack := _stack(event)):
            found.forced += 1
            spent = event.get("dur")
            ms = spent / 1000 if isinstance(spent, int | float) else 0.0
            found.origins.setdefault(_origin(stack), []).append(ms)
    return found


def _stack(event: dict[str, Any]) -> list[dict[str, Any]]:
    """The script under way, if there was one."""
    args = event.get("args")
    for part in ("beginData", "data"):
        data = args.get(part) if isinstance(args, dict) else None
        stack = data.get("stackTrace") if isinstance(data, dict) else None
        if isinstance(stack, list):
            # What has no address is no script of the page, but one of ours.
            return [each for each in stack if isinstance(each, dict) and each.get("url")]
    return []


def _origin(stack: list[dict[str, Any]]) -> str:
    top = stack[0]
    name = top.get("functionName") or _UNKNOWN
    return f"{name}@{top.get('url', '')}:{top.get('lineNumber', 0)}:{top.get('columnNumber', 0)}"
