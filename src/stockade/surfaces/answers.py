"""Answers: JSON over HTTP, and the one shape in which every error is told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from stockade.errors import StockadeError
from stockade.kernel.codes import code_of, error_body

__all__ = ["SAFE_HEADERS", "answer", "encoded", "refusal"]

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
    return answer(error_body(error), status or code_of(error).status, headers)
