"""One table of error codes, and what each is on every surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from stockade import errors
from stockade.errors import DialogOpen, PageAsked, StockadeError

__all__ = ["ASKED", "CODES", "Code", "code_of", "error_body", "error_of"]

Source = Literal["app", "stockade", "caller", "unknown"]


@dataclass(frozen=True)
class Code:
    """How a code is told: over HTTP, by a command's exit status, and whose doing it is."""

    status: int
    exit: int
    source: Source


_CALLER = 2
_DENIED = 3
_MISSING = 4
_BUSY = 5
_PAGE = 6
_SERVER = 7

CODES: Final[dict[str, Code]] = {
    "error": Code(500, _SERVER, "unknown"),
    "invalid_argument": Code(422, _CALLER, "caller"),
    "timeout": Code(504, _BUSY, "stockade"),
    "engine_error": Code(502, _SERVER, "stockade"),
    "browser_launch_failed": Code(503, _SERVER, "stockade"),
    "browser_gone": Code(410, _SERVER, "stockade"),
    "tab_closed": Code(410, _MISSING, "stockade"),
    "page_crashed": Code(502, _PAGE, "app"),
    "memory_limit": Code(502, _PAGE, "app"),
    "tasks_limit": Code(502, _PAGE, "app"),
    "open_files_limit": Code(502, _PAGE, "app"),
    "cpu_limit": Code(504, _BUSY, "app"),
    "disk_limit": Code(502, _PAGE, "app"),
    "life_limit": Code(404, _MISSING, "stockade"),
    "jails_limit": Code(429, _BUSY, "stockade"),
    "navigation_race": Code(409, _PAGE, "app"),
    "navigation_failed": Code(502, _PAGE, "app"),
    "dialog_open": Code(409, _PAGE, "app"),
    "page_asked": Code(409, _PAGE, "app"),
    "script_failed": Code(422, _PAGE, "app"),
    "content_gone": Code(410, _MISSING, "app"),
    "download_failed": Code(502, _PAGE, "app"),
    "unsupported": Code(501, _CALLER, "stockade"),
    "target_error": Code(409, _PAGE, "app"),
    "stale_ref": Code(409, _PAGE, "app"),
    "target_changed": Code(409, _PAGE, "app"),
    "not_found": Code(404, _MISSING, "app"),
    "ambiguous": Code(409, _PAGE, "app"),
    "not_actionable": Code(409, _PAGE, "app"),
    "forbidden": Code(403, _DENIED, "caller"),
    "unauthenticated": Code(401, _DENIED, "caller"),
    "capability_disabled": Code(403, _DENIED, "caller"),
    "tool_not_enabled": Code(403, _DENIED, "caller"),
    "role_required": Code(403, _DENIED, "caller"),
    "address_denied": Code(403, _DENIED, "caller"),
    "egress_denied": Code(403, _DENIED, "stockade"),
    "approval_denied": Code(403, _DENIED, "stockade"),
    "document_tainted": Code(423, _DENIED, "stockade"),
    "secret_refused": Code(403, _DENIED, "caller"),
    "approval_pending": Code(409, _BUSY, "stockade"),
    "not_configured": Code(503, _SERVER, "stockade"),
    "provider_failed": Code(502, _SERVER, "stockade"),
    "masking_failed": Code(500, _SERVER, "stockade"),
    "file_withheld": Code(403, _DENIED, "stockade"),
    "picture_withheld": Code(409, _PAGE, "app"),
    "unknown_secret": Code(404, _MISSING, "caller"),
    "approval_not_found": Code(404, _MISSING, "caller"),
    "unknown_tool": Code(404, _MISSING, "caller"),
    "session_not_found": Code(404, _MISSING, "caller"),
    "tab_not_found": Code(404, _MISSING, "caller"),
    "artifact_not_found": Code(404, _MISSING, "caller"),
    "conflict": Code(409, _CALLER, "caller"),
    "idempotency_key_reused": Code(422, _CALLER, "caller"),
    "limit_reached": Code(429, _BUSY, "stockade"),
    "busy": Code(429, _BUSY, "stockade"),
    "admission_rejected": Code(503, _BUSY, "stockade"),
    "quota_exceeded": Code(429, _BUSY, "stockade"),
    "bad_request": Code(400, _CALLER, "caller"),
    "wrong_host": Code(421, _CALLER, "caller"),
    "method_not_allowed": Code(405, _CALLER, "caller"),
    "request_too_slow": Code(408, _BUSY, "caller"),
    "request_too_large": Code(413, _CALLER, "caller"),
    "headers_too_large": Code(431, _CALLER, "caller"),
    "wrong_media_type": Code(415, _CALLER, "caller"),
    "not_acceptable": Code(406, _CALLER, "caller"),
    "range_not_satisfiable": Code(416, _CALLER, "caller"),
    "stopping": Code(503, _BUSY, "stockade"),
    "setup_error": Code(500, _SERVER, "stockade"),
    "bad_setting": Code(500, _CALLER, "caller"),
    "workspace_in_use": Code(500, _BUSY, "stockade"),
    "store_failed": Code(503, _SERVER, "stockade"),
    "internal_error": Code(500, _SERVER, "stockade"),
}


ASKED: Final = ("kind", "text", "origin", "handledAs", "count")
"""What a failure says of what a page asked for."""


def code_of(error: StockadeError) -> Code:
    """The row of an error."""
    return CODES[error.code]


def error_body(error: StockadeError) -> dict[str, object]:
    """The one shape of an error, on every surface; what a page asked for is within `failure`."""
    body: dict[str, object] = {
        "ok": False,
        "error": error.message,
        "code": error.code,
        "retryable": error.retryable,
    }
    if error.hint:
        body["hint"] = error.hint
    body["failure"] = failure = {"source": code_of(error).source}
    told = {key: value for key, value in error.details.items() if value is not None}
    if isinstance(error, DialogOpen | PageAsked):
        failure |= {key: told.pop(key) for key in ASKED if key in told}
    return body | {key: value for key, value in told.items() if key not in body}


def error_of(body: Mapping[str, Any]) -> StockadeError:
    """The error that a body tells of, as one of the tree."""
    kind = _kinds().get(str(body.get("code")), StockadeError)
    told = {"ok", "error", "code", "retryable", "hint", "failure"}
    details = {str(key): value for key, value in body.items() if key not in told}
    failure = body.get("failure")
    if isinstance(failure, Mapping):
        details |= {key: failure[key] for key in ASKED if key in failure}
    return kind(
        str(body.get("error", "the server refused")), hint=str(body.get("hint", "")), **details
    )


@cache
def _kinds() -> dict[str, type[StockadeError]]:
    return {
        kind.code: kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, StockadeError)
    }
