"""Sessions and their tabs."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.arguments import Arguments, InSession
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.sessions.options import SessionOptions
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.urls import origin_of

__all__ = ["close_session", "close_sessions", "list_sessions", "tabs"]


_PAGES = "several pages"
"""Whose word addresses and titles are, where they are of more than one page."""


class CloseSession(InSession):
    """Which session ends."""


class CloseSessions(Arguments):
    """Which sessions end: those that all of this holds for."""

    prefix: Annotated[str | None, Field(min_length=1, max_length=100)] = None
    all: bool = False
    idle_ms: Annotated[int | None, Field(ge=0, le=2_000_000_000)] = None


class Nothing(Arguments):
    """No arguments."""


class Tabs(InSession):
    """What to do with which tab."""

    action: Literal["list", "new", "select", "close"] = "list"
    tab: Annotated[str | None, Field(max_length=40)] = None
    url: Annotated[str | None, Field(max_length=65536, description="for new")] = None


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


class ClosedSession(TypedDict):
    """A session that is gone."""

    ok: bool
    session: str
    session_id: str
    closed_at: str


class ClosedSessions(TypedDict):
    """Sessions that are gone."""

    ok: bool
    closed: list[str]
    count: int


class SessionList(TypedDict):
    """The open sessions."""

    sessions: list[SessionRow]


class TabRow(TypedDict):
    """A tab as listings show it."""

    tab: str
    url: str
    title: str
    current: NotRequired[bool]
    opener: NotRequired[str]
    dialog: NotRequired[str]


class TabList(TypedDict):
    """The open tabs."""

    ok: bool
    tabs: list[TabRow]


def _mode(options: SessionOptions) -> str:
    if options.attached:
        return "attached"
    return "incognito" if options.profile is None else "persistent"


def describe(session: Session) -> dict[str, Any]:
    """A session as listings show it."""
    current = session.current
    return {
        "id": session.name,
        "session_id": session.id,
        "mode": _mode(session.options),
        "engine": "chromium",
        "isolation": session.isolation,
        "running": session.running,
        "url": current.url if current is not None else None,
        "pages": len(session.tabs),
        "openedAt": instant(session.opened_at),
    }


@tool(
    None,
    gives=ClosedSession,
    reach="server",
    structured=True,
    inner=False,
    idempotent=True,
    destructive=True,
)
async def close_session(call: Call, args: CloseSession) -> dict[str, Any]:
    """Close a session with its tabs, cookies and storage."""
    session = call.kernel.sessions.find(call.principal, args.session)
    await call.kernel.sessions.close(session)
    return {
        "ok": True,
        "session": session.name,
        "session_id": session.id,
        "closed_at": instant(),
    }


@tool(
    None,
    gives=ClosedSessions,
    toolset="debug",
    reach="server",
    inner=False,
    idempotent=True,
    destructive=True,
)
async def close_sessions(call: Call, args: CloseSessions) -> dict[str, Any]:
    """Close every session whose name begins so, or that is idle so long; or all."""
    if args.prefix is None and args.idle_ms is None and not args.all:
        raise InvalidArgument("close_sessions takes prefix, idleMs or all")
    sessions = call.kernel.sessions
    meant = [
        each
        for each in sessions.visible_to(call.principal)
        if each.name.startswith(args.prefix or "")
        and (args.idle_ms is None or each.life.idle_for * 1000 >= args.idle_ms)
    ]
    for number, session in enumerate(meant):
        await call.report(number, len(meant), session.name)
        await sessions.close(session)
    return {"ok": True, "closed": [each.name for each in meant], "count": len(meant)}


@tool(None, gives=SessionList, reach="server", reads=True, structured=True)
async def list_sessions(call: Call, args: Nothing) -> Result:
    """List the open sessions."""
    del args
    rows = [describe(each) for each in call.kernel.sessions.visible_to(call.principal)]
    return Result(data={"sessions": rows}, source=_PAGES if any(row["url"] for row in rows) else "")


async def tab_row(tab: Tab, current: Tab | None) -> dict[str, Any]:
    """A tab as listings show it."""
    shown = tab.session.policy.admits(tab.url)
    row: dict[str, Any] = {
        "tab": tab.id,
        "url": tab.url if shown else origin_of(tab.url),
        "title": await tab.title() if shown else "",
    }
    if tab is current:
        row["current"] = True
    if tab.page.opener is not None and (opener := tab.session.tab_of(tab.page.opener)) is not None:
        row["opener"] = opener.id
    if tab.page.dialog is not None:
        row["dialog"] = tab.page.dialog.kind
    return row


@tool(Capability.NAVIGATION, gives=TabList, reach="session", structured=True)
async def tabs(call: Call, args: Tabs) -> Result:
    """List, open, select or close tabs. Titles are untrusted page text."""
    session = call.session
    if args.action == "new":
        tab = await session.new_tab()
        if args.url is not None:
            address = call.policy.check_address(args.url)
            await tab.page.navigate(address.href, timeout=call.left)
    elif args.action in {"select", "close"}:
        if args.tab is None:
            raise InvalidArgument(f"{args.action} needs the id of a tab")
        chosen = await session.tab(args.tab)
        if args.action == "select":
            session.select(chosen.id)
            await chosen.page.activate(timeout=call.left)
        else:
            await session.close_tab(chosen)
    current = session.current
    rows = [await tab_row(each, current) for each in session.tabs]
    return Result(data={"ok": True, "tabs": rows}, source=_PAGES)
