"""Logins: links that let a person in to the console. For admins alone."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response
from typing_extensions import TypedDict

from stockade.kernel.envelope import Envelope
from stockade.surfaces.access import address_in, admin
from stockade.surfaces.answers import answer
from stockade.surfaces.logins import CODE_SECONDS, Logins
from stockade.surfaces.v1.accepting import json_only
from stockade.surfaces.v1.statuses import LIST, documented

__all__ = ["routes"]


class LoginMade(TypedDict):
    """A link that logs a browser in to the console, once."""

    ok: bool
    url: str
    expiresIn: int


def routes(logins: Logins, envelope: Envelope) -> APIRouter:
    """The routes of this noun."""
    router = APIRouter(prefix="/v1", tags=["keys"], dependencies=[Depends(json_only)])

    @router.post(
        "/logins",
        summary="A link that logs a browser in to the console, once",
        status_code=201,
        responses=documented(LoginMade, LIST, status=201),
    )
    async def post_login(request: Request) -> Response:
        async with envelope.change(admin(request), "logins.create"):
            code = logins.issue()
        url = f"{address_in(request.headers)}/login?code={code}"
        return answer({"ok": True, "url": url, "expiresIn": int(CODE_SECONDS)}, 201)

    return router
