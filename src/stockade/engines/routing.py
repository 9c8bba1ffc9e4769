"""Requests on their way out: who answers one in place of the network, and who lets it go."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from stockade.engines.port import Page

__all__ = ["Answer", "Asker", "Gate", "HeldRequest", "Route"]

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
    """Unknown when it is large: `pieces` has it then."""
    pieces: tuple[str, ...] = ()
    """The body in base64, piece by piece."""
    asker: Asker = "page"
    type: str = ""
    """What it is for, in Chromium's words: `Document` is a page or a frame."""
    frame: str = ""
    """The frame that asked, or that is to show the answer."""
    page: Page | None = None
    """The tab that it belongs to; workers that are shared belong to none."""
    redirected: bool = False
    """Whether a server sent it on."""
    reason: str = ""
    """Why a page asked for a `Document`, in Chromium's words: `formSubmissionGet`, `anchorClick`.

    Empty where no page did, or where it is the first one of a new tab.
    """
    fragment: str = ""
    """With its `#`: no server gets it, but scripts of the page that answers do."""


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


class Gate(Protocol):
    """Somebody who says whether a request may go out."""

    past_workers: bool
    """Whether service workers are passed by: what they hold, no page can be asked about."""

    def admit(self, request: HeldRequest) -> bool | HeldRequest | asyncio.Future[bool]:
        """Whether it may, or what is sent in its place; a future while that is not known.

        One that may not fails in the page. While a page is on its way to another document, nothing
        can be asked of it: a `Document` is better refused, and sent later.
        """
