"""Diagnostics: what agents noted, and what became of calls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Annotated, Any, Literal, NotRequired

from pydantic import AwareDatetime, Field, NaiveDatetime
from typing_extensions import TypedDict

from stockade.errors import QuotaExceeded, SessionNotFound
from stockade.flows.diagnosis import report
from stockade.kernel.arguments import RARE, Arguments, InSession
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability

__all__ = ["diagnostics_note", "diagnostics_report", "diagnostics_search"]

_SOURCE = "diagnostics of earlier calls"
_MOST_REPORTED = 50_000
_TOKENS = 20_000
_FULL = 200
_Word = Annotated[str, Field(min_length=1, max_length=60)]
_Since = Annotated[AwareDatetime | NaiveDatetime | None, Field(description="ISO 8601")]


class DiagnosticsNote(InSession):
    """What was learned."""

    insight: str = Field(min_length=1, max_length=4000)
    category: _Word | None = None
    severity: _Word | None = None
    ref: Annotated[str | None, Field(max_length=200), RARE] = None


class DiagnosticsSearch(Arguments):
    """Which records."""

    since: _Since = None
    tool: _Word | None = None
    category: Annotated[_Word | None, Field(description="of notes")] = None
    session_id: Annotated[str | None, Field(max_length=100)] = None
    limit: int = Field(100, ge=1, le=1000)


class DiagnosticsReport(Arguments):
    """Of which records, and whether they come along."""

    format: Literal["summary", "full"] = "summary"
    since: _Since = None
    session_id: Annotated[str | None, Field(max_length=100)] = None


class Noted(TypedDict):
    """A note was kept."""

    ok: bool
    recorded: bool
    at: str
    category: NotRequired[str]
    severity: NotRequired[str]


class Record(TypedDict):
    """A call or a note."""

    kind: str
    at: str
    tool: NotRequired[str]
    ok: NotRequired[bool]
    args: NotRequired[dict[str, Any]]
    insight: NotRequired[str]


class Found(TypedDict):
    """Records, oldest first."""

    ok: bool
    records: list[Record]
    count: int
    truncated: bool


class ToolFigures(TypedDict):
    """What the calls of one tool came to, in milliseconds."""

    count: int
    failureCount: int
    p50Duration: float
    p95Duration: float


class Diagnosis(TypedDict):
    """What the records come to."""

    ok: bool
    perTool: dict[str, ToolFigures]
    topEvalJsPatterns: list[dict[str, Any]]
    capabilityDenials: dict[str, int]
    notesByCategory: dict[str, list[dict[str, Any]]]
    missingPrimitiveHypotheses: list[dict[str, Any]]
    records: NotRequired[list[Record]]


@tool(Capability.DIAGNOSTICS, gives=Noted, toolset="debug", reach="session")
async def diagnostics_note(call: Call, args: DiagnosticsNote) -> dict[str, Any]:
    """Keep a note about what worked, what did not, or which tool was missing."""
    noted = args.model_dump(exclude_none=True, exclude={"session"})
    record = call.masker.value({"kind": "note", **noted})
    if not await call.kernel.recorder.write(call.principal, call.session, record):
        raise QuotaExceeded(
            "the note was not kept: there is no room for more of this session",
            hint="Close the session and go on in a new one.",
        )
    told = {each: record[each] for each in ("category", "severity") if each in record}
    return {"ok": True, "recorded": True, "at": instant(), **told}


@tool(Capability.READ, gives=Found, toolset="debug", reach="server", reads=True, structured=True)
async def diagnostics_search(call: Call, args: DiagnosticsSearch) -> Result:
    """Notes and records of calls, the newest first to stay."""

    def wanted() -> list[dict[str, Any]]:
        found = _records(call, args.since, args.session_id)
        if args.tool is not None:
            found = (each for each in found if each.get("tool") == args.tool)
        if args.category is not None:
            found = (each for each in found if each.get("category") == args.category)
        return list(islice(found, args.limit + 1))

    rows = await asyncio.to_thread(wanted)
    kept = rows[: args.limit][::-1]
    data = {"ok": True, "records": kept, "count": len(kept), "truncated": len(rows) > len(kept)}
    return Result(data=data, source=_SOURCE, tokens=_TOKENS)


@tool(
    Capability.READ, gives=Diagnosis, toolset="debug", reach="server", reads=True, structured=True
)
async def diagnostics_report(call: Call, args: DiagnosticsReport) -> Result:
    """What the records come to: time and failures by tool, scripts that recur, notes."""

    def told() -> dict[str, Any]:
        newest = list(islice(_records(call, args.since, args.session_id), _MOST_REPORTED))
        data = {"ok": True, **report(reversed(newest))}
        return {**data, "records": newest[:_FULL][::-1]} if args.format == "full" else data

    return Result(data=await asyncio.to_thread(told), source=_SOURCE, tokens=_TOKENS)


def _records(call: Call, since: datetime | None, named: str | None) -> Iterator[dict[str, Any]]:
    """Those that the caller may see, newest first, without whose they are."""
    moment = ""
    if since is not None:
        at = since if since.tzinfo is not None else since.replace(tzinfo=UTC)
        moment = instant(at.timestamp())
    for record in call.kernel.recorder.kept.records(call.principal, _session(call, named)):
        if record.get("at", "") < moment:
            continue
        yield {key: each for key, each in record.items() if key not in {"tenant", "key"}}


def _session(call: Call, named: str | None) -> str:
    """The id of a session that is open under that name; what is gone has its id alone."""
    if named is None:
        return ""
    try:
        return call.kernel.sessions.find(call.principal, named).id
    except SessionNotFound:
        return named
