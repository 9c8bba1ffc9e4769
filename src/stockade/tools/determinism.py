"""What makes a page repeatable: its clock, its chance, and the speed of its processor."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AwareDatetime, Field, NaiveDatetime
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.instruments.clock import PageClock
from stockade.instruments.randomness import Randomness
from stockade.kernel.arguments import InSession
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import compact
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.sessions import device

__all__ = ["clock", "cpu_emulate", "seed_random"]

_YEAR_MS = 366 * 86_400_000
_FIRST = datetime(1970, 1, 1, tzinfo=UTC)
_LAST = datetime(9999, 1, 1, tzinfo=UTC)


class CpuEmulate(InSession):
    """How much slower."""

    throttle_rate: Annotated[float, Field(ge=1, le=100, description="1 is full speed")] = 1


class ClockArguments(InSession):
    """What to do with the time."""

    mode: Literal["freeze", "advance", "release"]
    at_iso: Annotated[AwareDatetime | NaiveDatetime | None, Field(description="for freeze")] = None
    by_ms: Annotated[float | None, Field(ge=0, le=_YEAR_MS, description="for advance")] = None


class SeedRandom(InSession):
    """Where the sequence begins."""

    seed: int = Field(ge=0, le=4_294_967_295)


class AppliedRate(TypedDict):
    """How much slower it is now."""

    throttleRate: float


class CpuResult(TypedDict):
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


class ClockResult(TypedDict):
    """What came of it."""

    ok: bool
    applied: AppliedClock
    warning: NotRequired[str]


class AppliedSeed(TypedDict):
    """The seed in use."""

    seed: int


class SeedResult(TypedDict):
    """What came of it."""

    ok: bool
    applied: AppliedSeed


@tool(
    Capability.ACTION,
    gives=CpuResult,
    toolset="perf",
    reach="session",
    structured=True,
    idempotent=True,
)
async def cpu_emulate(call: Call, args: CpuEmulate) -> dict[str, Any]:
    """Slow the processor down for all tabs of the session, now and to come."""
    told = await device.change(call.session, cpu_slowdown=args.throttle_rate, timeout=call.left)
    data: dict[str, Any] = {
        "ok": True,
        "applied": {"throttleRate": told.cpu_slowdown},
        "reset": told.cpu_slowdown == 1,
    }
    return {**data, "tokensEstimate": estimate(compact(data))}


@tool(Capability.ACTION, gives=ClockResult, toolset="test", reach="session", structured=True)
async def clock(call: Call, args: ClockArguments) -> dict[str, Any]:
    """Stop the pages' time, move it on (due timers fire in order), or let it run again."""
    session = call.session
    pages = session.parts.of(PageClock, PageClock)
    at = _moment(args.at_iso)
    if args.mode == "freeze":
        remarks = await pages.freeze(session, at, timeout=call.left)
    elif args.mode == "release":
        remarks = await pages.release(session, timeout=call.left)
    else:
        seconds = _distance(args.by_ms, at, pages.now(session))
        remarks = await pages.advance(session, seconds, timeout=call.left)
    applied = {
        "mode": args.mode,
        "nowIso": instant(pages.now(session)),
        "paused": pages.frozen(session),
    }
    return {"ok": True, "applied": applied, **({"warning": "; ".join(remarks)} if remarks else {})}


def _moment(at: datetime | None) -> float | None:
    """In seconds; a moment without a zone is meant in UTC."""
    if at is None:
        return None
    moment = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    if not _FIRST <= moment < _LAST:
        raise InvalidArgument("atIso is a moment between the years 1970 and 9999")
    return moment.timestamp()


def _distance(by_ms: float | None, at: float | None, now: float) -> float:
    if by_ms is not None:
        return by_ms / 1000
    if at is None:
        raise InvalidArgument("advance needs byMs", hint="Or atIso, a moment to advance to.")
    if at < now:
        raise InvalidArgument("atIso is in the past: time advances", hint="Use freeze to go back.")
    return at - now


@tool(
    Capability.ACTION,
    gives=SeedResult,
    toolset="test",
    reach="session",
    structured=True,
    idempotent=True,
)
async def seed_random(call: Call, args: SeedRandom) -> dict[str, Any]:
    """Make Math.random repeatable in pages, frames and workers; crypto stays random."""
    randomness = call.session.parts.of(Randomness, Randomness)
    await randomness.seed(call.session, args.seed, timeout=call.left)
    return {"ok": True, "applied": {"seed": args.seed}}
