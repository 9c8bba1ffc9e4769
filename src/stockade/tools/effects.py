"""An action, and what came of it: the elements it changed, the answer it brought."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.flows.answers import Wanted, listening
from stockade.flows.differences import difference
from stockade.kernel.arguments import AddressPattern, Arguments, InTab, Scope
from stockade.kernel.call import Call
from stockade.kernel.results import Reply, Result
from stockade.kernel.sanitise import shown_url
from stockade.kernel.targets import scope_of
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.urls import origin_of

__all__ = [
    "Action",
    "act",
    "act_and_diff",
    "act_and_wait_for_network",
    "beside",
    "data_of",
    "ensure_acts",
]

_LONGEST_WAIT = 120_000


class Action(Arguments):
    """A call of a tool that acts."""

    tool: str = Field(max_length=100)
    args: dict[str, Any] = Field(default_factory=dict)


class ActAndDiff(InTab):
    """What to do, and where to look."""

    action: Action
    scope: Scope = None


class Match(Arguments):
    """Which answer."""

    url_pattern: AddressPattern | None = None
    method: Annotated[str | None, Field(min_length=1, max_length=20)] = None
    status: Annotated[int | None, Field(ge=100, le=599)] = None


class ActAndWait(InTab):
    """What to do, and which answer to wait for."""

    action: Action
    match: Match
    timeout_ms: int = Field(10_000, ge=1, le=_LONGEST_WAIT)

    @property
    def lasts(self) -> float:
        return 30.0


class ClassDelta(TypedDict):
    """Classes that came and went."""

    added: list[str]
    removed: list[str]


class ChangedElement(TypedDict):
    """An element that is another now; each delta is left out where it is empty."""

    path: str
    tag: str
    testId: NotRequired[str]
    classDelta: NotRequired[ClassDelta]
    styleDelta: NotRequired[dict[str, dict[str, str | None]]]
    attrDelta: NotRequired[dict[str, dict[str, str | None]]]
    textDelta: NotRequired[dict[str, str]]
    valueDelta: NotRequired[dict[str, str]]
    frame: NotRequired[str]


class Moved(TypedDict):
    """The top of what came or went."""

    path: str
    tag: str
    testId: NotRequired[str]
    text: NotRequired[str]
    frame: NotRequired[str]


class Counts(TypedDict):
    """How many there are in all."""

    changed: int
    added: int
    removed: int


class Diff(TypedDict):
    """Elements that changed, came and went."""

    changed: list[ChangedElement]
    added: list[Moved]
    removed: list[Moved]
    counts: Counts
    notes: NotRequired[list[str]]


class ActedAndDiffed(TypedDict):
    """What came of the action, and what it changed."""

    ok: bool
    action: dict[str, Any]
    diff: Diff


class Answered(TypedDict):
    """The answer, if it came."""

    matched: bool
    method: NotRequired[str]
    url: NotRequired[str]
    status: NotRequired[int]
    failure: NotRequired[str]


class ActedAndAnswered(TypedDict):
    """What came of the action, and the answer."""

    ok: bool
    action: dict[str, Any]
    network: Answered


def ensure_acts(call: Call, action: Action) -> None:
    """Refuse what is no action, or holds others."""
    registry = call.kernel.registry
    if not registry.knows(action.tool):
        return
    found = registry.find(action.tool)
    nests = "action" in found.arguments.model_fields or "calls" in found.arguments.model_fields
    if found.reads or nests or not found.inner:
        raise InvalidArgument(
            f"{action.tool} is not an action that can be part of {call.tool.name}"
        )


async def act(call: Call, action: Action, where: dict[str, Any]) -> Reply:
    """Run an action through its own gates."""
    reply: Reply = await call.inner(action.tool, {**call.placed(action.tool, where), **action.args})
    return reply


def data_of(reply: Reply) -> dict[str, Any]:
    """What came of it, as data."""
    return reply.data if reply.data is not None else {"text": reply.text}


def beside(replies: tuple[Reply, ...]) -> dict[str, Any]:
    """The pictures and files of inner calls."""
    return {
        "images": tuple(image for reply in replies for image in reply.images),
        "links": tuple(link for reply in replies for link in reply.links),
    }


@tool(Capability.READ, gives=ActedAndDiffed, toolset="web", held_by_dialog=False, effect="wraps")
async def act_and_diff(call: Call, args: ActAndDiff) -> Result:
    """Run an action and list the elements it changed, added and removed. They are untrusted."""
    ensure_acts(call, args.action)
    scope = await scope_of(call, args.scope)
    async with difference(
        call.tab.agent, scope=scope, caller=call.caller, timeout=call.left
    ) as found:
        acted = await act(call, args.action, args.place)
    diff: dict[str, Any] = {**found.rows, "counts": found.counts}
    if found.notes:
        diff["notes"] = found.notes
    return Result(
        data={"ok": acted.ok, "action": data_of(acted), "diff": diff},
        source=origin_of(call.tab.url),
        tokens=8000,
        ok=acted.ok,
        **beside((acted,)),
    )


@tool(Capability.READ, gives=ActedAndAnswered, toolset="web", held_by_dialog=False, effect="wraps")
async def act_and_wait_for_network(call: Call, args: ActAndWait) -> Result:
    """Run an action and wait for an answer from the network, which may come meanwhile."""
    ensure_acts(call, args.action)
    wanted = Wanted(args.match.url_pattern, args.match.method, args.match.status)
    clock = asyncio.get_running_loop().time
    ends = clock() + args.timeout_ms / 1000
    with listening(call.tab.page, wanted) as answers:
        acted = await act(call, args.action, args.place)
        found = await answers.first(timeout=ends - clock() if acted.ok else 0.0)
    answer: dict[str, Any] = {"matched": found is not None}
    if found is not None:
        answer |= {"method": found.method, "url": shown_url(found.url)}
        if found.status is not None:
            answer["status"] = found.status
        if found.failure:
            answer["failure"] = found.failure
    ok = acted.ok and found is not None
    return Result(
        data={"ok": ok, "action": data_of(acted), "network": answer},
        source=origin_of(call.tab.url),
        ok=ok,
        **beside((acted,)),
    )
