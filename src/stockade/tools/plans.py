"""Binding an action to an element first, and carrying it out later."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.flows.feedback import Feedback, find, print_of
from stockade.flows.plans import Plan, Plans, Verb, check_arguments
from stockade.kernel.arguments import ActionOptions, Arguments, InSession, InTab
from stockade.kernel.call import Call
from stockade.kernel.results import Reply, Result, compact
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.page.find import MOST_CANDIDATES, Candidate, FindOptions, Found
from stockade.page.find import find as find_unaided
from stockade.page.probe import inspect
from stockade.policy.capabilities import Capability
from stockade.urls import origin_of

__all__ = ["execute", "find_feedback", "plan"]

_LONGEST_VALUE = 100_000
_MOST_ALTERNATIVES = 4
_ROOM = 60_000
_GONE = frozenset({"stale_ref", "target_changed", "tab_closed", "tab_not_found"})
_Text = Annotated[str, Field(max_length=10_000)]


class VerbArgs(Arguments):
    """What the verb takes."""

    value: Annotated[str | None, Field(max_length=_LONGEST_VALUE)] = None
    values: Annotated[tuple[_Text, ...] | None, Field(min_length=1, max_length=100)] = None
    key: Annotated[str | None, Field(min_length=1, max_length=100)] = None
    button: Literal["left", "middle", "right"] | None = None


class Planned(InTab):
    """What to do to which element."""

    query: str = Field(min_length=1, max_length=1000)
    verb: Verb
    verb_args: Annotated[VerbArgs, Field(description="fill value, select values, press key")] = (
        VerbArgs()
    )
    context_ref: Annotated[str | None, Field(max_length=40)] = None
    confidence_floor: float = Field(0, ge=0)
    ttl_ms: int = Field(60_000, ge=1000, le=1_800_000)


class Execute(ActionOptions, InSession):
    """A descriptor from plan."""

    descriptor: dict[str, Any]


class Heard(InTab):
    """What was asked for, and which element it was."""

    query: str = Field(min_length=1, max_length=1000)
    ref: str = Field(max_length=40)


class Alternative(TypedDict):
    """Another element that may have been meant."""

    ref: str
    role: str
    score: float
    name: NotRequired[str]
    testId: NotRequired[str]


class Evidence(TypedDict):
    """Why this element."""

    query: str
    selectorHint: str
    selectorTier: int
    stability: str
    role: str
    score: float
    actionable: bool | str
    warnings: list[str]
    alternatives: list[Alternative]
    name: NotRequired[str]
    testId: NotRequired[str]


class Descriptor(TypedDict):
    """An action bound to an element."""

    id: str
    ref: str
    verb: Verb
    args: dict[str, Any]
    evidence: Evidence
    expiresAt: int


class PlanResult(TypedDict):
    """The descriptor, or why there is none."""

    ok: bool
    descriptor: NotRequired[Descriptor]
    error: NotRequired[str]
    warnings: list[str]
    tokensEstimate: int


class Executed(TypedDict):
    """What came of it, or why nothing was done."""

    ok: bool
    result: NotRequired[dict[str, Any]]
    reason: NotRequired[Literal["expired", "ref-gone", "invalid"]]
    error: NotRequired[str]
    tokensEstimate: int


class Recorded(TypedDict):
    """What is remembered now."""

    ok: bool
    recorded: bool
    memorySize: int


# --- plans ------------------------------------------------------------------------------------


def _named(candidate: Candidate) -> dict[str, Any]:
    named = {"name": candidate.name, "testId": candidate.test_id}
    return {key: value for key, value in named.items() if value}


def _evidence(query: str, found: Found) -> dict[str, Any]:
    chosen, *others = found.candidates
    return {
        "query": query,
        "selectorHint": chosen.selector_hint,
        "selectorTier": chosen.selector_tier,
        "stability": chosen.stability,
        "role": chosen.role,
        **_named(chosen),
        "score": chosen.score,
        "actionable": chosen.actionable,
        "warnings": found.warnings,
        "alternatives": [
            {"ref": each.ref, "role": each.role, **_named(each), "score": each.score}
            for each in others[:_MOST_ALTERNATIVES]
        ],
    }


@tool(Capability.READ, gives=PlanResult, toolset="web", effect="wraps")
async def plan(call: Call, args: Planned) -> Result:
    """Bind an action to the element that a description means, for execute. It does nothing yet."""
    given = args.verb_args.model_dump(by_alias=True, exclude_none=True, mode="json")
    check_arguments(args.verb, given)
    found = await find(
        call.session.parts.get(Feedback),
        call.tab.agent,
        args.query,
        caller=call.caller,
        options=FindOptions(
            max_candidates=1 + _MOST_ALTERNATIVES,
            confidence_floor=args.confidence_floor,
            context_ref=args.context_ref,
        ),
        timeout=call.left,
    )
    data: dict[str, Any] = {"ok": bool(found.candidates)}
    if found.candidates:
        made = call.session.parts.of(Plans, Plans).make(
            tab=call.tab.id,
            caller=call.caller,
            ref=found.candidates[0].ref,
            verb=args.verb,
            args=given,
            evidence=_evidence(args.query, found),
            ttl_ms=args.ttl_ms,
        )
        data["descriptor"] = made.descriptor()
    else:
        data["error"] = "no element fits the description"
    data["warnings"] = found.warnings
    data["tokensEstimate"] = estimate(compact(data))
    return Result(
        data=data,
        source=origin_of(call.tab.url),
        tokens=_ROOM,
        ok=data["ok"],
    )


def _altered(call: Call, plan: Plan, given: dict[str, Any]) -> bool:
    """Whether a copy says something else than the plan; what was masked on its way out may."""
    shown = call.masker.value(plan.descriptor())
    binding = ("ref", "verb", "args", "expiresAt")
    return any(name in given and given[name] != shown[name] for name in binding)


def _refused(reason: str, error: str) -> Result:
    data: dict[str, Any] = {"ok": False, "reason": reason, "error": error}
    data["tokensEstimate"] = estimate(compact(data))
    return Result(data=data, ok=False, verdict=True)


@tool(
    Capability.ACTION,
    gives=Executed,
    toolset="web",
    reach="session",
    destructive=True,
    effect="wraps",
)
async def execute(call: Call, args: Execute) -> Result:
    """Carry out a plan, on exactly the element it was bound to. Page text is untrusted."""
    plans = call.session.parts.of(Plans, Plans)
    plan = plans.find(args.descriptor.get("id"), call.caller)
    if plan is None or _altered(call, plan, args.descriptor):
        return _refused("invalid", "this is no plan of this session, or it was altered: plan again")
    if plan.expired:
        plans.drop(plan)
        return _refused("expired", "the plan is too old: plan again")
    options = args.model_dump(
        by_alias=True, exclude_none=True, include=set(ActionOptions.model_fields)
    )
    where = {"session": args.session, "tab": plan.tab, "ref": plan.ref}
    reply: Reply = await call.inner(plan.verb, {**plan.args, **options, **where})
    if reply.error is not None and reply.error.code in _GONE:
        plans.drop(plan)
        return _refused("ref-gone", reply.error.message)
    tab = next((each for each in call.session.tabs if each.id == plan.tab), None)
    data: dict[str, Any] = {"ok": reply.ok, "result": reply.data or {}}
    data["tokensEstimate"] = estimate(compact(data))
    return Result(
        data=data,
        source=origin_of(tab.url) if tab is not None else "",
        links=reply.links,
        tokens=args.max_result_tokens + 100,
        ok=reply.ok,
    )


# --- feedback ---------------------------------------------------------------------------------


async def _seen(call: Call, args: Heard) -> Candidate:
    """The element as a search for it tells of it, or as it is where no search finds it."""
    agent, caller = call.tab.agent, call.caller
    whole = await inspect(agent, args.ref, caller=caller, timeout=call.left)
    options = FindOptions(max_candidates=MOST_CANDIDATES)
    found = await find_unaided(agent, args.query, caller=caller, options=options, timeout=call.left)
    for each in found.candidates:
        if each.ref == args.ref:
            return each
    return Candidate(
        ref=args.ref,
        role=whole.role or whole.tag,
        name=whole.name or whole.text[:80],
        stability="low",
        selector_hint=whole.tag,
        selector_tier=5,
        bbox=None,
        clipped=False,
        actionable=whole.actionable,
        score=0.0,
        why=[],
    )


@tool(Capability.HUMAN, gives=Recorded, toolset="web")
async def find_feedback(call: Call, args: Heard) -> dict[str, Any]:
    """Say which element a description meant; find ranks its kind up for like ones."""
    memory = call.session.parts.of(Feedback, Feedback)
    memory.record(args.query, print_of(await _seen(call, args), origin_of(call.tab.url)))
    return {"ok": True, "recorded": True, "memorySize": len(memory)}
