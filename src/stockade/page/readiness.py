"""Readiness: a document that is parsed, whose requests are answered and that changes no more."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from stockade.engines.port import DEADLINE, Page
from stockade.errors import DeadlineExceeded, EngineError, TabClosed, TabCrashed
from stockade.page.agent import PageAgent
from stockade.page.settle import Window
from stockade.page.waiting import wait_until

__all__ = ["ready"]

_NETWORK_PATIENCE = 5.0
"""Some pages always have a request under way."""
_ENDLESS = frozenset({"EventSource", "WebSocket", "Ping"})


async def ready(agent: PageAgent, *, network: bool = True, timeout: float = DEADLINE) -> bool:
    """Wait until the page stands; whether it did in time."""
    loop = asyncio.get_running_loop()
    ends = loop.time() + timeout
    page = agent.page

    async def parsed() -> bool | None:
        return page.main_frame.reached("DOMContentLoaded") or None

    async def quiet() -> bool | None:
        return _quiet(page) or None

    with Window(agent) as window:
        try:
            await wait_until(agent, parsed, timeout=timeout)
            if network:
                with suppress(DeadlineExceeded):
                    patience = min(_NETWORK_PATIENCE, ends - loop.time())
                    await wait_until(agent, quiet, timeout=patience)
            settled = await window.settle(timeout=max(ends - loop.time(), 0.05))
        except (TabClosed, TabCrashed):
            raise
        except (DeadlineExceeded, EngineError):
            return False
    return settled.settled and page.dialog is None


def _quiet(page: Page) -> bool:
    """Whether the network has been quiet since the document came, and is so now."""
    pending = (
        each
        for each in page.requests
        if each.ended is None and each.answered is None and each.type not in _ENDLESS
    )
    return page.main_frame.reached("networkIdle") and next(pending, None) is None
