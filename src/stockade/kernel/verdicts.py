"""Verdicts: whether a request may go out, once that is known."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from stockade.sessions.session import Session

__all__ = ["Verdict", "verdict_by"]


class Verdict:
    """Whether a request may go out; what is said first holds."""

    def __init__(self) -> None:
        self.future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def give(self, *, admitted: bool) -> bool:
        """Say so; the answer is whether it was heard: whoever waited may have gone."""
        if not self.future.done():
            self.future.set_result(admitted)
        return not self.future.cancelled() and self.future.result() is admitted


def verdict_by(
    session: Session, decide: Callable[[Verdict], Awaitable[None]]
) -> asyncio.Future[bool]:
    """A verdict that `decide` gives while the session goes on; where it gives none, it is a no."""
    verdict = Verdict()

    async def run() -> None:
        try:
            await decide(verdict)
        finally:
            verdict.give(admitted=False)

    session.work.start(run)
    return verdict.future
