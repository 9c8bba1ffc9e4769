"""The device that a session's pages are told of: one for all its tabs, now and to come."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from stockade.engines.values import Emulation
from stockade.sessions.session import Session

__all__ = ["change"]

_PATIENCE = 5.0
"""Seconds for the tabs to answer; one that is busy hears of it later."""


async def change(session: Session, *, timeout: float, **fields: Any) -> Emulation:
    """Change fields of the emulation in every tab, popups and tabs to come included.

    A value that the browser refuses changes nothing and is an `InvalidArgument`. The session
    remembers the rest, and a browser that is started anew begins with it.
    """
    # Without a tab there is nobody who could refuse.
    await session.tab()
    return await session.work.finish(lambda: _apply(session, fields, min(timeout, _PATIENCE)))


class _Turn(asyncio.Lock):
    """One change of a session's device at a time."""


async def _apply(session: Session, fields: dict[str, Any], timeout: float) -> Emulation:
    async with session.parts.of(_Turn, _Turn):
        context = await session.started()
        try:
            await context.emulate(replace(context.emulation, **fields), timeout=timeout)
        finally:
            session.emulation = context.emulation
        return context.emulation
