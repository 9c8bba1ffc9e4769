"""Calls of the tools in `determinism`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class AppliedRate(TypedDict):
    """How much slower it is now."""

    throttleRate: float


class CpuResult(Beside):
    """What came of it."""

    ok: bool
    applied: AppliedRate
    reset: bool
    tokensEstimate: int


class AppliedClock(TypedDict):
    """What time it is in the pages."""

    mode: str
    nowIso: str
    paused: bool


class ClockResult(Beside):
    """What came of it."""

    ok: bool
    applied: AppliedClock
    warning: NotRequired[str]


class AppliedSeed(TypedDict):
    """The seed in use."""

    seed: int


class SeedResult(Beside):
    """What came of it."""

    ok: bool
    applied: AppliedSeed


class DeterminismCalls(Calls):
    """Methods that call tools."""

    async def cpu_emulate(
        self,
        *,
        throttle_rate: float | None = None,
    ) -> CpuResult:
        """Slow the processor down for all tabs of the session, now and to come."""
        answer = await self._call("cpu_emulate", {}, {"throttleRate": throttle_rate}, in_tab=False)
        return cast("CpuResult", answer)

    async def clock(
        self,
        *,
        mode: Literal['freeze', 'advance', 'release'],
        at_iso: str | None = None,
        by_ms: float | None = None,
    ) -> ClockResult:
        """Stop the pages' time, move it on (due timers fire in order), or let it run again."""
        answer = await self._call("clock", {"mode": mode}, {"atIso": at_iso, "byMs": by_ms}, in_tab=False)
        return cast("ClockResult", answer)

    async def seed_random(
        self,
        *,
        seed: int,
    ) -> SeedResult:
        """Make Math.random repeatable in pages, frames and workers; crypto stays random."""
        answer = await self._call("seed_random", {"seed": seed}, {}, in_tab=False)
        return cast("SeedResult", answer)
