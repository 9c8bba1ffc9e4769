"""The device that all tabs of a context are told of, those to come included."""

from __future__ import annotations

import asyncio
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from stockade.engines.cdp.emulation import Change, worker_setup
from stockade.engines.cdp.limits import check_emulation
from stockade.engines.values import Emulation
from stockade.errors import (
    DeadlineExceeded,
    DialogOpen,
    InvalidArgument,
    StockadeError,
    TabClosed,
    TabCrashed,
)

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Device"]


class Device:
    """Keeps every tab and worker of a context at one emulation."""

    def __init__(self, context: ChromiumContext, emulation: Emulation) -> None:
        self._context = context
        self._changing = asyncio.Lock()
        self.emulation = emulation
        """What a tab that opens now starts with."""

    async def change(self, emulation: Emulation, timeout: float) -> None:
        """Change what differs everywhere, or, when the browser refuses it, nowhere."""
        check_emulation(emulation)
        async with self._changing:
            old, self.emulation = self.emulation, emulation
            differing = _differing(old, emulation)
            # All tabs take it on before any is told: those that share a process must agree.
            changes = [
                (page, page.emulator.begin(replace(page.emulation, **differing)))
                for page in self._context.pages
            ]
            answers = await asyncio.gather(
                *(_told(page, change, timeout) for page, change in changes)
            )
            errors = [each for each in answers if each is not None]
            for error in errors:
                if isinstance(error, InvalidArgument):
                    self.emulation = old
                    for _, change in changes:
                        change.undo()
                    raise error
            self._tell_workers()
        if errors and len(errors) == len(changes):
            raise errors[0]

    def _tell_workers(self) -> None:
        """Shared and service workers belong to no tab."""
        for worker in self._context.workers:
            if worker.page is None:
                worker.post(*worker_setup(self.emulation, self._context, whole=True))


async def _told(page: ChromiumPage, change: Change, timeout: float) -> StockadeError | None:
    """Tell a tab; one that cannot listen now hears of it when it can."""
    if page.frozen or page.obstacle() is not None:
        change.post()
        return None
    try:
        await change.finish(timeout)
    except (TabClosed, TabCrashed, DialogOpen):
        return None
    except (DeadlineExceeded, InvalidArgument) as error:
        return error
    return None


def _differing(old: Emulation, new: Emulation) -> dict[str, Any]:
    return {
        field.name: getattr(new, field.name)
        for field in fields(Emulation)
        if getattr(new, field.name) != getattr(old, field.name)
    }
