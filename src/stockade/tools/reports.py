"""What a session did, what it cost, and what holds for it."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.config import Settings
from stockade.engines.values import Emulation
from stockade.errors import DeadlineExceeded, EngineError, SessionNotFound
from stockade.flows.metrics import CallCounts
from stockade.kernel.action_result import Region, Summary
from stockade.kernel.arguments import InSession
from stockade.kernel.call import Call
from stockade.kernel.evidence import summary
from stockade.kernel.instant import instant
from stockade.kernel.results import Result, compact
from stockade.kernel.sanitise import shown_url
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.page.regions import regions
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.sessions.asking import Asking
from stockade.sessions.options import Rule
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.tools.control import SessionRow, describe
from stockade.urls import origin_of

__all__ = ["export_session_report", "get_config", "session_metrics"]

_LAST_LINES = 20
_LAST_REQUESTS = 20
_FAILED = 400


class ReportNote(InSession):
    """What to put at its end."""

    note: Annotated[str | None, Field(max_length=10_000)] = None


class Config(InSession):
    """Whose settings."""

    scope: Literal["defaults", "env", "user", "project", "session", "resolved"] = "resolved"


class SessionMetrics(TypedDict):
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


class SessionReport(TypedDict):
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


class ConfigView(TypedDict, total=False):
    """Settings that concern the caller."""

    capabilities: list[str]
    confirmRequired: list[str]
    toolsets: list[str]
    allowedOrigins: list[list[str]] | list[str]
    blockedOrigins: list[str]
    isolation: str
    limits: Limits
    viewport: dict[str, int]
    dialogPolicy: str
    permissionPolicy: dict[str, Any]
    notificationPolicy: str
    fsPickerPolicy: dict[str, Any]
    locale: str | None
    timezoneId: str | None


class ConfigShown(TypedDict):
    """What holds, and from where."""

    ok: bool
    scope: str
    config: ConfigView
    note: NotRequired[str]
    capabilitiesPendingRestart: NotRequired[list[str]]


@tool(Capability.READ, gives=SessionMetrics, reach="session", toolset="debug", reads=True)
async def session_metrics(call: Call, args: InSession) -> dict[str, Any]:
    """What this session's calls cost: counts, time, errors, tokens."""
    del args
    session = call.session
    counts = session.parts.of(CallCounts, CallCounts)
    data: dict[str, Any] = {
        "ok": True,
        "session": session.name,
        "callsByTool": dict(counts.calls),
        "durationMsByTool": {tool: round(ms, 1) for tool, ms in counts.milliseconds.items()},
        "errorsByTool": dict(counts.errors),
        "tokensEstimateSum": counts.tokens,
        "capabilityDenials": counts.denials,
        "sessionStartedAt": instant(session.opened_at),
        "sessionDurationMs": round((time.time() - session.opened_at) * 1000),
    }
    data["tokensEstimate"] = estimate(compact(data))
    return data


@tool(
    Capability.READ,
    gives=SessionReport,
    reach="session",
    toolset="debug",
    reads=True,
    held_by_dialog=False,
)
async def export_session_report(call: Call, args: ReportNote) -> Result:
    """The session at a glance: page, console, network, regions. They are untrusted."""
    tab = await call.session.tab()
    call.policy.check_shown(tab.url)
    data: dict[str, Any] = {
        "ok": True,
        "session": call.session.name,
        "mode": describe(call.session)["mode"],
        "url": tab.url,
        "title": await tab.title(),
        "console": _console(tab),
        "network": _network(tab),
        "regions": await _regions(call, tab),
        "sessions": [describe(each) for each in call.kernel.sessions.visible_to(call.principal)],
        "note": args.note,
    }
    data["tokensEstimate"] = estimate(compact(data))
    return Result(data=data, source=origin_of(tab.url))


def _console(tab: Tab) -> dict[str, Any]:
    lines = list(tab.page.console)
    errors = list(tab.page.errors)
    last: list[dict[str, Any]] = [
        *({"ts": line.at, "type": line.level, "text": line.text} for line in lines),
        *({"ts": error.at, "type": "pageerror", "text": error.text} for error in errors),
    ]
    last.sort(key=lambda row: row["ts"])
    return {
        "total": len(last),
        "errors": len(errors) + sum(line.level == "error" for line in lines),
        "warnings": sum(line.level == "warning" for line in lines),
        "last": [{**row, "ts": instant(row["ts"])} for row in last[-_LAST_LINES:]],
    }


