"""Scripts that run at the start of every document of a context."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.frames import WORLD_NAME
from stockade.engines.values import InitScript, World
from stockade.errors import DeadlineExceeded, EngineError

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext

__all__ = ["InitScripts"]


class _Installed(msgspec.Struct):
    identifier: str


class InitScripts:
    """What each session of a context was given, and under which name the browser knows it."""

    def __init__(self, context: ChromiumContext) -> None:
        self._context = context
        self._scripts: dict[int, InitScript] = dict(enumerate(context.options.init_scripts))
        self._next = len(self._scripts)
        self._answers: dict[Session, dict[int, asyncio.Future[msgspec.Raw]]] = {}

    def setup(self) -> Sequence[Command]:
        """What a new session is told first."""
        return [_command(each) for each in self._scripts.values()]

    def installed(self, session: Session, answers: Sequence[asyncio.Future[msgspec.Raw]]) -> None:
        """The answers to `setup`, and perhaps more, of one session."""
        self._answers[session] = dict(zip(self._scripts, answers, strict=False))

    def released(self, session: Session) -> None:
        """A session has ended."""
        self._answers.pop(session, None)

    async def add(self, script: InitScript, timeout: float) -> Callable[[], Awaitable[None]]:
        """Run a script in every document from now on, and in those there are."""
        number = self._next
        self._next += 1
        self._scripts[number] = script
        sessions = [each for page in self._context.pages for each in page.sessions]
        for session in sessions:
            if session.failure is None:
                [answer] = session.connection.submit(session, [_command(script)], timeout)
                self._answers.setdefault(session, {})[number] = answer
        for session in sessions:
            await self._name(session, number)

        async def remove() -> None:
            await self._remove(number)

        return remove

    async def _name(self, session: Session, number: int) -> str | None:
        """What the browser calls the script there; nothing where it never arrived."""
        answer = self._answers.get(session, {}).get(number)
        if answer is None:
            return None
        try:
            return msgspec.json.decode(await asyncio.shield(answer), type=_Installed).identifier
        except (EngineError, DeadlineExceeded):
            return None

    async def _remove(self, number: int) -> None:
        self._scripts.pop(number, None)
        for session in tuple(self._answers):
            name = await self._name(session, number)
            self._answers.get(session, {}).pop(number, None)
            if name is not None:
                session.post(("Page.removeScriptToEvaluateOnNewDocument", {"identifier": name}))


def _command(script: InitScript) -> Command:
    return (
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": script.source,
            "runImmediately": True,
            **({"worldName": WORLD_NAME} if script.world is World.AGENT else {}),
        },
    )
