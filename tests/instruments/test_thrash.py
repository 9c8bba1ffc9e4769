"""Layouts that scripts force."""

from __future__ import annotations

from typing import Any

from stockade.instruments.thrash import thrash


def layout(stack: list[dict[str, Any]] | None, ms: float = 1.0) -> dict[str, Any]:
    data: dict[str, Any] = {} if stack is None else {"stackTrace": stack}
    return {"name": "Layout", "ph": "X", "dur": ms * 1000, "args": {"beginData": data}}


def place(name: str, url: str = "https://a.example/app.js") -> dict[str, Any]:
    return {"functionName": name, "url": url, "lineNumber": 3, "columnNumber": 7}


def test_only_layouts_within_a_script_are_forced() -> None:
    found = thrash([layout(None), layout([]), layout([place("read")], 2), layout([place("read")])])
    assert found.forced == 2
    assert found.by_origin() == [
        {
            "originatingStack": "read@https://a.example/app.js:3:7",
            "count": 2,
            "totalDurationMs": 3.0,
        }
    ]


def test_our_own_scripts_do_not_count() -> None:
    assert thrash([layout([place("walk", "")])]).forced == 0


def test_shifts_and_oddities() -> None:
    odd: list[dict[str, Any]] = [
        {"name": "LayoutShift"},
        {"name": "Layout", "args": None},
        {"name": "Layout"},
    ]
    found = thrash(odd)
    assert (found.forced, found.shifts) == (0, 1)


def test_the_most_frequent_comes_first() -> None:
    events = [layout([place("rare")], 50), *[layout([place("often")])] * 3, layout([place("")])]
    told = [each["originatingStack"].partition("@")[0] for each in thrash(events).by_origin()]
    assert told == ["often", "rare", "<anonymous>"]
