"""Concealing: fields that hold secrets, and a clipboard that carries none to another site."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from stockade.engines.port import Frame
from stockade.errors import ClipboardRefused, DeadlineExceeded, EngineError
from stockade.masking.background import run_if_large
from stockade.page.agent import PageAgent
from stockade.page.verdicts import ensure_clipboard, has_copied

__all__ = ["Concealing", "Copied"]


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
        await self._conceal(frame, "field_held", timeout, ref=number)

    async def conceal_all(self, frame: Frame, *, timeout: float) -> bool:
        """The same for every field of a frame; whether there was any."""
        return await self._conceal(frame, "fields_held", timeout)

    async def is_within_reach(self, frame: Frame, *, timeout: float) -> bool:
        """Whether a script of a frame could read a secret: fields, text, address, storage."""
        if self.secret_in is None:
            return False
        try:
            found = await self._agent.call(frame, "readable", timeout=timeout)
        except EngineError:
            # What cannot be looked at may hold one, unless it is gone.
            return not frame.detached
        return found["holds"] or bool(await self._name_in("\n".join(found["texts"])))

    async def conceal_shown(self, *, timeout: float) -> None:
        """Before text is copied or dragged: none is, from a document that shows a secret."""
        if self.secret_in is None:
            return

        async def look(frame: Frame) -> None:
            await self.conceal_all(frame, timeout=timeout)
            with suppress(EngineError):
                text = await self._agent.call(frame, "document_text", timeout=timeout)
                name = await self._name_in(text)
                await self._agent.call(frame, "conceal_document", name=name, timeout=timeout)

        await asyncio.gather(*map(look, self._agent.frames()))

    async def check_clipboard(self, timeout: float) -> None:
        """Paste no secret: a page may have put one there by itself."""
        if self.secret_in is None:
            return
        if await self._name_in(await self._agent.page.context.clipboard_text(timeout=timeout)):
            raise ClipboardRefused("a secret is in the clipboard, and is not pasted")

    async def _conceal(self, frame: Frame, method: str, timeout: float, **about: Any) -> bool:
        if self.secret_in is None:
            return False
        concealed = False
        with suppress(EngineError, DeadlineExceeded):
            for each in await self._agent.call(frame, method, timeout=timeout, **about):
                if name := await self._name_in(each["held"]):
                    concealed = True
                    await self._agent.call(
                        frame, "conceal", ref=each["ref"], name=name, timeout=timeout
                    )
        return concealed

    async def _name_in(self, text: str) -> str:
        find = self.secret_in
        return await run_if_large(len(text), lambda: find(text)) if find is not None else ""

    def note_copying(self, frame: Frame, verdict: dict[str, Any] | None) -> None:
        """What a frame copied is that frame's origin's."""
        if verdict is None:
            return
        ensure_clipboard(verdict)
        if has_copied(verdict):
            self.copied.origin = frame.origin
