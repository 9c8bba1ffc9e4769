"""Calls of the tools in `diagnostics`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Noted(Beside):
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


class Found(Beside):
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


class Diagnosis(Beside):
    """What the records come to."""

    ok: bool
    perTool: dict[str, ToolFigures]
    topEvalJsPatterns: list[dict[str, Any]]
    capabilityDenials: dict[str, int]
    notesByCategory: dict[str, list[dict[str, Any]]]
    missingPrimitiveHypotheses: list[dict[str, Any]]
    records: NotRequired[list[Record]]


class DiagnosticsCalls(Calls):
    """Methods that call tools."""

    async def diagnostics_note(
        self,
        *,
        insight: str,
        category: str | None = None,
        severity: str | None = None,
        ref: str | None = None,
    ) -> Noted:
        """Keep a note about what worked, what did not, or which tool was missing."""
        answer = await self._call("diagnostics_note", {"insight": insight}, {"category": category, "severity": severity, "ref": ref}, in_tab=False)
        return cast("Noted", answer)


class DiagnosticsServerCalls(Calls):
    """Methods that call tools."""

    async def diagnostics_search(
        self,
        *,
        since: str | None = None,
        tool: str | None = None,
        category: str | None = None,
        session_id: str | None = None,
        limit: int | None = None,
    ) -> Found:
        """Notes and records of calls, the newest first to stay."""
        answer = await self._call("diagnostics_search", {}, {"since": since, "tool": tool, "category": category, "sessionId": session_id, "limit": limit}, in_tab=False)
        return cast("Found", answer)

    async def diagnostics_report(
        self,
        *,
        format: Literal['summary', 'full'] | None = None,
        since: str | None = None,
        session_id: str | None = None,
    ) -> Diagnosis:
        """What the records come to: time and failures by tool, scripts that recur, notes."""
        answer = await self._call("diagnostics_report", {}, {"format": format, "since": since, "sessionId": session_id}, in_tab=False)
        return cast("Diagnosis", answer)
