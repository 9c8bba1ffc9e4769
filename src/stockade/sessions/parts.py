"""What families of tools keep with a session or a tab, each under its own type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["Parts"]

T = TypeVar("T")


class Parts:
    """One object of each kind, made when it is first wanted."""

    def __init__(self) -> None:
        self._made: dict[type[Any], Any] = {}

    def of(self, kind: type[T], make: Callable[[], T]) -> T:
        """The part of that kind."""
        if kind not in self._made:
            self._made[kind] = make()
        part: T = self._made[kind]
        return part

    def get(self, kind: type[T]) -> T | None:
        """The part of that kind, if there is one."""
        part: T | None = self._made.get(kind)
        return part

    def drop(self, kind: type[T]) -> T | None:
        """Take the part of that kind away."""
        part: T | None = self._made.pop(kind, None)
        return part
