"""Making room by the tab API: idle tabs are closed when memory is short."""

from __future__ import annotations

from typing import Any, get_args

from pydantic import Field
from typing_extensions import TypedDict

from stockade.kernel.arguments import Arguments
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.sessions.pressure import Reason, Relief, Row, relieve

__all__ = ["camofox_pressure_cleanup"]

_TOKENS = 1_000_000


class Pressure(Arguments):
    """How far a cleanup goes."""

    dry_run: bool = True
    min_idle_ms: float = Field(600_000, ge=0, le=1e12)
    max_tabs_to_close: int = Field(4, ge=0, le=10_000)
    min_tabs_per_session: int = Field(1, ge=0, le=10_000)
    close_empty_sessions: bool = True


class Counted(TypedDict):
    """How much there is."""

    sessions: int
    tabs: int


class IdleTab(TypedDict):
    """A tab, under names that nobody can use."""

    session: str
    tab: str
    group: str
    idleMs: int
    toolCalls: int


class Preserved(TypedDict):
    """Why tabs stayed, and how many."""

    locked: int
    session_minimum: int
    first_observation: int
    recently_active: int
    below_min_idle: int


class Relieved(TypedDict):
    """What a cleanup found and did."""

    ok: bool
    dryRun: bool
    minIdleMs: float
    maxTabsToClose: int
    minTabsPerSession: int
    before: Counted
    candidates: int
    selected: list[IdleTab]
    closed: list[IdleTab]
    preserved: Preserved
    after: Counted


@tool(
    Capability.NAVIGATION,
    gives=Relieved,
    toolset="camofox",
    reach="server",
    destructive=True,
    inner=False,
)
async def camofox_pressure_cleanup(call: Call, args: Pressure) -> Result:
    """Close the tabs that have been idle longest; only a dry run unless told otherwise."""
    sessions = call.kernel.sessions
    done = await relieve(
        sessions,
        sessions.visible_to(call.principal),
        Relief(
            dry=args.dry_run,
            min_idle=args.min_idle_ms / 1000,
            most=args.max_tabs_to_close,
            min_tabs=args.min_tabs_per_session,
            empty_sessions=args.close_empty_sessions,
        ),
    )
    data = {
        "ok": True,
        "dryRun": args.dry_run,
        "minIdleMs": args.min_idle_ms,
        "maxTabsToClose": args.max_tabs_to_close,
        "minTabsPerSession": args.min_tabs_per_session,
        "before": done.before._asdict(),
        "candidates": done.candidates,
        "selected": [_idle_tab(row) for row in done.selected],
        "closed": [_idle_tab(row) for row in done.closed],
        "preserved": {name: done.preserved[name] for name in get_args(Reason)},
        "after": done.after._asdict(),
    }
    return Result(data=data, tokens=_TOKENS)


def _idle_tab(row: Row) -> dict[str, Any]:
    return {
        "session": row.session,
        "tab": row.tab,
        "group": row.group,
        "idleMs": round(row.idle * 1000),
        "toolCalls": row.calls,
    }
