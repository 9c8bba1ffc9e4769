"""Scripts that run at the start of every document of a context."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.frames import WORLD_NAME
from stockade.engines.values import InitScript, World
from stockade.errors import DeadlineExceeded, EngineError

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["InitScripts"]

_NAME_BYTES = 8


class _Called(msgspec.Struct):
    name: str
    executionContextId: int
    payload: str = ""


class _Installed(msgspec.Struct):
    identifier: str


class InitScripts:
    """What each session of a context was given, and under which name the browser knows it."""

    def __init__(self, context: ChromiumContext) -> None:
        self._context = context
        self._scripts: dict[int, InitScript] = dict(enumerate(context.options.init_scripts))
        self._next = len(self._scripts)
        self._voices: dict[int, str] = {}
        self._answers: dict[Session, dict[int, asyncio.Future[msgspec.Raw]]] = {}

    def setup(self) -> Sequence[Command]:
        """What a new session is told first."""
        return [command for each in self._scripts for command in self._commands(each)]

    def installed(self, session: Session, answers: Sequence[asyncio.Future[msgspec.Raw]]) -> None:
        """The answers to `setup`, and perhaps more, of one session."""
        mine = self._answers[session] = {}
        last = -1
        for number in self._scripts:
            last += len(self._commands(number))
            mine[number] = answers[last]

    def watch(self, session: Session, page: ChromiumPage) -> None:
        """Hear what scripts in one session say."""

        def called(event: _Called) -> None:
            number = next((n for n, name in self._voices.items() if name == event.name), -1)
            script = self._scripts.get(number)
            if script is None or script.heard is None:
                return
            for frame in page.frame_tree.ordered():
                if frame.session is session and event.executionContextId in frame.worlds.values():
                    script.heard(frame, event.payload)

        session.on("Runtime.bindingCalled", called, _Called)

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
                answers = session.connection.submit(session, self._commands(number), timeout)
                self._answers.setdefault(session, {})[number] = answers[-1]
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
        voice = self._voices.pop(number, None)
        for session in tuple(self._answers):
            name = await self._name(session, number)
            self._answers.get(session, {}).pop(number, None)
            if name is not None:
                session.post(("Page.removeScriptToEvaluateOnNewDocument", {"identifier": name}))
                if voice is not None:
                    session.post(("Runtime.removeBinding", {"name": voice}))

    def _commands(self, number: int) -> Sequence[Command]:
        """What brings a script in; the last of them is answered with its name."""
        script = self._scripts[number]
        if script.heard is None:
            return [_command(script.source, script.world)]
        # No page can have guessed the name, and none finds it: it is gone before a page runs.
        name = self._voices.setdefault(number, f"s{secrets.token_hex(_NAME_BYTES)}")
        shown = json.dumps(name)
        source = (
            f"(() => {{ const tell = globalThis[{shown}]; delete globalThis[{shown}];"
            f" ({script.source})(tell); }})()"
        )
        return [("Runtime.addBinding", {"name": name}), _command(source, script.world)]


def _command(source: str, world: World) -> Command:
    return (
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": source,
            "runImmediately": True,
            **({"worldName": WORLD_NAME} if world is World.AGENT else {}),
        },
    )
