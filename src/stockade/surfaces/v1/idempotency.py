"""Idempotency: a request that is sent again with its key is not carried out again.

A request with a key also runs to its end when its client leaves: the client that comes back with
the key is told how it ended.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from typing import Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stockade.errors import Conflict, InvalidArgument, KeyReused, StockadeError
from stockade.surfaces.access import principal_in
from stockade.surfaces.answers import refusal
from stockade.surfaces.v1.outcomes import Outcome, Outcomes, Place
from stockade.surfaces.v1.uploads import is_upload

__all__ = ["HEADER", "REPLAYED", "Idempotency"]

HEADER: Final = "idempotency-key"
REPLAYED: Final = "idempotency-replayed"
_METHODS = frozenset({"POST", "PUT", "DELETE"})
_KEY = re.compile(r"[!-~]{1,255}")
_FAULT = 500
_NOT_KEPT = frozenset({408, 429, 499})
"""What is to be tried again, and would only be told again."""


class Idempotency:
    """Stands where the caller is known and the body has been read, unless it is a file."""

    def __init__(self, app: ASGIApp, outcomes: Outcomes | None = None) -> None:
        self._app = app
        self._outcomes = outcomes or Outcomes()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Carry a request out, or answer as its first sending was answered."""
        given = Headers(scope=scope).getlist(HEADER)
        principal = principal_in(scope)
        concerned = scope["method"] in _METHODS and scope["path"].startswith("/v1/")
        if not given or not concerned or principal is None:
            await self._app(scope, receive, send)
            return
        try:
            place = (f"{principal.tenant}/{principal.id}", _checked(given))
            body = _Body(receive, whole=not is_upload(scope))
            await body.begin()
            before = await self._before(place, _head(scope), body)
        except StockadeError as error:
            await refusal(error)(scope, receive, send)
            return
        if before is not None:
            await _replay(before, send)
            return
        await self._carry_out(place, Outcome(_head(scope), body.digest), body, scope, send)

    async def _before(self, place: Place, head: str, body: _Body) -> Outcome | None:
        """What became of the request the first time; nothing if this is the first."""
        while (known := self._outcomes.find(place)) is not None:
            if known.head != head:
                raise KeyReused("this key came with another request before")
            if known.done or known.digest is not None:
                # A file is read only to be compared, and only when there is something to compare.
                await body.drain()
                if known.digest != body.digest:
                    raise KeyReused("this key came with another body before")
            if known.too_large:
                raise Conflict(
                    "the request was carried out, but its answer was too large to be kept",
                    hint="Look at what came of it; a new key carries it out again.",
                )
            if known.done:
                return known
            await known.ended.wait()
        return None

    async def _carry_out(
        self, place: Place, outcome: Outcome, body: _Body, scope: Scope, send: Send
    ) -> None:
        complete = False

        async def noted(message: Message) -> None:
            nonlocal complete
            if message["type"] == "http.response.start":
                outcome.status = message["status"]
                outcome.headers = list(message["headers"])
            else:
                outcome.add(message.get("body", b""))
                complete = not message.get("more_body", False)
            await send(message)

        self._outcomes.begin(place, outcome)
        try:
            await self._app(scope, body.receive, noted)
        finally:
            outcome.digest = body.digest
            worth = outcome.status < _FAULT and outcome.status not in _NOT_KEPT
            if complete and worth and outcome.digest is not None:
                self._outcomes.keep(place, outcome)
            else:
                self._outcomes.end(place, outcome)


class _Body:
    """The body of a request: read at once when it is small, hashed on its way when it is a file."""

    def __init__(self, receive: Receive, *, whole: bool) -> None:
        self._receive = receive
        self._whole = whole
        self._hash = hashlib.sha256()
        self._pending: list[Message] = []
        self._ended = False

    @property
    def digest(self) -> bytes | None:
        """Of all of it; nothing as long as something is missing."""
        return self._hash.digest() if self._ended else None

    async def begin(self) -> None:
        if self._whole:
            # The layer around this one has put it into one piece.
            self._pending.append(await self._next())

    async def drain(self) -> None:
        while not self._ended:
            if (await self._next())["type"] == "http.disconnect":
                return

    async def _next(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._hash.update(message.get("body", b""))
            self._ended = not message.get("more_body", False)
        return message

    async def receive(self) -> Message:
        """What the application gets; it never hears that the client left, unless it must."""
        if not self._whole:
            return await self._next()
        if not self._pending:
            await asyncio.Event().wait()
        return self._pending.pop()


def _checked(given: list[str]) -> str:
    if len(given) > 1 or not _KEY.fullmatch(given[0]):
        raise InvalidArgument(
            "an Idempotency-Key is one header of 1 to 255 visible ASCII characters",
            hint="A random UUID is a good one.",
        )
    return given[0]


def _head(scope: Scope) -> str:
    return f"{scope['method']} {scope['path']}?{scope['query_string'].decode('latin-1')}"


async def _replay(outcome: Outcome, send: Send) -> None:
    headers = [*outcome.headers, (REPLAYED.encode(), b"true")]
    await send({"type": "http.response.start", "status": outcome.status, "headers": headers})
    await send({"type": "http.response.body", "body": bytes(outcome.body)})
