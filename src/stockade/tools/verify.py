"""Checks that hold or say what does not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, ClassVar, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import (
    DeadlineExceeded,
    InvalidArgument,
    StaleRef,
    TargetAmbiguous,
    TargetNotFound,
)
from stockade.flows import checks, predicates
from stockade.flows.checks import Check, Unmet
from stockade.kernel.arguments import Coordinates, Exact, InSession, InTab, OnTarget
from stockade.kernel.call import Call
from stockade.kernel.results import Result, compact
from stockade.kernel.sightings import masked_reading, sightings
from stockade.kernel.targets import target_of
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.masking.background import run_in_background
from stockade.page.checks import count, read
from stockade.page.probe import point_probe
from stockade.page.waiting import wait_until
from stockade.policy.capabilities import Capability
from stockade.urls import origin_of

__all__ = [
    "verify_attribute",
    "verify_count",
    "verify_predicate",
    "verify_text",
    "verify_value",
    "verify_visible",
]

_LONGEST_WAIT = 60_000
_GRACE = 15.0
"""Seconds that the last look may take after the time to wait is over."""

_Wait = Annotated[int, Field(ge=0, le=_LONGEST_WAIT, description="keep trying for so long")]


class _Patient(InTab):
    """How long a check is tried until it holds."""

    timeout_ms: _Wait = 0

    @property
    def lasts(self) -> float:
        return _GRACE


class Subject(OnTarget, _Patient):
    """Which element."""

    found_first: ClassVar[bool] = False


class Says(Subject):
    """Which text."""

    text: str = Field(max_length=100_000)
    exact: Exact = False


class Holds(Subject):
    """Which value."""

    value: str = Field(max_length=100_000)


class Has(Subject):
    """Which attribute, and with which value if one is wanted."""

    attr: str = Field(min_length=1, max_length=200)
    value: Annotated[str | None, Field(max_length=100_000)] = None


class Number(_Patient):
    """Of what, and how many."""

    selector: Annotated[str | None, Field(min_length=1, max_length=2000)] = None
    text: Annotated[str | None, Field(min_length=1, max_length=1000)] = None
    n: int = Field(ge=0, le=1_000_000)


class Question(InSession):
    """A predicate, and the data it is about."""

    predicate: Annotated[
        dict[str, Any], Field(description="{kind,key,value} or {kind:and|or|not,predicates}")
    ]
    data: dict[str, Any]


class Shortfall(TypedDict):
    """What did not hold, and what was there instead."""

    source: Literal["app", "stockade", "caller"]
    kind: str
    expected: str
    actual: Any
    evidence: NotRequired[dict[str, Any]]


class Verdict(TypedDict):
    """Whether it holds."""

    ok: bool
    failure: NotRequired[Shortfall]
    tokensEstimate: NotRequired[int]


def _verdict(unmet: Unmet | None, source: str = "") -> Result:
    if unmet is None:
        return Result(data={"ok": True})
    failure: dict[str, Any] = {
        "source": unmet.source,
        "kind": unmet.kind,
        "expected": unmet.expected,
        "actual": unmet.actual,
    }
    if unmet.evidence:
        failure["evidence"] = unmet.evidence
    data: dict[str, Any] = {"ok": False, "failure": failure}
    data["tokensEstimate"] = estimate(compact(data))
    return Result(data=data, source=source, ok=False, verdict=True)


async def _in_time(
    call: Call, args: _Patient, look: Callable[[], Awaitable[Unmet | None]]
) -> Result:
    """Look until it holds or time is up; the last look is what is told."""
    last: Unmet | None = None

    async def held() -> bool | None:
        nonlocal last
        last = await look()
        return True if last is None else None

    try:
        await wait_until(call.tab.agent, held, timeout=args.timeout_ms / 1000)
    except DeadlineExceeded:
        if last is None:
            raise
    return _verdict(last, origin_of(call.tab.url))


async def _element(call: Call, args: Subject) -> str:
    found = await target_of(call, args)
    if isinstance(found, Coordinates):
        there = await point_probe(
            call.tab.agent, found.x, found.y, caller=call.caller, timeout=call.left
        )
        if not there.stack:
            raise TargetNotFound("nothing is at that point")
        return there.stack[0].ref
    if found is None:
        raise InvalidArgument(
            f"{call.tool.name} needs an element", hint="Give its ref, a selector, or a point."
        )
    return found


async def _checked(call: Call, args: Subject, check: Check, attr: str | None = None) -> Result:
    async def look() -> Unmet | None:
        try:
            ref = await _element(call, args)
            reading = await read(call.tab.agent, ref, attr=attr, timeout=call.left)
        except (TargetNotFound, StaleRef) as error:
            return Unmet("not_found", check.expected, error.message)
        except TargetAmbiguous as error:
            seen = {key: error.details[key] for key in ("count", "candidates")}
            return Unmet("ambiguous", check.expected, error.message, seen, "caller")
        unmet = check.judge(masked_reading(call, reading))
        if unmet is not None:
            unmet.evidence.update(ref=ref, element=reading.description)
        return unmet

    return await _in_time(call, args, look)


@tool(Capability.READ, gives=Verdict, toolset="test", reads=True)
async def verify_visible(call: Call, args: Subject) -> Result:
    """Check that an element can be seen."""
    return await _checked(call, args, checks.visible())


@tool(Capability.READ, gives=Verdict, toolset="test", reads=True)
async def verify_text(call: Call, args: Says) -> Result:
    """Check what an element says; a failure shows its text, which is untrusted."""
    return await _checked(call, args, checks.text(args.text, exact=args.exact))


@tool(Capability.READ, gives=Verdict, toolset="test", reads=True)
async def verify_value(call: Call, args: Holds) -> Result:
    """Check what a field holds."""
    return await _checked(call, args, checks.value(args.value))


@tool(Capability.READ, gives=Verdict, toolset="test", reads=True)
async def verify_attribute(call: Call, args: Has) -> Result:
    """Check that an element has an attribute, with a value if one is given."""
    return await _checked(call, args, checks.attribute(args.attr, args.value), args.attr)


@tool(Capability.READ, gives=Verdict, toolset="test", reads=True)
async def verify_count(call: Call, args: Number) -> Result:
    """Check how many elements a selector means, or in how many places a text stands."""
    if (args.selector is None) == (args.text is None):
        raise InvalidArgument("verify_count takes a selector or a text")
    what = args.selector if args.selector is not None else f"text {args.text}"
    expected = f"{args.n} of {what}"

    async def look() -> Unmet | None:
        agent, caller = call.tab.agent, call.caller
        if args.selector is not None:
            found = await count(agent, args.selector, caller=caller, timeout=call.left)
            number, evidence = found.count, {"visible": found.rendered}
        else:
            places = await sightings(call, args.text or "", max_matches=1, values=False)
            number, evidence = places.count, {}
        if number == args.n:
            return None
        return Unmet("count", expected, number, {"matching": what, **evidence})

    return await _in_time(call, args, look)


@tool(Capability.READ, gives=Verdict, toolset="test", reach="server", reads=True)
async def verify_predicate(_: Call, args: Question) -> Result:
    """Check data, such as an action's result, against a predicate; no code is run."""
    predicate = await run_in_background(lambda: predicates.checked(args.predicate))
    miss = await run_in_background(
        lambda: predicates.evaluate(predicate, args.data), pool=predicates.PATTERNS
    )
    if miss is None:
        return _verdict(None)
    evidence = {"key": miss.key} if miss.key is not None else {}
    return _verdict(Unmet(miss.kind, miss.expected, miss.actual, evidence))
