"""The masking choke point: every text that leaves the server passes here."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["Masker"]

_SHORTEST = 6
"""A shorter secret would be found in everything."""


class Masker:
    """Replaces known secrets by their names, in any value made of texts."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._pattern: re.Pattern[str] | None = None

    def add(self, name: str, secret: str) -> None:
        """From now on `secret` reads `<NAME>`."""
        if len(secret) >= _SHORTEST:
            self._names[secret] = f"<{name}>"
            longest_first = sorted(self._names, key=len, reverse=True)
            self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def text(self, text: str) -> str:
        """`text` without secrets."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._names[found[0]], text)

    def value(self, value: Any) -> Any:
        """A copy of a JSON value without secrets, keys included."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.value(key): self.value(each) for key, each in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(each) for each in value]
        return value
