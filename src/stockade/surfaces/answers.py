"""Answers: JSON over HTTP, and the one shape in which every error is told."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from stockade.errors import StockadeError
from stockade.kernel.codes import code_of, error_body

__all__ = [
    "SAFE_HEADERS",
    "answer",
    "encoded",
    "is_known",
    "refusal",
    "refused",
    "tagged",
    "tells_errors_by",
    "waiting",
]

_MANNER = "stockade.refusal"
_LEAST_WAIT = 1
"""Seconds after which whatever is busy now may be asked again."""

SAFE_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # With `no-referrer` browsers send `Origin: null` with our own forms.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""What every answer says, unless it says something else itself."""


def encoded(value: Any) -> bytes:
    """JSON as bytes; half a character that a page left behind becomes a question mark."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace")


def answer(
    value: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """A JSON object."""
    return Response(encoded(value), status, headers, media_type="application/json")


def refusal(
    error: StockadeError, *, status: int | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """An error, with the status of its code."""
    shown = {**waiting(error), **(headers or {})}
    return answer(error_body(error), status or code_of(error).status, shown)


class Refusal(Protocol):
    """How a surface tells an error."""

    def __call__(
        self, error: StockadeError, *, headers: Mapping[str, str] | None = None
    ) -> Response:
        """The error as an answer."""


def tells_errors_by(scope: Scope, manner: Refusal) -> None:
    """Whatever becomes of this request, its errors are told in that manner."""
    scope[_MANNER] = manner


def refused(
    scope: Scope, error: StockadeError, *, headers: Mapping[str, str] | None = None
) -> Response:
    """An error, in the manner of the surface that the request came to."""
    manner: Refusal = scope.get(_MANNER, refusal)
    return manner(error, headers=headers)


def waiting(error: StockadeError | None) -> dict[str, str]:
    """When to come back, where coming back helps."""
    if error is None or not error.retryable or code_of(error).status not in {429, 503}:
        return {}
    return {"retry-after": str(error.details.get("retryAfter", _LEAST_WAIT))}


def tagged(request: Request, body: bytes) -> Response:
    """JSON that clients may keep, and ask whether it is still so."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type="application/json")


def is_known(request: Request, tag: str) -> bool:
    """Whether the client says that it has what the tag stands for."""
    given = request.headers.get("if-none-match", "")
    return given.strip() == "*" or tag in {
        each.strip().removeprefix("W/") for each in given.split(",")
    }
