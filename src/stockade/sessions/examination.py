"""Examination: whether a browser works, found out by using it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from stockade.engines.port import Browser, Context
from stockade.engines.values import ContextOptions
from stockade.errors import DeadlineExceeded, EngineError, StockadeError

__all__ = ["Finding", "examine"]

_ANSWER_PATIENCE = 3.0
_WORK_PATIENCE = 10.0
"""A machine that is busy takes its time to start a renderer."""
_CLOSE_PATIENCE = 3.0


@dataclass(frozen=True)
class Finding:
    """What is wrong with a browser."""

    fault: str = ""
    answers: bool = True
    """Whether it still makes a round trip."""

    @property
    def well(self) -> bool:
        """Whether nothing is."""
        return not self.fault


async def examine(browser: Browser) -> Finding:
    """Make a state with a blank page in it, and let the page calculate."""
    try:
        await browser.ping(timeout=_ANSWER_PATIENCE)
    except StockadeError as error:
        return Finding(f"it does not answer: {error.message}", answers=False)
    context: Context | None = None
    try:
        async with asyncio.timeout(_WORK_PATIENCE):
            context = await browser.new_context(ContextOptions(), timeout=_WORK_PATIENCE)
            page = await context.new_page(timeout=_WORK_PATIENCE)
            two = await page.main_frame.call("() => 1 + 1", timeout=_WORK_PATIENCE)
    except TimeoutError:
        return Finding("it does not get a blank page to work")
    except StockadeError as error:
        return Finding(f"it does not get a blank page to work: {error.message}")
    finally:
        if context is not None:
            await _close(context)
    return Finding() if two == 2 else Finding("its pages cannot calculate")  # noqa: PLR2004


async def _close(context: Context) -> None:
    try:
        await context.close(timeout=_CLOSE_PATIENCE)
    except (EngineError, DeadlineExceeded):
        # It goes with the browser; what was to be found out is known.
        return
