"""Who is at the other end, and what it is shown."""

from __future__ import annotations

from dataclasses import dataclass

from stockade.policy.principal import Principal

__all__ = ["Caller"]


@dataclass(frozen=True)
class Caller:
    """A client of this surface."""

    principal: Principal
    toolsets: frozenset[str]
    web: bool = False
    """Whether messages go as events of HTTP, which clients limit."""
