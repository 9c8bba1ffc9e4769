"""The pages of the console, and the way in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from stockade.errors import ApprovalNotFound, Conflict, InvalidArgument, Refused
from stockade.policy.principal import Principal, Role
from stockade.surfaces.access import address_in, is_https, principal_in
from stockade.surfaces.answers import answer
from stockade.surfaces.authentication import CHALLENGE
from stockade.surfaces.console import questions
from stockade.surfaces.console.manual import written
from stockade.surfaces.console.markup import Markup, asset, render
from stockade.surfaces.console.view import View
from stockade.surfaces.logins import SESSION_SECONDS, Logins
from stockade.surfaces.v1.accepting import prefers_page
from stockade.surfaces.v1.openapi import Description

__all__ = ["Console", "routes"]

_SEE_OTHER = 303


def routes(console: Console) -> APIRouter:
    """The routes of this surface."""
    router = APIRouter(include_in_schema=False)
    router.get("/")(console.home)
    router.get("/console")(console.console)
    router.get("/login")(console.login)
    router.post("/console/logout")(console.logout)
    router.get("/console/approvals")(console.approvals)
    router.get("/console/approvals/{id}/picture")(console.portrait)
    router.post("/console/approvals/{id}/{act}")(console.answer)
    router.get("/console/style.css")(_style)
    router.get("/console/icon.svg")(_icon)
    router.get("/docs")(console.manual)
    return router


@dataclass(frozen=True)
class Console:
    """The pages, for those who may see them."""

    view: View
    logins: Logins
    cookie: str
    description: Description

    async def home(self, request: Request) -> Response:
        """The console, or how to get to it; programs are told whether the server runs."""
        if not prefers_page(request.headers):
            return answer(await self._running())
        operator = _operator(request)
        if operator is not None:
            return await self._console(request, operator)
        renew = render("renew", url=address_in(request.headers))
        return self._page("Stockade", render("welcome", renew=renew))

    async def _running(self) -> dict[str, Any]:
        facts = (await self.view.health.pulse()).facts
        running = bool(self.view.kernel.sessions.browsers.alive)
        return {
            "ok": True,
            "enabled": True,
            "running": running,
            "engine": facts["engine"],
            "browserConnected": running and facts["browserConnected"],
            "browserRunning": running,
        }

    async def console(self, request: Request) -> Response:
        """The console, for an operator."""
        operator = _operator(request)
        if operator is not None:
            return await self._console(request, operator)
        return self._challenge(request, "The console is for the operator of this server.")

    async def login(self, request: Request) -> Response:
        """Turn a code into a browser session."""
        if request.scope.get("stockade.head"):
            # Whoever only looks whether a link works must not use it up.
            return Response(status_code=204)
        secret = self.logins.redeem(request.query_params.get("code", ""))
        if secret is None:
            return self._turned_away(
                request,
                "This link has been used, or is too old",
                "A login link works once, for fifteen minutes.",
                410,
            )
        async with self.view.kernel.envelope.change(Principal("console"), "console.login"):
            response = RedirectResponse("/console", _SEE_OTHER)
        response.set_cookie(
            self.cookie,
            secret,
            max_age=int(SESSION_SECONDS),
            httponly=True,
            samesite="strict",
            # Only ever stricter for it, so it does not matter who says so.
            secure=is_https(request.headers),
        )
        return response

    async def logout(self, request: Request) -> Response:
        """End the browser session."""
        if "origin" not in request.headers:
            raise Refused("this is for the console's own pages")
        async with self.view.kernel.envelope.change(Principal("console"), "console.logout"):
            self.logins.end(request.cookies.get(self.cookie, ""))
        response = RedirectResponse("/", _SEE_OTHER)
        response.delete_cookie(self.cookie, httponly=True, samesite="strict")
        return response

    async def approvals(self, request: Request) -> Response:
        """What waits for a person."""
        operator = _operator(request)
        if operator is None:
            return self._challenge(request, "Approvals are for the operator of this server.")
        content = questions.page(self.view.kernel.approvals.listed(operator))
        return self._page("Approvals · Stockade", content, actions=render("actions"))

    async def portrait(self, request: Request, id: str) -> Response:
        """The picture of what a question is about."""
        operator = _operator(request)
        if operator is None:
            return self._challenge(request, "Approvals are for the operator of this server.")
        picture = self.view.kernel.approvals.find(operator, id).picture
        if picture is None:
            raise ApprovalNotFound("this question has no picture")
        return Response(picture.data, media_type=picture.mime_type)

    async def answer(self, request: Request, id: str, act: str) -> Response:
        """Decide a question, by a button of our own page."""
        operator = _operator(request)
        if operator is None:
            return self._challenge(request, "Approvals are for the operator of this server.")
        if "origin" not in request.headers:
            raise Refused("this is for the console's own pages")
        approvals = self.view.kernel.approvals
        question = approvals.find(operator, id)
        choices = {
            f"choice-{number}": each
            for number, each in enumerate(question.facts.get("choices", ()))
        }
        try:
            if act in choices:
                await approvals.answer(operator, id, "answer", value=choices[act])
            elif act == "answer":
                await approvals.answer(operator, id, "answer", value=await _written(request))
            elif act == "approve":
                await approvals.answer(operator, id, "approve")
            elif act == "deny":
                await approvals.answer(operator, id, "deny")
            else:
                raise InvalidArgument(
                    "a question is answered with approve, deny, answer or a choice"
                )
        except Conflict as error:
            return self._turned_away(request, "Somebody was faster", error.message, 409)
        return RedirectResponse("/console/approvals", _SEE_OTHER)

    async def manual(self, request: Request) -> Response:
        """How the server is called, for everybody who may call it."""
        if principal_in(request.scope) is None:
            return self._challenge(request, "The manual is for those who may call this server.")
        content = written(await self.description.document())
        return self._page("Manual · Stockade", content)

    async def _console(self, request: Request, operator: Principal) -> HTMLResponse:
        sessions = self.view.kernel.sessions.visible_to(operator)
        waiting = questions.notice(self.view.kernel.approvals.listed(operator))
        content = await self.view.console(address_in(request.headers), sessions, waiting)
        return self._page("Console · Stockade", content, actions=render("actions"))

    def _challenge(self, request: Request, reason: str) -> HTMLResponse:
        response = self._turned_away(request, "Log in first", reason, 401)
        response.headers["www-authenticate"] = CHALLENGE
        return response

    def _turned_away(
        self, request: Request, heading: str, reason: str, status: int
    ) -> HTMLResponse:
        renew = render("renew", url=address_in(request.headers))
        content = render("refused", heading=heading, reason=reason, renew=renew)
        return self._page(f"{heading} · Stockade", content, status=status)

    def _page(
        self, title: str, content: Markup, *, actions: Markup | None = None, status: int = 200
    ) -> HTMLResponse:
        whole = render(
            "page",
            title=title,
            content=content,
            actions=actions or Markup(),
            version=self.view.health.version,
        )
        return HTMLResponse(self.view.kernel.masker.text(whole), status)


async def _style() -> Response:
    return _asset("style.css", "text/css")


async def _icon() -> Response:
    return _asset("icon.svg", "image/svg+xml")


def _operator(request: Request) -> Principal | None:
    principal = principal_in(request.scope)
    return principal if principal is not None and principal.has_role(Role.OPERATOR) else None


async def _written(request: Request) -> str:
    """What a person has written into the form of a question."""
    try:
        given = parse_qs((await request.body()).decode(), keep_blank_values=True, max_num_fields=1)
    except ValueError:
        raise InvalidArgument("this is not the form of the question") from None
    # Forms send the line ends of old.
    return given.get("value", [""])[0].replace("\r\n", "\n")


def _asset(name: str, media_type: str) -> Response:
    return Response(asset(name), media_type=media_type, headers={"cache-control": "max-age=3600"})
