"""Statuses: which errors a route may answer with, for the document that describes it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from stockade.kernel.codes import CODES

__all__ = ["ALWAYS", "LIST", "NAMES", "ONE", "TOOL", "codes_of", "documented"]

NAMES: Final = {
    400: "BadRequest",
    401: "Unauthenticated",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    406: "NotAcceptable",
    408: "RequestTimeout",
    409: "Conflict",
    410: "Gone",
    413: "TooLarge",
    415: "UnsupportedMediaType",
    416: "RangeNotSatisfiable",
    421: "WrongHost",
    422: "Invalid",
    423: "Locked",
    429: "Limited",
    431: "HeadersTooLarge",
    500: "InternalError",
    501: "Unsupported",
    502: "BrowserFailed",
    503: "Unavailable",
    504: "Timeout",
}
"""Every status that an error has, and what the document calls it."""

ALWAYS: Final = frozenset({400, 401, 403, 405, 408, 413, 415, 421, 422, 429, 431, 500, 503})
"""What the layers around every route may answer."""
LIST: Final = frozenset({406})
ONE: Final = frozenset({404, 406})
TOOL: Final = frozenset({404, 406, 409, 410, 423, 501, 502, 504})
"""What a call that reaches a page may come to."""


def codes_of(status: int) -> list[str]:
    """The codes that are told with a status."""
    return sorted(code for code, row in CODES.items() if row.status == status)


def documented(
    shape: Any,
    *errors: Iterable[int],
    status: int = 200,
    located: bool = False,
) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: what it answers when all is well, and its errors."""
    found: dict[int | str, dict[str, Any]] = {}
    if shape is not None:
        found[status] = {"model": shape, "description": _said(shape)}
    if located:
        found[status]["headers"] = {
            "Location": {
                "description": "Where it is.",
                "schema": {"type": "string"},
            }
        }
    for each in sorted(ALWAYS.union(*errors)):
        found[each] = {"$ref": f"#/components/responses/{NAMES[each]}"}
    return found


def _said(shape: Any) -> str:
    return str(shape.__doc__ or "Done.").strip()
