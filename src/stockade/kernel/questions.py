"""A question to a person: what is to happen, and what was answered."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import Any, Literal

from stockade.kernel.instant import instant
from stockade.media.picture import Picture
from stockade.policy.principal import Principal

__all__ = ["Kind", "Question", "State", "new_question_id"]

Kind = Literal["action", "event", "download", "acknowledge", "confirm", "choose", "input"]
"""What is asked: whether something may be done, may go on, may be kept; or what a caller asks."""
State = Literal["pending", "approved", "answered", "denied", "expired", "withdrawn", "used"]
YES_OR_NO = frozenset({"action", "event", "download"})


def new_question_id() -> str:
    """A name that nobody can guess."""
    return f"apr_{secrets.token_hex(12)}"


@dataclass(eq=False)
class Question:
    """One question; it is decided once."""

    kind: Kind
    asker: Principal
    """Whose call it is."""
    owner: Principal
    """Whose session it is."""
    due: float
    """When no answer is a no, by the event loop's clock."""
    facts: dict[str, Any]
    """What the person is shown, masked."""
    binding: str = ""
    """Of exactly what; another thing is another question."""
    session: str = ""
    """The session's id."""
    picture: Picture | None = None
    id: str = field(default_factory=new_question_id)
    asked_at: float = field(default_factory=time.time)
    state: State = "pending"
    value: Any = None
    note: str = ""
    by: str = ""
    answered_at: float = 0.0
    usable_until: float = 0.0
    """Until when a yes can be made use of, by the event loop's clock."""
    decided: asyncio.Event = field(default_factory=asyncio.Event)
    elicited: bool = False
    """Whether the person behind the client has been asked."""

    @property
    def pending(self) -> bool:
        """Whether it can still be answered."""
        return self.state == "pending"

    @property
    def description(self) -> dict[str, Any]:
        """As listings show it, without the picture."""
        told: dict[str, Any] = {
            "id": self.id,
            "kind": self.kind,
            "state": self.state,
            "askedBy": self.asker.id,
            "askedAt": instant(self.asked_at),
            "expiresInMs": max(0, round((self.due - asyncio.get_running_loop().time()) * 1000))
            if self.pending
            else 0,
            **self.facts,
            "picture": self.picture is not None,
        }
        if self.by:
            told |= {"answeredBy": self.by, "answeredAt": instant(self.answered_at)}
        if self.note:
            told["note"] = self.note
        if self.state == "answered":
            told["value"] = self.value
        return told
