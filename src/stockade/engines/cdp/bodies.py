"""Bodies of logged requests and answers, fetched from the browser while it has them."""

from __future__ import annotations

import asyncio
import base64
from typing import TypeVar

import msgspec

from stockade.engines.cdp.connection import Session
from stockade.engines.cdp.exchanges import Exchange
from stockade.engines.cdp.requests import RequestLog
from stockade.engines.events import Events, Request, RequestFinished
from stockade.errors import (
    ContentGone,
    DeadlineExceeded,
    InvalidArgument,
    NavigationRace,
    ProtocolFault,
    TabClosed,
    TabCrashed,
)

__all__ = ["request_body", "response_body"]

T = TypeVar("T")

_UNREAD_AFTER = 0.5
"""Seconds without an end after which a body may be one that nobody reads."""


class _Body(msgspec.Struct):
    body: str
    base64Encoded: bool = False


class _PostData(msgspec.Struct):
    postData: str
    base64Encoded: bool = False


async def response_body(
    log: RequestLog, events: Events, request_id: str, *, timeout: float
) -> bytes:
    """The body of an answer, once it is there in full.

    A page that does not read a body never ends the request; where bodies are kept it is there
    all the same.
    """
    ends = asyncio.get_running_loop().time() + timeout
    request, exchange = _find(log, request_id)
    if request.routed_body is not None:
        return request.routed_body
    if request.ended is None:
        try:
            await _ended(events, request, min(timeout, _UNREAD_AFTER))
        except DeadlineExceeded:
            unread = await _unread(request, exchange, ends)
            if unread is not None:
                return unread
            await _ended(events, request, ends - asyncio.get_running_loop().time())
    if request.redirected_to:
        raise ContentGone("the answer was a redirect", redirected_to=request.redirected_to)
    return await _body(exchange, ends - asyncio.get_running_loop().time())


async def _ended(events: Events, request: Request, timeout: float) -> None:
    if request.ended is None:
        await events.wait(
            RequestFinished, where=lambda event: event.request is request, timeout=timeout
        )


async def _unread(request: Request, exchange: Exchange, ends: float) -> bytes | None:
    """A body that is there in full, by its own account, although the request has not ended."""
    lengths = [v for n, v in request.response_headers.items() if n.lower() == "content-length"]
    if request.answered is None or not lengths:
        return None
    try:
        body = await _body(exchange, ends - asyncio.get_running_loop().time())
    except ContentGone:
        return None
    return body if str(len(body)) == lengths[0] else None


async def _body(exchange: Exchange, timeout: float) -> bytes:
    answer = await _ask(
        exchange.session, "Network.getResponseBody", exchange.number, _Body, timeout
    )
    return base64.b64decode(answer.body) if answer.base64Encoded else answer.body.encode()


async def request_body(log: RequestLog, request_id: str, *, timeout: float) -> bytes:
    """The body a request was sent with."""
    request, exchange = _find(log, request_id)
    if not request.has_post_data:
        return b""
    answer = await _ask(
        exchange.sender, "Network.getRequestPostData", exchange.number, _PostData, timeout
    )
    return base64.b64decode(answer.postData) if answer.base64Encoded else answer.postData.encode()


def _find(log: RequestLog, request_id: str) -> tuple[Request, Exchange]:
    found = log.find(request_id)
    if found is not None:
        return found
    if log.known(request_id):
        raise ContentGone("the request is no longer in the log")
    raise InvalidArgument(f"no request has the id {request_id!r}")


async def _ask(session: Session, method: str, number: str, kind: type[T], timeout: float) -> T:
    try:
        return await session.send_typed(method, {"requestId": number}, kind, timeout=timeout)
    except (NavigationRace, TabClosed, TabCrashed, ProtocolFault) as error:
        raise ContentGone("the browser no longer has the body", reason=error.message) from error
