"""Requests that are answered here and never go out: what an engine asks, and what it is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

__all__ = ["Answer", "Asker", "HeldRequest", "Route"]

Asker = Literal["page", "shared_worker", "service_worker"]
"""Who makes a request; a dedicated worker's are its page's."""


@dataclass(frozen=True)
class HeldRequest:
    """A request on its way out."""

    url: str
    """Without a fragment."""
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """Unknown when it is large or a file."""
    asker: Asker = "page"


@dataclass(frozen=True)
class Answer:
    """What the one who asked gets in place of what the network would have said."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    delay: float = 0.0
    """Seconds until it is given."""


class Route(Protocol):
    """Somebody who answers requests."""

    @property
    def patterns(self) -> Sequence[str]:
        """Which addresses it may answer for; `*` stands for any run of characters."""

    def matches(self, request: HeldRequest) -> bool:
        """Whether it would answer, without doing so."""

    def answer(self, request: HeldRequest) -> Answer | None:
        """Its answer, or nothing to leave the request to others."""
