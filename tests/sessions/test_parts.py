"""What families of tools keep."""

from __future__ import annotations

from stockade.sessions.parts import Parts


def test_made_once_and_kept_by_its_kind() -> None:
    parts = Parts()
    assert parts.get(list) is None
    made: list[int] = parts.of(list, list)
    made.append(1)
    assert parts.of(list, list) is made
    assert parts.get(list) == [1]
    assert parts.of(dict, dict) == {}


def test_dropped() -> None:
    parts = Parts()
    made: list[int] = parts.of(list, list)
    assert parts.drop(list) is made
    assert parts.drop(list) is None
    assert parts.of(list, list) is not made
