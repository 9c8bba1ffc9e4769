"""Chance in a session's pages, made repeatable."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from stockade.engines.port import Context
from stockade.engines.values import InitScript, World
from stockade.page.scripts import script
from stockade.sessions.session import Session

__all__ = ["Randomness"]


class Randomness:
    """`Math.random` from a seed, in every document from now on and in those there are.

    Each document begins the sequence anew, so that it does not depend on which frame came first.
    `crypto` is left alone: numbers that can be foretold would break the cryptography of a page.
    """

    def __init__(self) -> None:
        self._context: Context | None = None
        self._remove: Callable[[], Awaitable[None]] | None = None

    async def seed(self, session: Session, seed: int, *, timeout: float) -> None:
        """Begin the sequence of a seed."""
        context = await session.started()
        remove = self._remove if self._context is context else None
        source = f"({script('seed')})({seed})"
        self._remove = await context.add_script(InitScript(source, World.MAIN), timeout=timeout)
        self._context = context
        if remove is not None:
            await remove()
