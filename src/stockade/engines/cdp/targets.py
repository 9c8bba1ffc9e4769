"""What Chromium says of its targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from stockade.engines.cdp.connection import Command, Session

__all__ = ["AUTO_ATTACH", "Feature", "TargetAttached", "TargetDetached", "TargetInfo"]

_KINDS = ("page", "iframe", "worker", "shared_worker", "service_worker")

AUTO_ATTACH: dict[str, Any] = {
    "autoAttach": True,
    "waitForDebuggerOnStart": True,
    "flatten": True,
    "filter": [*({"type": kind} for kind in _KINDS), {"exclude": True}],
}
"""Attach to every target of these kinds, and hold it until it is set up."""


class TargetInfo(msgspec.Struct):
    """One target."""

    targetId: str
    type: str
    url: str = ""
    title: str = ""
    openerId: str = ""
    browserContextId: str = ""
    parentFrameId: str = ""


class TargetAttached(msgspec.Struct):
    """A session with a target has begun."""

    sessionId: str
    targetInfo: TargetInfo
    waitingForDebugger: bool = False


class TargetDetached(msgspec.Struct):
    """A session with a target has ended."""

    sessionId: str


class Feature(Protocol):
    """A part of a page that takes part in every session of it: its own and its frames'."""

    def watch(self, session: Session) -> None:
        """Hear what the session tells of."""

    def setup(self, session: Session) -> Sequence[Command]:
        """What to send before the target's first byte runs."""
