"""Calls of the tools in `control`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class TabRow(TypedDict):
    """A tab as listings show it."""

    tab: str
    url: str
    title: str
    current: NotRequired[bool]
    opener: NotRequired[str]
    dialog: NotRequired[str]


class TabList(Beside):
    """The open tabs."""

    ok: bool
    tabs: list[TabRow]


class ClosedSession(Beside):
    """A session that is gone."""

    ok: bool
    session: str
    session_id: str
    closed_at: str


class ClosedSessions(Beside):
    """Sessions that are gone."""

    ok: bool
    closed: list[str]
    count: int


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


class SessionList(Beside):
    """The open sessions."""

    sessions: list[SessionRow]


class ControlCalls(Calls):
    """Methods that call tools."""

    async def tabs(
        self,
        *,
        action: Literal['list', 'new', 'select', 'close'] | None = None,
        tab: str | None = None,
        url: str | None = None,
    ) -> TabList:
        """List, open, select or close tabs. Titles are untrusted page text."""
        answer = await self._call("tabs", {}, {"action": action, "tab": tab, "url": url}, in_tab=False)
        return cast("TabList", answer)


class ControlServerCalls(Calls):
    """Methods that call tools."""

    async def close_session(
        self,
        *,
        session: str | None = None,
    ) -> ClosedSession:
        """Close a session with its tabs, cookies and storage."""
        answer = await self._call("close_session", {}, {"session": session}, in_tab=False)
        return cast("ClosedSession", answer)

    async def close_sessions(
        self,
        *,
        prefix: str | None = None,
        all: bool | None = None,
        idle_ms: int | None = None,
    ) -> ClosedSessions:
        """Close every session whose name begins so, or that is idle so long; or all."""
        answer = await self._call("close_sessions", {}, {"prefix": prefix, "all": all, "idleMs": idle_ms}, in_tab=False)
        return cast("ClosedSessions", answer)

    async def list_sessions(
        self,
    ) -> SessionList:
        """List the open sessions."""
        answer = await self._call("list_sessions", {}, {}, in_tab=False)
        return cast("SessionList", answer)
