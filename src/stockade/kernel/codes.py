"""One table of error codes, and what each is on every surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from stockade import errors
from stockade.errors import DialogOpen, PageAsked, StockadeError

__all__ = ["ASKED", "CODES", "Code", "code_of", "error_body", "error_of"]


@dataclass(frozen=True)
class Code:
    """How a code is told: over HTTP, and by a command's exit status."""

    status: int
    exit: int


_CALLER = 2
_DENIED = 3
_MISSING = 4
_BUSY = 5
_PAGE = 6
_SERVER = 7

CODES: Final[dict[str, Code]] = {
    "error": Code(500, _SERVER),
    "invalid_argument": Code(422, _CALLER),
    "timeout": Code(504, _BUSY),
    "engine_error": Code(502, _SERVER),
    "browser_launch_failed": Code(503, _SERVER),
    "browser_gone": Code(410, _SERVER),
    "tab_closed": Code(410, _MISSING),
    "page_crashed": Code(502, _PAGE),
    "memory_limit": Code(502, _PAGE),
    "tasks_limit": Code(502, _PAGE),
    "open_files_limit": Code(502, _PAGE),
    "cpu_limit": Code(504, _BUSY),
    "disk_limit": Code(502, _PAGE),
    "life_limit": Code(404, _MISSING),
    "jails_limit": Code(429, _BUSY),
    "navigation_race": Code(409, _PAGE),
    "navigation_failed": Code(502, _PAGE),
    "dialog_open": Code(409, _PAGE),
    "page_asked": Code(409, _PAGE),
    "script_failed": Code(422, _PAGE),
    "content_gone": Code(410, _MISSING),
    "download_failed": Code(502, _PAGE),
    "unsupported": Code(501, _CALLER),
    "target_error": Code(409, _PAGE),
    "stale_ref": Code(409, _PAGE),
    "target_changed": Code(409, _PAGE),
    "not_found": Code(404, _MISSING),
    "ambiguous": Code(409, _PAGE),
    "not_actionable": Code(409, _PAGE),
    "forbidden": Code(403, _DENIED),
    "unauthenticated": Code(401, _DENIED),
    "capability_disabled": Code(403, _DENIED),
    "tool_not_enabled": Code(403, _DENIED),
    "role_required": Code(403, _DENIED),
    "address_denied": Code(403, _DENIED),
    "egress_denied": Code(403, _DENIED),
    "approval_denied": Code(403, _DENIED),
    "document_tainted": Code(423, _DENIED),
    "secret_refused": Code(403, _DENIED),
    "secret_guessed": Code(403, _DENIED),
    "clipboard_refused": Code(403, _DENIED),
    "approval_pending": Code(409, _BUSY),
    "not_configured": Code(503, _SERVER),
    "provider_failed": Code(502, _SERVER),
    "masking_failed": Code(500, _SERVER),
    "file_withheld": Code(403, _DENIED),
    "picture_withheld": Code(409, _PAGE),
    "unknown_secret": Code(404, _MISSING),
    "approval_not_found": Code(404, _MISSING),
    "unknown_tool": Code(404, _MISSING),
    "session_not_found": Code(404, _MISSING),
    "tab_not_found": Code(404, _MISSING),
    "artifact_not_found": Code(404, _MISSING),
    "conflict": Code(409, _CALLER),
    "idempotency_key_reused": Code(422, _CALLER),
    "limit_reached": Code(429, _BUSY),
    "busy": Code(429, _BUSY),
    "admission_rejected": Code(503, _BUSY),
    "quota_exceeded": Code(429, _BUSY),
    "bad_request": Code(400, _CALLER),
    "wrong_host": Code(421, _CALLER),
    "method_not_allowed": Code(405, _CALLER),
    "request_too_slow": Code(408, _BUSY),
    "request_too_large": Code(413, _CALLER),
    "headers_too_large": Code(431, _CALLER),
    "wrong_media_type": Code(415, _CALLER),
    "not_acceptable": Code(406, _CALLER),
    "range_not_satisfiable": Code(416, _CALLER),
    "stopping": Code(503, _BUSY),
    "setup_error": Code(500, _SERVER),
    "bad_setting": Code(500, _CALLER),
    "workspace_in_use": Code(500, _BUSY),
    "store_failed": Code(503, _SERVER),
    "internal_error": Code(500, _SERVER),
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
    body["failure"] = failure = {"source": error.source}
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
    failure = failure if isinstance(failure, Mapping) else {}
    details |= {key: failure[key] for key in ASKED if key in failure}
    return kind(
        str(body.get("error", "the server refused")),
        hint=str(body.get("hint", "")),
        retryable=body.get("retryable"),
        source=failure.get("source"),
        **details,
    )


@cache
def _kinds() -> dict[str, type[StockadeError]]:
    return {
        kind.code: kind
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, StockadeError)
    }
