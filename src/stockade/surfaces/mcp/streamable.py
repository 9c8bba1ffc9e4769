"""Streamable HTTP: the transport of the SDK, for callers that we know."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Final

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import RequestBodyLimitMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from stockade.kernel.dispatch import Kernel
from stockade.policy.principal import Principal
from stockade.surfaces.mcp.caller import Caller
from stockade.surfaces.mcp.endpoint import Context, made
from stockade.surfaces.mcp.framing import Unreadable, decode, encode
from stockade.surfaces.mcp.lines import LONGEST_LINE

__all__ = ["Streamable"]

_CALLER: Final = "stockade.mcp.caller"
_MOST_CONVERSATIONS: Final = 1000


class Streamable:
    """Both eras of the protocol, the one with handshakes and the one without."""

    def __init__(self, kernel: Kernel) -> None:
        self._manager = StreamableHTTPSessionManager(
            made(kernel, _caller_of),
            max_request_body_size=LONGEST_LINE,
            max_sessions=_MOST_CONVERSATIONS,
        )
        self._limited = RequestBodyLimitMiddleware(self._readable, LONGEST_LINE)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Serve while this is entered; once only."""
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send, caller: Caller) -> None:
        """Answer one request of `caller`, to whom alone the conversations it begins belong."""
        known = {
            **scope,
            # White space around a value is no part of it, but not every parser takes it off.
            "headers": [(name, value.strip(b" \t")) for name, value in scope["headers"]],
            "user": _user(caller.principal),
            _CALLER: caller,
        }
        await self._limited(known, receive, send)

    async def _readable(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is no message before the SDK does, which would repeat it to the sender."""
        if scope["method"] != "POST":
            await self._manager.handle_request(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        try:
            decode(body)
        except Unreadable as error:
            answer = Response(encode(error.answer), 400, media_type="application/json")
            await answer(scope, receive, send)
            return
        unread: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def again() -> Message:
            return unread.pop() if unread else await receive()

        await self._manager.handle_request(scope, again, send)


def _caller_of(ctx: Context) -> Caller:
    request = ctx.request
    if not isinstance(request, Request):
        raise TypeError("a request without its HTTP request")
    caller: Caller = request.scope[_CALLER]
    return caller


def _user(principal: Principal) -> AuthenticatedUser:
    """The caller as the SDK compares it with whoever began a conversation."""
    return AuthenticatedUser(
        AccessToken(
            token="",
            client_id=principal.id,
            scopes=[],
            subject=principal.client,
            claims={"iss": principal.tenant},
        )
    )
