"""Concealing: fields that hold secrets, and a clipboard that carries none to another site."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stockade.engines.port import Frame
from stockade.errors import ClipboardRefused, DeadlineExceeded, EngineError
from stockade.page.agent import PageAgent
from stockade.page.verdicts import ensure_clipboard, has_copied

__all__ = ["Concealing", "Copied"]

_UNANSWERED = (EngineError, DeadlineExceeded)


@dataclass
class Copied:
    """What was copied last in a session."""

    origin: str = ""
    """Where that was; empty if nothing was."""


class Concealing:
    """What is looked at before and after keys are sent to a tab."""

    def __init__(self, agent: PageAgent) -> None:
        self._agent = agent
        self.secret_in: Callable[[str], str] | None = None
        """The name of the secret that a text holds, where there is any to look for."""
        self.copied = Copied()
        """All tabs of a session have one clipboard."""

    async def conceal_known(self, frame: Frame, number: int | None, *, timeout: float) -> None:
        """Before a field is edited: one that shows a secret is from now on known by its name.

        Without a number, the field that has the focus.
        """
        if self.secret_in is None:
            return
        try:
            found = await self._agent.call(frame, "field_held", ref=number, timeout=timeout)
        except _UNANSWERED:
            return
        if found is not None and (name := self.secret_in(found["held"])):
            await self._agent.call(frame, "conceal", ref=found["ref"], name=name, timeout=timeout)

    async def check_clipboard(self, timeout: float) -> None:
        """Paste no secret: a page may have put one there by itself."""
        if self.secret_in is None:
            return
        if self.secret_in(await self._agent.page.context.clipboard_text(timeout=timeout)):
            raise ClipboardRefused("a secret is in the clipboard, and is not pasted")

    def note_copying(self, frame: Frame, verdict: dict[str, Any] | None) -> None:
        """What a frame copied is that frame's origin's."""
        if verdict is None:
            return
        ensure_clipboard(verdict)
        if has_copied(verdict):
            self.copied.origin = frame.origin
