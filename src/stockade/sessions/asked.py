"""What pages asked a person for, and what of it the next result has to tell."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from stockade.engines.events import DialogOpened
from stockade.urls import origin_of

if TYPE_CHECKING:
    from stockade.sessions.tab import Tab

__all__ = ["Asked", "Event", "Person", "Raised", "dialog_asked", "raise_in"]

Event = Literal["dialog", "permission", "notification", "fs-picker"]
_ORDER: Final[tuple[Event, ...]] = ("dialog", "permission", "notification", "fs-picker")
_MOST = 20


@dataclass(frozen=True)
class Asked:
    """One thing that a page asked for."""

    event: Event
    what: str
    """The kind of dialog, the permission, the title, or the picker."""
    text: str
    """What a person would have read."""
    origin: str
    handled_as: str
    tab: str = ""
    """Where it was."""
    at: float = field(default_factory=time.time)
    details: Mapping[str, Any] = field(default_factory=dict)
    """What else is known of it."""

    @property
    def kind(self) -> str:
        """What it is called in a result."""
        return self.what if self.event == "dialog" else self.event


async def _nobody(_kind: str, _text: str, _origin: str) -> bool:
    return False


@dataclass
class Person:
    """Whoever decides where the policy says so; a part of the session."""

    ask: Callable[[str, str, str], Coroutine[Any, Any, bool]] = _nobody
    """About what kind of thing, in which words, for which origin."""


class Raised:
    """What the next result in a tab has to tell; a part of the tab."""

    def __init__(self) -> None:
        self._pending: deque[Asked] = deque(maxlen=_MOST)
        self._count: Counter[str] = Counter()
        self.refused = False
        """Whether the last call was refused because of it; the next is not."""

    def __bool__(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self._pending)

    def add(self, asked: Asked) -> None:
        """Have it told; of many only the first are kept, the rest are counted."""
        self._count[asked.event] += 1
        if len(self._pending) < _MOST:
            self._pending.append(asked)

    def heard(self, what: str, text: str) -> None:
        """One dialog has been told otherwise."""
        for asked in self._pending:
            if (asked.event, asked.what, asked.text) == ("dialog", what, text):
                self._pending.remove(asked)
                self._count["dialog"] -= 1
                return

    def take(self) -> tuple[Asked, int] | None:
        """What to tell first, and how many there were; then begin anew."""
        if not self._pending:
            return None
        first = min(self._pending, key=lambda each: _ORDER.index(each.event))
        count = self._count.total()
        self._pending.clear()
        self._count.clear()
        return first, count


def dialog_asked(tab: Tab, dialog: DialogOpened, handled_as: str) -> Asked:
    """A dialog as something that was asked."""
    return Asked(
        "dialog", dialog.kind, dialog.message, origin_of(dialog.url or tab.url), handled_as, tab.id
    )


def raise_in(tab: Tab, asked: Asked) -> None:
    """Have the next result in `tab` tell of it; a popup nobody has used speaks by its opener."""
    opener = tab.session.tab_of(tab.page.opener) if tab.page.opener is not None else None
    while not tab.calls and opener is not None:
        tab = opener
        opener = tab.session.tab_of(tab.page.opener) if tab.page.opener is not None else None
    tab.parts.of(Raised, Raised).add(asked)
