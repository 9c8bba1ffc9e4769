"""The clock of a session's pages: it can stand still, be moved on, and be let go."""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from stockade.engines.port import Context, Frame
from stockade.engines.values import InitScript, World
from stockade.errors import DeadlineExceeded, EngineError
from stockade.page.scripts import script
from stockade.sessions.session import Session

__all__ = ["PageClock"]

_ASK = """(token, method, given) => {
  const clock = performance.now(token);
  return typeof clock === 'object' ? clock[method](given) : null;
}"""
_RESERVE = 2.0
"""Seconds of a call that are left to tell how it went."""
_EARLIER = "timers that the page had set before go by real time until it is loaded again"
_LATE = "more timers were due than could be fired in time; the rest are fired by the next advance"
_WORKERS = "workers keep real time"
_SILENT = "a frame did not answer and may keep another time"


class PageClock:
    """One for all documents of a session; it stands still or goes by real time.

    It runs in the page's own world, so that the page agent, whose world has clocks of its own, can
    settle and wait while the page's time stands still.
    """

    def __init__(self) -> None:
        self._token = secrets.token_hex(16)
        self._context: Context | None = None
        self._remove: Callable[[], Awaitable[None]] | None = None
        self._date = 0.0
        self._turn = asyncio.Lock()

    def frozen(self, session: Session) -> bool:
        """Whether it stands still; in a new browser it runs."""
        return self._remove is not None and self._context is session.context

    def now(self, session: Session) -> float:
        """What the pages take for the present, in seconds."""
        return self._date / 1000 if self.frozen(session) else time.time()

    async def freeze(self, session: Session, at: float | None, *, timeout: float) -> list[str]:
        """Stand still, at a moment in seconds or where it is; what to know about it is returned."""
        async with self._turn:
            context = await session.started()
            await self._hold(session, context, self.now(session) if at is None else at, timeout)
            answers = await self._ask(context, "state", None, timeout)
            return _remarks(context, answers)

    async def advance(self, session: Session, seconds: float, *, timeout: float) -> list[str]:
        """Move on and fire what falls due on the way, in order."""
        async with self._turn:
            context = await session.started()
            if not self.frozen(session):
                await self._hold(session, context, self.now(session), timeout)
            patience = max(timeout - _RESERVE, 0.1) * 1000
            given = {"by": seconds * 1000, "patience": patience}
            answers = await self._ask(context, "advance", given, timeout)
            await self._hold(session, context, self._date / 1000 + seconds, timeout)
            return _remarks(context, answers)

    async def release(self, session: Session, *, timeout: float) -> list[str]:
        """Go by real time again; what was waiting is fired when the rest of its delay is over."""
        async with self._turn:
            if not self.frozen(session):
                return []
            context = await session.started()
            remove, self._remove = self._remove, None
            if remove is not None:
                await remove()
            answers = await self._ask(context, "release", None, timeout)
            return [_SILENT] if _silent(answers) else []

    async def _hold(self, session: Session, context: Context, at: float, timeout: float) -> None:
        """Stand still at `at` in every document there is, and in those to come."""
        remove = self._remove if self.frozen(session) else None
        given = json.dumps({"token": self._token, "date": at * 1000})
        source = f"({script('clock')})({given})"
        self._remove = await context.add_script(InitScript(source, World.MAIN), timeout=timeout)
        self._context = context
        self._date = at * 1000
        if remove is not None:
            await remove()

    async def _ask(
        self, context: Context, method: str, given: Any, timeout: float
    ) -> list[dict[str, Any] | EngineError | DeadlineExceeded]:
        async def one(frame: Frame) -> dict[str, Any] | EngineError | DeadlineExceeded:
            try:
                answer = await frame.call(
                    _ASK, self._token, method, given, world=World.MAIN, timeout=timeout
                )
            except (EngineError, DeadlineExceeded) as error:
                return error
            return answer or {}

        frames = [frame for page in context.pages for frame in page.frames]
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(frame)) for frame in frames]
        return [task.result() for task in tasks]


def _silent(answers: list[Any]) -> bool:
    return any(not isinstance(each, dict) for each in answers)


def _remarks(context: Context, answers: list[Any]) -> list[str]:
    told = [each for each in answers if isinstance(each, dict)]
    signs = (
        (_EARLIER, any(each.get("earlier") for each in told)),
        (_LATE, any(each.get("late") for each in told)),
        (_WORKERS, bool(context.workers)),
        (_SILENT, _silent(answers)),
    )
    return [text for text, sign in signs if sign]
