"""Bodies of requests: JSON, of a size and depth that can be read whole, unless they are files.

Forms are for the console alone, whose own pages send them.
"""

from __future__ import annotations

import asyncio
import json
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stockade.errors import (
    InvalidArgument,
    RequestTooLarge,
    RequestTooSlow,
    StockadeError,
    WrongMediaType,
)
from stockade.masking.background import run_if_large
from stockade.surfaces.answers import refused
from stockade.surfaces.json_shape import shape_fault
from stockade.surfaces.tabs.places import holds_cookies, is_evaluate, is_tab_place
from stockade.surfaces.v1.uploads import is_upload

__all__ = ["Bodies", "check_json"]

LARGEST_BODY = 4 * 1024 * 1024
_LARGEST_TAB_BODY = 100 * 1024
_LARGEST_COOKIES = 512 * 1024
_ENVELOPE = 65536
"""What may stand around a script, and what its quoting may add."""
_BODY_SECONDS = 30.0
_JSON, _FORM = "application/json", "application/x-www-form-urlencoded"


class Bodies:
    """Reads the body before anyone else does, so that every route gets one that can be used."""

    def __init__(self, app: ASGIApp, script: int = LARGEST_BODY, *, compat: bool = False) -> None:
        self._app = app
        self._script = script + _ENVELOPE
        """Bytes of a body that holds a script for the tab API."""
        self._compat = compat
        """Whether bodies of the tab API may be no larger than its original takes them."""

    def _largest(self, path: str) -> int:
        if is_evaluate(path):
            return self._script
        if not self._compat or not is_tab_place(path):
            return LARGEST_BODY
        return _LARGEST_COOKIES if holds_cookies(path) else _LARGEST_TAB_BODY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read and check the body, then pass it on in one piece."""
        headers = Headers(scope=scope)
        bodiless = "content-length" not in headers and "transfer-encoding" not in headers
        if bodiless or is_upload(scope):
            await self._app(scope, receive, send)
            return
        try:
            largest = self._largest(scope["path"])
            kind = _FORM if scope["path"].startswith("/console/") else _JSON
            body = await _read(headers, receive, largest, kind)
        except StockadeError as error:
            await refused(scope, error)(scope, receive, send)
            return
        if body is None:
            return
        pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replayed() -> Message:
            return pending.pop() if pending else await receive()

        await self._app(scope, replayed, send)


async def _read(headers: Headers, receive: Receive, largest: int, wanted: str) -> bytes | None:
    """The whole body, or nothing if the client left."""
    declared = headers.get("content-length", "0")
    if not declared.isdigit() or int(declared) > largest:
        raise _too_large(largest)
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                part = message.get("body", b"")
                parts.append(part)
                size += len(part)
                if size > largest:
                    raise _too_large(largest)
                if not message.get("more_body", False):
                    break
    except TimeoutError:
        raise RequestTooSlow("the body of the request did not arrive in time") from None
    body = b"".join(parts)
    if body:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != wanted or "content-encoding" in headers:
            what = "JSON" if wanted == _JSON else "a form"
            raise WrongMediaType(f"the body of a request is {what}")
        if wanted == _JSON:
            await run_if_large(len(body), lambda: check_json(body))
    return body


def _too_large(largest: int) -> RequestTooLarge:
    return RequestTooLarge(f"the body of a request holds at most {largest} bytes")


def check_json(body: bytes) -> None:
    """Refuse what is not JSON, and what two readers could read differently."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise InvalidArgument("the body is not valid UTF-8") from None
    if fault := shape_fault(body):
        raise InvalidArgument(
            f"the body is {fault}", hint="Send less at once, or long values as a text."
        )
    try:
        json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise InvalidArgument(
            "the body is not JSON, or gives a name twice", hint="Send one JSON object."
        ) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice")
    return found


def _no_number(name: str) -> None:
    raise ValueError(name)
