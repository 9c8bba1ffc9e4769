"""Chance in a session's pages, made repeatable."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from stockade.engines.port import Context, Worker
from stockade.engines.values import InitScript, World
from stockade.page.scripts import script
from stockade.sessions.session import Session

__all__ = ["Randomness"]


class Randomness:
    """`Math.random` from a seed, in every document and worker from now on and in those there are.

    Each begins the sequence anew, so that it does not depend on which frame came first.
    `crypto` is left alone: numbers that can be foretold would break the cryptography of a page.
    """

    def __init__(self) -> None:
        self._context: Context | None = None
        self._removes: list[Callable[[], Awaitable[None]]] = []

    async def seed(self, session: Session, seed: int, *, timeout: float) -> None:
        """Begin the sequence of a seed."""
        context = await session.started()
        former = self._removes if self._context is context else []
        source = f"({script('seed')})({seed})"
        self._removes = [
            await context.add_script(InitScript(source, World.MAIN), timeout=timeout),
            await context.add_worker_script(f"() => {source}", _deaf, timeout=timeout),
        ]
        self._context = context
        for remove in former:
            await remove()


def _deaf(worker: Worker, text: str) -> None:
    """Workers have nothing to say to this."""
