"""A trace of what a tab does, recorded by the browser."""

from __future__ import annotations

import asyncio
import base64
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Self

from stockade.engines.events import FrameAttached, PageClosed
from stockade.errors import Conflict, DeadlineExceeded, ProtocolFault, StockadeError, TabClosed
from stockade.instruments.sieve import sift
from stockade.sessions.tab import Tab
from stockade.sessions.work import Job

__all__ = ["DEFAULT_CATEGORIES", "Recording", "Trace", "Tracer"]

DEFAULT_CATEGORIES = (
    "devtools.timeline",
    "loading",
    "blink.user_timing",
    "latencyInfo",
    "v8.execute",
    "disabled-by-default-devtools.timeline",
    "disabled-by-default-devtools.timeline.frame",
    "disabled-by-default-devtools.timeline.stack",
    "disabled-by-default-v8.cpu_profiler",
)
_LONGEST = 300.0
"""Seconds: a browser records one trace at a time, and others may wait for it."""
_BUFFER_KB = 64 << 10
_PIECE = 1 << 20
_PATIENCE = 30.0
_TAKEN = "already been started"


@dataclass
class Recording:
    """A trace that has ended, and holds nothing but what belongs to the session."""

    file: BinaryIO
    events: int
    categories: tuple[str, ...]
    duration_ms: float
    cut: bool
    """Whether it ended by itself, or lost what did not fit."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()


class Trace:
    """A recording under way. It ends with its tab, or by itself after five minutes."""

    def __init__(self, tab: Tab, categories: Sequence[str]) -> None:
        self.tab = tab
        self.categories = tuple(categories)
        self._devtools = tab.page.devtools[0]
        self._ending = asyncio.Event()
        self._started = 0.0
        self._frames: set[str] = set()
        self._job: Job[Recording] | None = None
        self._fetched = False

    @property
    def running(self) -> bool:
        """Whether there is or will be something to get."""
        return self._job is not None and not self.tab.page.closed

    async def start(self, *, timeout: float) -> None:
        """Begin to record; a browser that records already is a `Conflict`."""
        config = {
            "recordMode": "recordUntilFull",
            "traceBufferSizeInKb": _BUFFER_KB,
            "includedCategories": list(self.categories),
            "excludedCategories": ["*"],
        }
        try:
            await self.tab.session.work.obtain(
                lambda: self._devtools.send(
                    "Tracing.start",
                    {"transferMode": "ReturnAsStream", "traceConfig": config},
                    timeout=timeout,
                ),
                lambda _: self._devtools.send("Tracing.end", timeout=_PATIENCE),
            )
        except ProtocolFault as error:
            if _TAKEN not in error.message:
                raise
            raise Conflict(
                "this browser is recording another trace",
                hint="One can be recorded at a time; try again when that has ended.",
            ) from None
        self._started = asyncio.get_running_loop().time()
        self._job = self.tab.session.work.start(self._run)

    async def stop(self, *, timeout: float) -> Recording:
        """End it and get what was recorded."""
        if self._job is None:
            raise TabClosed("nothing is being recorded")
        self.end()
        try:
            async with asyncio.timeout(timeout):
                recording = await self._job.result()
        except TimeoutError:
            raise DeadlineExceeded("the browser did not hand over the trace in time") from None
        self._fetched = True
        return recording

    def end(self) -> None:
        """Let it come to its end, whoever waits for it."""
        self._ending.set()

    async def drop(self) -> None:
        """End it and throw away what was recorded."""
        self.end()
        if self._job is None or self._fetched:
            return
        try:
            recording = await self._job.result()
        except (StockadeError, asyncio.CancelledError):
            return
        recording.file.close()

    async def _run(self) -> Recording:
        page = self.tab.page
        offs = (
            page.events.on(PageClosed, lambda _: self._ending.set()),
            page.events.on(FrameAttached, lambda event: self._frames.add(event.frame.id)),
        )
        self._note_frames()
        cut = False
        try:
            async with asyncio.timeout(_LONGEST):
                await self._ending.wait()
        except TimeoutError:
            cut = True
        finally:
            for off in offs:
                off()
        self._note_frames()
        duration = (asyncio.get_running_loop().time() - self._started) * 1000
        under = self.tab.session.limits.scratch
        with tempfile.TemporaryFile(dir=under) as raw:
            lost = await self._collect(raw)
            about = {"source": "DevTools", "dataOrigin": "TraceEvents", "durationMs": duration}
            out, count = await asyncio.to_thread(
                _sifted, raw, under, frozenset(self._frames), about
            )
        return Recording(out, count, self.categories, duration, cut or lost)

    def _note_frames(self) -> None:
        """Remember the frames of all tabs of the session: popups are part of what a tab does."""
        for tab in self.tab.session.tabs:
            self._frames |= {frame.id for frame in tab.page.frames}

    async def _collect(self, raw: BinaryIO) -> bool:
        """Copy the browser's trace; whether it lost something."""
        complete: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        off = self._devtools.on(
            "Tracing.tracingComplete",
            lambda event: None if complete.done() else complete.set_result(event),
        )
        try:
            await self._devtools.send("Tracing.end", timeout=_PATIENCE)
            async with asyncio.timeout(_PATIENCE):
                told = await complete
        except TimeoutError:
            raise DeadlineExceeded("the browser did not end the trace") from None
        finally:
            off()
        handle = told["stream"]
        try:
            while True:
                answer = await self._devtools.send(
                    "IO.read", {"handle": handle, "size": _PIECE}, timeout=_PATIENCE
                )
                text = answer["data"]
                encoded = answer.get("base64Encoded")
                raw.write(base64.b64decode(text) if encoded else text.encode())
                if answer["eof"]:
                    break
        finally:
            await self._devtools.send("IO.close", {"handle": handle}, timeout=_PATIENCE)
        return bool(told.get("dataLossOccurred"))


