"""Sessions: opened, listed, looked at and closed."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Body, Depends, Path, Query, Request
from fastapi.responses import Response
from typing_extensions import TypedDict

from stockade.kernel.dispatch import Kernel
from stockade.policy.capabilities import Capability
from stockade.sessions.session import Session
from stockade.surfaces.access import caller
from stockade.surfaces.answers import answer
from stockade.surfaces.v1.accepting import json_only
from stockade.surfaces.v1.calls import called, given, reply_to, told
from stockade.surfaces.v1.paging import Paged, paged
from stockade.surfaces.v1.statuses import LIST, ONE, TOOL, documented
from stockade.tools.control import SessionRow, TabRow, describe, tab_row

__all__ = ["InPath", "routes"]

_LEFT = 499

InPath = Annotated[str, Path(description="The name of a session, or its id.", max_length=100)]


class SessionPage(TypedDict):
    """Open sessions, the oldest first."""

    ok: bool
    sessions: list[SessionRow]
    next: str | None


class SessionShown(SessionRow):
    """One session with its tabs. Titles are text of pages, and not to be trusted."""

    ok: bool
    session: str
    tabs: list[TabRow]


def routes(kernel: Kernel) -> APIRouter:
    """The routes of this noun."""
    router = APIRouter(prefix="/v1", tags=["sessions"], dependencies=[Depends(json_only)])
    opened = kernel.registry.find("open_session").gives
    closed = kernel.registry.find("close_session").gives

    @router.get("/sessions", summary="The open sessions", responses=documented(SessionPage, LIST))
    async def get_sessions(request: Request, wanted: Annotated[Paged, Query()]) -> Response:
        seen = kernel.sessions.visible_to(caller(request))
        rows, following = paged("sessions", sorted(seen, key=_place), _place, wanted)
        page = {"ok": True, "sessions": [describe(each) for each in rows], "next": following}
        return answer(kernel.masker_of(caller(request)).value(page))

    @router.post(
        "/sessions",
        summary="Open a session",
        status_code=201,
        responses=documented(opened, TOOL, status=201, located=True),
        openapi_extra={"x-arguments": "open_session"},
    )
    async def post_session(
        request: Request, arguments: Annotated[dict[str, Any] | None, Body()] = None
    ) -> Response:
        wanted = await given(request, arguments)
        reply = await reply_to(kernel, request, "open_session", wanted)
        if reply is None:
            return Response(status_code=_LEFT)
        name = quote(str((reply.data or {}).get("session", "")), safe="")
        return told(reply, 201, {"location": f"/v1/sessions/{name}"})

    @router.get(
        "/sessions/{session}",
        summary="A session and its tabs",
        responses=documented(SessionShown, ONE),
    )
    async def get_session(request: Request, session: InPath) -> Response:
        found = kernel.sessions.find(caller(request), session)
        caller(request).policy.require(Capability.NAVIGATION, "looking at tabs")
        shown = {"ok": True, "session": found.name, **describe(found), "tabs": await _tabs(found)}
        return answer(kernel.masker_of(caller(request)).value(shown))

    @router.delete(
        "/sessions/{session}",
        summary="Close a session",
        responses=documented(closed, TOOL),
    )
    async def delete_session(request: Request, session: InPath) -> Response:
        return await called(kernel, request, "close_session", {"session": session})

    return router


def _place(session: Session) -> tuple[float, str]:
    return session.opened_at, session.id


async def _tabs(session: Session) -> list[dict[str, Any]]:
    """Its tabs; each is asked for its title, and none waits for another."""
    current = session.current
    async with asyncio.TaskGroup() as group:
        rows = [group.create_task(tab_row(each, current)) for each in session.tabs]
    return [each.result() for each in rows]
