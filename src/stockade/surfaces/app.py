"""The web application: every HTTP surface behind the same layers."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from stockade.config import Settings
from stockade.errors import (
    BadRequest,
    InternalError,
    InvalidArgument,
    MethodNotAllowed,
    Missing,
    StockadeError,
)
from stockade.kernel.complaints import complaints
from stockade.kernel.dispatch import Kernel
from stockade.policy.policy import Policy
from stockade.store.keys import Keys
from stockade.surfaces import health
from stockade.surfaces.access import Access
from stockade.surfaces.answers import refused, tagged
from stockade.surfaces.authentication import Authentication, cookie_name
from stockade.surfaces.bodies import Bodies
from stockade.surfaces.console import routes as console
from stockade.surfaces.console.view import View
from stockade.surfaces.guard import Guard, Hosts
from stockade.surfaces.health import Health
from stockade.surfaces.logins import Logins
from stockade.surfaces.tabs import router as tabs
from stockade.surfaces.tabs.keyring import Keyring
from stockade.surfaces.tabs.manner import Manner
from stockade.surfaces.tabs.segments import Segments
from stockade.surfaces.v1 import router as v1
from stockade.surfaces.v1.idempotency import Idempotency
from stockade.surfaces.v1.openapi import Description

__all__ = ["Parts", "web_application"]

_METHODS = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
_MCP = "/mcp"
_NOT_FOUND = 404
_METHOD = 405


@dataclass(frozen=True)
class Parts:
    """What the application is made of."""

    kernel: Kernel
    settings: Settings
    policy: Policy
    keys: Keys
    logins: Logins
    mcp: ASGIApp
    port: int
    """The port it is reached at."""
    version: str
    no_auth: bool = False
    loopback: bool = False
    """Whether nobody but this machine can reach it."""


def web_application(parts: Parts) -> ASGIApp:
    """Every route, behind the guard and the door."""
    beat = Health(parts.kernel, parts.version)
    view = View(parts.kernel, parts.settings, parts.policy, beat, parts.no_auth)
    cookie = cookie_name(parts.port)
    routes = FastAPI(
        title="Stockade",
        version=parts.version,
        openapi_url=None,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
        exception_handlers={
            StockadeError: _refused,
            HTTPException: _refused,
            RequestValidationError: _refused,
            Exception: _refused,
        },
    )
    routes.include_router(v1.routes(parts.kernel, parts.keys, parts.logins))
    routes.include_router(tabs.routes(parts.kernel))
    routes.include_router(health.routes(beat))
    description = Description(routes, parts.kernel.registry)
    pages = console.Console(view, parts.logins, cookie, description)
    routes.include_router(console.routes(pages))
    routes.router.routes.append(_Mounted(_MCP, parts.mcp, include_in_schema=False))

    @routes.get("/openapi.json", include_in_schema=False)
    async def describe(request: Request) -> Response:
        return tagged(request, await description.body())

    door = Authentication(
        Bodies(
            Idempotency(_HeadAsGet(Segments(routes))),
            parts.settings.evaluate_body,
            compat=parts.settings.compat,
        ),
        parts.keys,
        parts.policy,
        parts.logins,
        cookie=cookie,
        no_auth=parts.no_auth,
        public_metrics=parts.settings.public_metrics,
        keyring=Keyring.of(parts.settings, loopback=parts.loopback),
    )
    hosts = Hosts(parts.settings.host, parts.settings.public_hosts)
    return Access(Manner(Guard(door, hosts)), parts.kernel.metrics)


class _Mounted(Route):
    """Another application at one address, which the log knows by that address."""

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["route"] = self
        await super().handle(scope, receive, send)


class _HeadAsGet:
    """Answers HEAD like GET; the server below leaves the body out."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "HEAD" or scope["path"] == _MCP:
            # There, what GET opens is a stream without an end.
            await self._app(scope, receive, send)
            return
        inner = {**scope, "method": "GET", "stockade.head": True}
        try:
            await self._app(inner, receive, send)
        finally:
            if "route" in inner:
                scope["route"] = inner["route"]


async def _refused(request: Request, failure: Exception) -> Response:
    """Any error, in the manner of its surface; what it says never holds what was sent."""
    scope = request.scope
    if isinstance(failure, StockadeError):
        return refused(scope, failure)
    if isinstance(failure, RequestValidationError):
        return refused(scope, InvalidArgument(complaints(failure.errors())))
    if isinstance(failure, HTTPException) and failure.status_code == _METHOD:
        allowed = _allowed(request)
        error = MethodNotAllowed("that method does nothing at this address", hint=f"Use {allowed}.")
        return refused(scope, error, headers={"allow": allowed})
    if isinstance(failure, HTTPException):
        return refused(scope, _of_http(failure))
    return refused(scope, InternalError("something went wrong here", hint="The log has the rest."))


def _of_http(failure: HTTPException) -> StockadeError:
    if failure.status_code == _NOT_FOUND:
        return Missing(
            "there is nothing at this address", hint="See /openapi.json for what there is."
        )
    return BadRequest("the request cannot be read")


def _allowed(request: Request) -> str:
    """The methods that do something at the address, found by trying each."""
    asked = {"type": "http", "path": request.scope["path"], "headers": []}
    found = [
        method
        for method in _METHODS
        if any(
            route.matches({**asked, "method": "GET" if method == "HEAD" else method})[0]
            is Match.FULL
            for route in request.app.router.routes
        )
    ]
    return ", ".join(found)