def _sifted(
    raw: BinaryIO, under: Path | None, frames: frozenset[str], about: dict[str, Any]
) -> tuple[BinaryIO, int]:
    with ExitStack() as undo:
        out = undo.enter_context(tempfile.TemporaryFile(dir=under))
        count = sift(raw, out, frames, about)
        out.seek(0)
        undo.pop_all()
    return out, count


class Tracer:
    """The one trace that a session may be recording."""

    def __init__(self) -> None:
        self._trace: Trace | None = None

    @property
    def running(self) -> bool:
        """Whether a trace is being recorded, or waits to be fetched."""
        return self._trace is not None and self._trace.running

    async def start(self, tab: Tab, categories: Sequence[str], *, timeout: float) -> bool:
        """Begin anew; whether that ended a trace nobody had fetched."""
        restarted = self.running
        await self.close()
        trace = Trace(tab, categories)
        await trace.start(timeout=timeout)
        self._trace = trace
        if self.close not in tab.session.before_end:
            tab.session.before_end.append(self.close)
        return restarted

    async def stop(self, *, timeout: float) -> Recording | None:
        """What was recorded; nothing when no trace is."""
        trace, self._trace = self._trace, None
        if trace is None or not trace.running:
            return None
        try:
            return await trace.stop(timeout=timeout)
        finally:
            trace.tab.session.work.start(trace.drop)

    async def close(self) -> None:
        """Throw away what nobody has fetched."""
        trace, self._trace = self._trace, None
        if trace is not None:
            await trace.drop()

    @asynccontextmanager
    async def during(
        self, tab: Tab, categories: Sequence[str], *, timeout: float
    ) -> AsyncIterator[Trace]:
        """Record for as long as something else takes."""
        if self.running:
            raise Conflict("perf_start is recording a trace", hint="End it with `perf_stop` first.")
        trace = Trace(tab, categories)
        await trace.start(timeout=timeout)
        self._trace = trace
        try:
            yield trace
        finally:
            self._trace = None
            tab.session.work.start(trace.drop)
