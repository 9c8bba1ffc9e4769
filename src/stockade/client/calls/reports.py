"""Calls of the tools in `reports`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls
from stockade.client.calls.action_results import Region, Summary


class SessionMetrics(Beside):
    """What the session's calls cost so far."""

    ok: bool
    session: str
    callsByTool: dict[str, int]
    durationMsByTool: dict[str, float]
    errorsByTool: dict[str, int]
    tokensEstimateSum: int
    capabilityDenials: int
    sessionStartedAt: str
    sessionDurationMs: int
    tokensEstimate: int


class ConsoleReport(TypedDict):
    """What the page said last."""

    total: int
    errors: int
    warnings: int
    last: list[dict[str, str]]


class NetworkReport(TypedDict):
    """What went over the line."""

    summary: Summary
    failed: list[dict[str, Any]]


class SessionRow(TypedDict):
    """A session as listings show it."""

    id: str
    session_id: str
    mode: str
    engine: str
    isolation: str
    running: bool
    url: str | None
    pages: int
    openedAt: str


class SessionReport(Beside):
    """A session at a glance."""

    ok: bool
    session: str
    mode: str
    url: str
    title: str
    console: ConsoleReport
    network: NetworkReport
    regions: list[Region]
    sessions: list[SessionRow]
    note: str | None
    tokensEstimate: int


class Limits(TypedDict):
    """How much of what."""

    callDeadlineMs: int
    callsAtATime: int
    tabs: int
    sessionIdleMs: int
    downloadBytes: int
    uploadBytes: int


class ConfigView(TypedDict):
    """Settings that concern the caller."""

    capabilities: NotRequired[list[str]]
    confirmRequired: NotRequired[list[str]]
    toolsets: NotRequired[list[str]]
    allowedOrigins: NotRequired[list[list[str]] | list[str]]
    blockedOrigins: NotRequired[list[str]]
    isolation: NotRequired[str]
    limits: NotRequired[Limits]
    viewport: NotRequired[dict[str, int]]
    dialogPolicy: NotRequired[str]
    permissionPolicy: NotRequired[dict[str, Any]]
    notificationPolicy: NotRequired[str]
    fsPickerPolicy: NotRequired[dict[str, Any]]
    locale: NotRequired[str | None]
    timezoneId: NotRequired[str | None]


class ConfigShown(Beside):
    """What holds, and from where."""

    ok: bool
    scope: str
    config: ConfigView
    note: NotRequired[str]
    capabilitiesPendingRestart: NotRequired[list[str]]


class ReportsCalls(Calls):
    """Methods that call tools."""

    async def session_metrics(
        self,
    ) -> SessionMetrics:
        """What this session's calls cost: counts, time, errors, tokens."""
        answer = await self._call("session_metrics", {}, {}, in_tab=False)
        return cast("SessionMetrics", answer)

    async def export_session_report(
        self,
        *,
        note: str | None = None,
    ) -> SessionReport:
        """The session at a glance: page, console, network, regions. They are untrusted."""
        answer = await self._call("export_session_report", {}, {"note": note}, in_tab=False)
        return cast("SessionReport", answer)


class ReportsServerCalls(Calls):
    """Methods that call tools."""

    async def get_config(
        self,
        *,
        session: str | None = None,
        scope: Literal['defaults', 'env', 'user', 'project', 'session', 'resolved'] | None = None,
    ) -> ConfigShown:
        """The settings that hold for you and a session; nothing can be changed here."""
        answer = await self._call("get_config", {}, {"session": session, "scope": scope}, in_tab=False)
        return cast("ConfigShown", answer)
