"""What pages ask a person for: who is asked, and where it goes that they save."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from stockade.errors import LimitReached
from stockade.files.names import tidy_name
from stockade.sessions.asked import Person
from stockade.sessions.asking import Asking
from stockade.sessions.changes import SessionEnded, SessionOpened
from stockade.sessions.session import Session

if TYPE_CHECKING:
    from stockade.kernel.dispatch import Kernel

__all__ = ["follow"]


def follow(kernel: Kernel) -> None:
    """Hear the pages of every session from its beginning."""
    changes = kernel.sessions.changes
    changes.on(SessionOpened, lambda event: _begin(kernel, event.session))
    changes.on(SessionEnded, lambda event: Asking.of(event.session).close())


def _begin(kernel: Kernel, session: Session) -> None:
    asking = Asking.of(session)

    async def keep(name: str, content: bytes, former: str | None) -> str:
        artifacts = kernel.artifacts
        shown = former or artifacts.unused_name(session, tidy_name(name))
        return (await asyncio.to_thread(artifacts.save, session, shown, content)).name

    async def person(kind: str, text: str, origin: str) -> bool:
        try:
            return await kernel.approvals.ask_event(session, kind, text, origin)
        except LimitReached:
            # A page that asks for ever: a person is not to be buried in it.
            return False

    asking.pickers.keep = keep
    session.parts.of(Person, Person).ask = person
