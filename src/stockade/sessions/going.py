"""Going: a navigation to its end, whatever dialogs are in the way; or the tab as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from stockade.errors import DeadlineExceeded, DialogOpen, NavigationFailed
from stockade.page.waiting import wait_until
from stockade.sessions.tab import Tab

__all__ = ["Move", "go", "past_dialogs"]

Move = Callable[[float], Awaitable[object]]
"""Begins a navigation, and waits so many seconds for the parsed document."""

_STOP_PATIENCE = 1.0
_MOST_DIALOGS = 20


async def go(tab: Tab, move: Move, *, timeout: float) -> None:
    """Make a navigation; one that takes too long is given up, and nothing else suffers."""
    loop = asyncio.get_running_loop()
    patience = timeout - min(_STOP_PATIENCE, timeout / 5)
    ends = loop.time() + patience
    before = tab.page.main_frame.document
    try:
        try:
            await move(patience)
        except DialogOpen as error:
            await past_dialogs(tab, before, ends, error)
    except DeadlineExceeded:
        await tab.page.stop_loading(timeout=_STOP_PATIENCE)
        raise DeadlineExceeded(
            f"the page did not come within {patience:.3g} s",
            hint="The tab is still there: try again, or go elsewhere.",
        ) from None


async def past_dialogs(tab: Tab, before: str, ends: float, error: DialogOpen) -> None:
    """Answer what the old page and the new one ask, as the session's policy says."""
    page, loop = tab.page, asyncio.get_running_loop()

    async def dialog_or_document() -> bool | None:
        frame = page.main_frame
        arrived = frame.document != before and frame.reached("DOMContentLoaded")
        return True if page.dialog is not None or arrived else None

    for _ in range(_MOST_DIALOGS):
        dialog = page.dialog
        if dialog is not None:
            if not await tab.settle_dialog(dialog, timeout=max(ends - loop.time(), 0.0)):
                raise error
            if dialog.kind == "beforeunload" and tab.session.dialogs.mode == "dismiss":
                raise NavigationFailed(
                    "the page asked to stay, and dialogs are dismissed here", reason="beforeunload"
                )
        await wait_until(tab.agent, dialog_or_document, timeout=max(ends - loop.time(), 0.0))
        if page.dialog is None:
            return
    raise error
