"""Calls of the tools in `series`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Series(Beside):
    """The pictures that were taken."""

    ok: bool
    intoDir: str
    trigger: NotRequired[str]
    count: int
    capturedAt: list[str]
    paths: list[str]
    warnings: list[str]
    tokensEstimate: int


class SeriesCalls(Calls):
    """Methods that call tools."""

    async def screenshot_schedule(
        self,
        *,
        every_ms: int,
        count: int | None = None,
        duration_ms: int | None = None,
        into_dir: str | None = None,
        format: Literal['png', 'jpeg'] | None = None,
    ) -> Series:
        """Picture the tab at intervals, into files; other calls can work in it meanwhile."""
        answer = await self._call("screenshot_schedule", {"everyMs": every_ms}, {"count": count, "durationMs": duration_ms, "intoDir": into_dir, "format": format}, in_tab=True)
        return cast("Series", answer)

    async def screenshot_on(
        self,
        *,
        trigger: Literal['navigation', 'console-error', 'network-mutation', 'dialog'],
        duration_ms: int,
        count: int | None = None,
        into_dir: str | None = None,
        format: Literal['png', 'jpeg'] | None = None,
    ) -> Series:
        """Picture the tab, into files, whenever it navigates, errs, changes data or opens a dialog."""
        answer = await self._call("screenshot_on", {"trigger": trigger, "durationMs": duration_ms}, {"count": count, "intoDir": into_dir, "format": format}, in_tab=True)
        return cast("Series", answer)
