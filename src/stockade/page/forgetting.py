"""Making a browser forget all that sites have stored in it."""

from __future__ import annotations

from collections.abc import Callable

from stockade.engines.port import Context
from stockade.errors import BrowserGone, StockadeError

__all__ = ["forget_everything"]

_CLEAR = "() => sessionStorage.clear()"
_FRAME_PATIENCE = 1.0


async def forget_everything(context: Context, *, left: Callable[[], float]) -> None:
    """Delete cookies, storage, databases, caches and workers of every origin.

    Pages stay open, and what they hold in memory stays theirs.
    """
    await context.clear_cookies(timeout=left())
    await _in_documents(context, left)
    places = await context.storage_places(timeout=left())
    if places:
        async with context.storeroom(timeout=left()) as room:
            for place in places:
                await room.clear(place, timeout=left())
    # A worker that was just ended may have had the last word.
    await context.clear_cookies(timeout=left())


async def _in_documents(context: Context, left: Callable[[], float]) -> None:
    """What only a tab has."""
    for page in context.pages:
        for frame in page.frames if page.dialog is None and not page.crashed else ():
            try:
                await frame.call(_CLEAR, timeout=min(_FRAME_PATIENCE, left()))
            except BrowserGone:
                raise
            except StockadeError:
                # It is gone, it does not answer, or it has no storage.
                continue
