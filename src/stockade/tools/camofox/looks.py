"""Looks: what callers of the tab API last saw of a tab."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeVar

from stockade.errors import DeadlineExceeded, EngineError, NavigationRace
from stockade.kernel.call import Call
from stockade.page.checks import count
from stockade.page.snapshot import Snapshot, SnapshotOptions
from stockade.page.waiting import wait_until

__all__ = ["Looks", "refs_available", "steadily", "whole_page"]

T = TypeVar("T")

_ACTIVE = (
    "a[href],button,input,select,textarea,summary,[role],[tabindex],[onclick],[contenteditable]"
)
_PATIENCE = 2.0


@dataclass(frozen=True)
class _Look:
    """One look at a whole page."""

    document: str
    digest: bytes
    """Of the text as it was told."""


@dataclass
class Looks:
    """The last look of each caller; a part of the tab."""

    of: dict[str, _Look] = field(default_factory=dict)

    def current(self, call: Call) -> bool:
        """Whether the caller of `call` has seen the present document."""
        look = self.of.get(call.caller)
        return look is not None and look.document == call.tab.page.main_frame.document


async def whole_page(call: Call) -> tuple[Snapshot, str, bool]:
    """All of the page as text, masked; and whether it is another than this caller saw last.

    It is masked here as a whole, so that no secret is told in two halves.
    """
    tab = call.tab
    options = SnapshotOptions(whole=True)
    shown = await steadily(
        call, lambda: tab.snapshots.take(call.caller, options, timeout=call.left)
    )
    text = await call.masked(shown.text)
    looks = tab.parts.of(Looks, Looks).of
    digest = sha256(text.encode("utf-8", "replace")).digest()
    look = _Look(tab.page.main_frame.document, digest)
    before = looks.get(call.caller)
    looks[call.caller] = look
    return shown, text, before is not None and before.digest != look.digest


async def steadily(call: Call, look: Callable[[], Awaitable[T]]) -> T:
    """Look at the page; where it goes away meanwhile, at the one that comes."""
    try:
        return await look()
    except NavigationRace:
        return await wait_until(call.tab.agent, look, timeout=call.left)


async def refs_available(call: Call) -> bool:
    """Whether a snapshot would show anything to act on; none is taken for it."""
    patience = min(call.left, _PATIENCE)
    try:
        found = await count(call.tab.agent, _ACTIVE, caller=call.caller, timeout=patience)
    except (EngineError, DeadlineExceeded):
        return False
    return found.rendered > 0
