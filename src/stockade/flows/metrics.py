"""What a session's calls cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

__all__ = ["CallCounts"]

_DENIED = "capability_disabled"
_FINE = "ok"


@dataclass
class CallCounts:
    """Calls, time, failures and tokens by tool; a part of the session."""

    calls: Counter[str] = field(default_factory=Counter)
    milliseconds: dict[str, float] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    denials: int = 0
    tokens: int = 0

    def add(self, tool: str, milliseconds: float, outcome: str, tokens: int) -> None:
        """A call has ended."""
        self.calls[tool] += 1
        self.milliseconds[tool] = self.milliseconds.get(tool, 0.0) + milliseconds
        self.tokens += tokens
        if outcome == _DENIED:
            self.denials += 1
        if outcome != _FINE:
            self.errors[tool] += 1