def _network(tab: Tab) -> dict[str, Any]:
    requests = list(tab.page.requests)
    failed = [each for each in requests if each.failure or (each.status or 0) >= _FAILED]
    return {
        "summary": summary(requests).model_dump(by_alias=True),
        "failed": [
            {
                "method": each.method,
                "url": shown_url(each.url),
                **({"status": each.status} if each.status else {}),
                **({"failure": each.failure} if each.failure else {}),
            }
            for each in failed[-_LAST_REQUESTS:]
        ],
    }


async def _regions(call: Call, tab: Tab) -> list[dict[str, Any]]:
    try:
        return await regions(tab.agent, caller=call.caller, timeout=call.left)
    except (EngineError, DeadlineExceeded):
        # A page that is held or crashed has none to show.
        return []


@tool(None, gives=ConfigShown, reach="server", toolset="debug", reads=True)
async def get_config(call: Call, args: Config) -> dict[str, Any]:
    """The settings that hold for you and a session; nothing can be changed here."""
    data: dict[str, Any] = {"ok": True, "scope": args.scope}
    settings = call.kernel.settings
    session = _session(call, args.session)
    if args.scope == "defaults":
        plain = Settings.model_construct()
        policy = Policy.stated(
            capabilities=plain.capabilities,
            allowed=plain.allowed_origins,
            blocked=plain.blocked_origins,
            confirm=plain.confirm_required,
        )
        data["config"] = _view(plain, policy, None, plain.toolsets)
    elif args.scope == "session":
        data["config"] = _session_view(session) if session is not None else {}
        if session is None:
            data["note"] = "the session is not open"
    elif args.scope == "resolved":
        policy = session.policy if session is not None else call.principal.policy
        shown = sorted(call.toolsets) if call.toolsets is not None else ["all"]
        data["config"] = _view(settings, policy, session, tuple(shown))
        pending = call.kernel.overlay.pending(call.principal.tenant, call.principal.policy)
        if pending:
            data["capabilitiesPendingRestart"] = pending
    elif args.scope != "env":
        data["config"] = call.kernel.overlay.layer(call.principal.tenant, args.scope)
    else:
        data["config"] = {}
        data["note"] = "where the operator set something is not shown; resolved is what holds"
    return data


def _session(call: Call, name: str) -> Session | None:
    try:
        return call.kernel.sessions.find(call.principal, name)
    except SessionNotFound:
        return None


def _view(
    settings: Settings, policy: Policy, session: Session | None, toolsets: tuple[str, ...]
) -> dict[str, Any]:
    return {
        "capabilities": sorted(policy.capabilities),
        "toolsets": list(toolsets),
        "allowedOrigins": [[rule.text for rule in rules] for rules in policy.allowed],
        "blockedOrigins": [rule.text for rule in policy.blocked],
        "confirmRequired": sorted(rule.text for rule in policy.confirmed),
        "isolation": session.isolation if session is not None else settings.isolation,
        "limits": {
            "callDeadlineMs": round(settings.call_deadline * 1000),
            "callsAtATime": settings.calls_per_user,
            "tabs": settings.max_tabs_per_session,
            "sessionIdleMs": round(settings.session_idle * 1000),
            "downloadBytes": settings.download_quota,
            "uploadBytes": settings.upload_quota,
        },
        **_session_view(session),
    }


def _session_view(session: Session | None) -> dict[str, Any]:
    told = session.emulation if session is not None else Emulation()
    return {
        "viewport": {"width": told.viewport.width, "height": told.viewport.height},
        **event_policies(session),
        "locale": told.locale,
        "timezoneId": told.timezone,
    }


def event_policies(session: Session | None) -> dict[str, Any]:
    """What becomes of what pages ask for."""
    if session is None:
        rule, notifications, pickers, dialogs = Rule(), "raise", Rule(), "raise"
    else:
        asking = Asking.of(session)
        rule, notifications = asking.permissions.rule, asking.notifications
        pickers, dialogs = asking.pickers.rule, session.dialogs.mode
    return {
        "dialogPolicy": dialogs,
        "permissionPolicy": {"mode": rule.mode, "perPermission": dict(rule.per)},
        "notificationPolicy": notifications,
        "fsPickerPolicy": {"mode": pickers.mode, "perAPI": dict(pickers.per)},
    }
