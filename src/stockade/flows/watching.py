"""Watching: regions of a tab that come and go within a while, in all its frames."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from stockade.engines.events import DialogClosed, FrameAttached
from stockade.engines.port import Frame
from stockade.errors import (
    DeadlineExceeded,
    DialogOpen,
    EngineError,
    NavigationRace,
    TabClosed,
    TabCrashed,
)
from stockade.page.agent import PageAgent

__all__ = ["Seen", "watch"]

_FETCH = 0.5
_GRACE = 2.0
_MOST_REGIONS = 500


@dataclass
class Seen:
    """What came and went, in the order it appeared."""

    regions: list[dict[str, Any]] = field(default_factory=list)
    samples: int = 0
    ended: str = ""
    """Why it ended early, if it did."""


async def watch(agent: PageAgent, *, caller: str, seconds: float, sample_ms: int) -> Seen:
    """Look on for a while; documents that come are watched like those that go."""
    watcher = _Watcher(agent, caller, seconds, sample_ms)
    await watcher.run()
    seen = watcher.seen
    seen.regions.sort(key=lambda region: region["appearedAtMs"])
    del seen.regions[_MOST_REGIONS:]
    return seen


class _Watcher:
    """One watch over all frames."""

    def __init__(self, agent: PageAgent, caller: str, seconds: float, sample_ms: int) -> None:
        self.seen = Seen()
        self._agent = agent
        self._caller = caller
        self._sample_ms = sample_ms
        self._clock = asyncio.get_running_loop().time
        self._start = self._clock()
        self._seconds = seconds
        self._over = asyncio.Event()

    @property
    def _now(self) -> float:
        """Milliseconds since the watch began."""
        return round((self._clock() - self._start) * 1000, 1)

    @property
    def _left(self) -> float:
        return self._start + self._seconds - self._clock()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:

            def attached(event: FrameAttached) -> None:
                group.create_task(self._follow(event.frame))

            off = self._agent.page.events.on(FrameAttached, attached)
            try:
                for frame in self._agent.frames():
                    group.create_task(self._follow(frame))
                await self._until_the_end()
            finally:
                off()

    async def _until_the_end(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(max(self._left, 0)):
                await self._over.wait()
        self._seconds = 0.0

    async def _follow(self, frame: Frame) -> None:
        """One document of a frame after the other."""
        while self._left > 0 and not frame.detached:
            try:
                await self._document(frame)
            except NavigationRace:
                continue
            except DialogOpen:
                await self._dialog_gone()
            except (TabClosed, TabCrashed) as error:
                if frame.parent is None:
                    self.seen.ended = error.code
                    self._over.set()
                return
            except (EngineError, DeadlineExceeded):
                return

    async def _document(self, frame: Frame) -> None:
        key = secrets.token_hex(8)
        began = self._now
        rows: list[dict[str, Any]] = []
        samples = 0
        gone: float | None = None
        try:
            await self._ask(frame, "begin", key)
            while self._left > 0:
                try:
                    part = await self._ask(frame, "fetch", key, cap=min(self._left, _FETCH) * 1000)
                except DialogOpen:
                    # What runs in the page is held too: it goes on where it stopped.
                    await self._dialog_gone()
                    continue
                rows, samples = part["rows"], part["samples"]
                if part["ended"]:
                    raise NavigationRace("the document went away")
            last = await self._ask(frame, "end", key)
            rows, samples = last["rows"], last["samples"]
        except (EngineError, DeadlineExceeded):
            gone = self._now
            raise
        finally:
            self._keep(rows, samples, began, gone)

    def _keep(
        self, rows: list[dict[str, Any]], samples: int, began: float, gone: float | None
    ) -> None:
        self.seen.samples += samples
        for row in rows:
            ended = row["disappearedAtMs"]
            row["appearedAtMs"] = round(began + row["appearedAtMs"], 1)
            row["disappearedAtMs"] = round(began + ended, 1) if ended is not None else gone
            self.seen.regions.append(row)

    async def _dialog_gone(self) -> None:
        page = self._agent.page
        if page.dialog is not None and self._left > 0:
            with suppress(DeadlineExceeded):
                await page.events.wait(DialogClosed, timeout=self._left)

    async def _ask(self, frame: Frame, step: str, key: str, *, cap: float = 0) -> Any:
        return await self._agent.call(
            frame,
            "watch.js",
            step=step,
            key=key,
            cap=cap,
            caller=self._caller,
            sampleMs=self._sample_ms,
            timeout=cap / 1000 + _GRACE,
        )
