"""Access: every request has an id, its lines in the log and an answer, however it ends."""

from __future__ import annotations

import asyncio
import secrets
import time

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stockade.errors import InternalError, StockadeError, Stopping, Unauthenticated
from stockade.policy.principal import Principal, Role
from stockade.surfaces.answers import SAFE_HEADERS, refused
from stockade.surfaces.request_lines import RequestLines
from stockade.telemetry.logs import about, get_logger
from stockade.telemetry.metrics import Metrics

__all__ = ["Access", "address_in", "admin", "caller", "is_https", "principal_in"]

_LEFT = 499
"""What the log says of a client that did not wait for its answer."""

_log = get_logger("stockade.http")


def principal_in(scope: Scope) -> Principal | None:
    """Who makes the request, once that is known."""
    principal = scope.get("stockade.principal")
    return principal if isinstance(principal, Principal) else None


def caller(request: Request) -> Principal:
    """Who makes the request, where nothing is for nobody."""
    principal = principal_in(request.scope)
    if principal is None:
        raise Unauthenticated("a token is needed")
    return principal


def admin(request: Request) -> Principal:
    """Who makes the request, where everything is for admins alone."""
    principal = caller(request)
    principal.require(Role.ADMIN, "this")
    return principal


def is_https(headers: Headers) -> bool:
    """Whether a proxy says that its client speaks TLS; nothing is allowed for it."""
    return headers.get("x-forwarded-proto") == "https"


def address_in(headers: Headers) -> str:
    """The server as its client calls it; the guard has checked that name."""
    return f"{'https' if is_https(headers) else 'http'}://{headers['host']}"


class Access:
    """The outermost layer."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request_id = secrets.token_hex(4)
        scope["stockade.request_id"] = request_id
        started = time.perf_counter()
        status = _LEFT

        async def heard() -> Message:
            message = await receive()
            lines.heard(message)
            return message

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                lines.begin()
                status = message["status"]
                MutableHeaders(scope=message)["x-request-id"] = request_id
            await send(message)

        with about(reqId=request_id):
            lines = RequestLines(scope)
            try:
                await self._app(scope, heard, noted)
            except asyncio.CancelledError:
                # Nobody cancels a request but the server when it ends, and nobody is above us.
                failure: StockadeError | None = Stopping("the server is stopping")
            except Exception:  # noqa: BLE001
                _log.exception("request failed")
                failure = InternalError(
                    "something went wrong here", hint=f"The log has the rest: {request_id}"
                )
            else:
                failure = None
            try:
                if failure is not None and status == _LEFT:
                    closing = {"connection": "close", **SAFE_HEADERS}
                    last_word = refused(scope, failure, headers=closing)
                    await last_word(scope, heard, noted)
            finally:
                self._note(scope, lines, status, time.perf_counter() - started)

    def _note(self, scope: Scope, lines: RequestLines, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "")
        principal = principal_in(scope)
        lines.end(
            status,
            round(seconds * 1000, 1),
            route=route,
            principal=principal.id if principal is not None else "",
        )
        self._metrics.request(scope["method"], route or "none", status, seconds)
