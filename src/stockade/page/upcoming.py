"""Waiting for what is about to be possible, on evidence that the page is on its way there."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypedDict, TypeVar

from stockade.errors import NotActionable, TargetNotFound
from stockade.page.agent import PageAgent
from stockade.page.traffic import EFFECTS, path_of

__all__ = ["Patience", "when_possible", "while_moving"]

T = TypeVar("T")

_GRACE = 0.25
"""Seconds in which a page that waits for an answer, or has just got it, is expected to change."""
_LONGEST_REQUEST = 10.0
"""A request that is under way for longer waits for news rather than for an answer."""
_SHARE = 0.8
_MARGIN = 1.0


class Patience(TypedDict):
    """How long the page agent may wait for a change, in milliseconds."""

    patience: float
    grace: float
    """Even where nothing in the document is under way."""


async def when_possible(
    agent: PageAgent, attempt: Callable[[Patience], Awaitable[T]], *, timeout: float
) -> T:
    """Attempt something until it succeeds or there is nothing left to wait for."""
    clock = asyncio.get_running_loop().time
    # What is still impossible then is refused by its own name and not as a lapse of the deadline.
    ends = clock() + max(timeout * _SHARE, timeout - _MARGIN)
    grace, loading = 0.0, False
    while True:
        left = ends - clock()
        try:
            return await attempt({"patience": max(left, 0) * 1000, "grace": grace * 1000})
        except (NotActionable, TargetNotFound) as error:
            before, loading = loading, _loading(agent)
            # The page is given time to take up the last answer, too.
            if not error.details.pop("passing", False) or not (before or loading) or left <= 0:
                raise
            grace = _GRACE


async def while_moving(
    agent: PageAgent, attempt: Callable[[], Awaitable[T]], patience: Patience, *, timeout: float
) -> T:
    """Attempt something again whenever the main document changes, while it may still do so."""
    clock = asyncio.get_running_loop().time
    began = clock()
    while True:
        try:
            return await attempt()
        except (NotActionable, TargetNotFound) as error:
            said = await agent.call(
                agent.page.main_frame,
                "upcoming",
                waited=(waited := (clock() - began) * 1000),
                patience=max(patience["patience"] - waited, 0),
                grace=max(patience["grace"] - waited, 0),
                missing=isinstance(error, TargetNotFound),
                timeout=timeout,
            )
            if not said["moved"]:
                error.details["passing"] = True
                raise


def _loading(agent: PageAgent) -> bool:
    """Whether the page waits for an answer."""
    latest = time.time() - _LONGEST_REQUEST
    polled = agent.traffic.polled()
    return any(
        each.ended is None
        and each.answered is None
        and each.type in EFFECTS
        and each.started > latest
        and path_of(each) not in polled
        for each in reversed(agent.page.requests)
    )
