"""One table of errors: what each of ours is to clients of the tab API."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from starlette.responses import Response

from stockade import errors
from stockade.errors import StockadeError
from stockade.kernel.codes import code_of
from stockade.masking.masker import Masker
from stockade.surfaces.answers import answer

__all__ = ["CHALLENGE", "RECOVERIES", "TABLE", "Told", "Where", "error_body", "refusal", "told"]

Recovery = Literal["create_new_tab", "snapshot_then_retry", "retry"]
RECOVERIES: Final = ("create_new_tab", "retry", "snapshot_then_retry")

CHALLENGE: Final = 'Bearer realm="camofox"'
_UUID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_TLS: Final = re.compile(r"ERR_(?:CERT|SSL|TLS|BAD_SSL)_|ERR_.*_CERT\b|SEC_ERROR|SSL_ERROR|PKIX")
_ABORTED: Final = re.compile(r"ERR_ABORTED|NS_BINDING_ABORTED")
_BUSY: Final = frozenset({429, 503})
_UNAUTHORIZED: Final = 401
_OURS: Final = frozenset({"lost", "problem", "queue", "tab", "tabs"})
"""Facts that are told otherwise here, or by names that mean nothing to these clients."""


@dataclass(frozen=True)
class Told:
    """How an error is told: its status, and what its clients decide by."""

    status: int
    code: str = ""
    """Empty: ours."""
    recovery: Recovery | None = None
    retryable: bool | None = None
    """None: as ours is, or as there is a way to recover."""
    message: str = ""
    """In place of ours, where clients know another."""
    hint: str = ""
    """Likewise, where ours speaks of what these clients do not have."""
    more: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Where:
    """What a request was about, as far as it matters to its errors."""

    tab: str = ""
    """The tab that it named."""
    acts: bool = False
    """It may have had its effect although it ran out of time."""
    strict: bool = False
    """A tab that is not there is just not there."""
    ref: str = ""
    opens: bool = False
    """It was to open a tab."""


Rule = Told | Callable[[StockadeError, Where], Told]

_OPEN_ONE: Final = "POST /tabs opens one."
_NO_TAB = Told(404, "tab_not_found", message="Tab not found", hint=_OPEN_ONE)
_DESTROYED = Told(
    410,
    "tab_destroyed",
    "create_new_tab",
    message="that tab is gone: open another",
    hint=_OPEN_ONE,
)
_RESTARTED = Told(
    410,
    "browser_restarted",
    "create_new_tab",
    message="that tab went with its browser, which was restarted: open another",
    hint=_OPEN_ONE,
)
_CHANGED = Told(409, "page_changed", "snapshot_then_retry")
_UNUSABLE = Told(422, "element_not_actionable", "snapshot_then_retry")
_AS_IT_IS = Told(0)


def _unknown_tab(error: StockadeError, where: Where) -> Told:
    """A tab that may have been there once is gone; any other never was."""
    if where.strict or not where.tab:
        return _NO_TAB
    if not _UUID.fullmatch(where.tab):
        return _NO_TAB
    return _RESTARTED if error.details.get("lost") == _RESTARTED.code else _DESTROYED


def _no_session(error: StockadeError, where: Where) -> Told:
    return _unknown_tab(error, where) if where.tab else Told(404)


def _ended(_error: StockadeError, where: Where) -> Told:
    """A browser that ends takes the tab with it, where there was one."""
    return _RESTARTED if where.tab else Told(503, "session_expired", "retry")


def _unreachable(error: StockadeError, _where: Where) -> Told:
    reason = str(error.details.get("reason", ""))
    if _TLS.search(reason):
        return Told(502, "ssl_error", retryable=False, more={"recoverable": False})
    if _ABORTED.search(reason):
        return Told(409, "navigation_race", "snapshot_then_retry")
    return Told(500)


def _late(error: StockadeError, where: Where) -> Told:
    """The tab is still there, and may have done what it was told."""
    if where.acts:
        return _CHANGED
    what = "tab create" if where.opens else "the call"
    return Told(500, "timeout", "retry", message=f"{what} timed out: {error.message}")


def _wrong(error: StockadeError, _where: Where) -> Told:
    own = error.details.get("problem")
    if isinstance(own, str):
        return Told(400, own)
    if error.details.get("reason") == "invalid-url":
        return Told(400, message=f"Invalid URL: {error.message}")
    return Told(400, "invalid_selector") if "selector" in error.details else Told(400)


def _queued(error: StockadeError, _where: Where) -> Told:
    if error.details.get("queue") == "tab":
        return Told(503, "tab_unresponsive", "create_new_tab")
    return Told(503, "concurrency_timeout", "retry")


def _denied(error: StockadeError, _where: Where) -> Told:
    if error.details.get("rule") != "scheme":
        return Told(403)
    return Told(400, "blocked_scheme", message=f"Blocked URL scheme: {error.message}")


TABLE: Final[dict[type[StockadeError], Rule]] = {
    StockadeError: Told(500),
    errors.InvalidArgument: _wrong,
    errors.DeadlineExceeded: _late,
    errors.EngineError: Told(500),
    errors.LaunchFailed: Told(503, "browser_launch_timeout", "retry"),
    errors.BrowserGone: _ended,
    errors.TabClosed: _unknown_tab,
    errors.TabCrashed: Told(410, "page_crashed", "create_new_tab"),
    errors.NavigationRace: Told(409, "navigation_race", "snapshot_then_retry"),
    errors.NavigationFailed: _unreachable,
    errors.DialogOpen: Told(409, "dialog_open", "retry"),
    errors.PageAsked: Told(409, "page_asked", "retry"),
    errors.ScriptFailed: Told(400),
    errors.ContentGone: Told(404),
    errors.Unsupported: Told(501),
    errors.TargetError: _UNUSABLE,
    errors.StaleRef: Told(422, "stale_refs", "snapshot_then_retry"),
    errors.TargetChanged: _CHANGED,
    errors.TargetAmbiguous: Told(422, "ambiguous_selector", "snapshot_then_retry"),
    errors.Refused: Told(403),
    errors.Unauthenticated: Told(_UNAUTHORIZED, message="Unauthorized"),
    errors.AddressDenied: _denied,
    errors.ApprovalPending: _AS_IT_IS,
    errors.NotConfigured: _AS_IT_IS,
    errors.ProviderFailed: _AS_IT_IS,
    errors.MaskingFailed: _AS_IT_IS,
    errors.Missing: Told(404),
    errors.SessionNotFound: _no_session,
    errors.TabNotFound: _unknown_tab,
    errors.Conflict: Told(409),
    errors.LimitReached: Told(429),
    errors.Busy: _queued,
    errors.AdmissionRejected: Told(503, "admission_rejected", retryable=True),
    errors.BadRequest: _AS_IT_IS,
    errors.Stopping: Told(503, "session_expired", "retry"),
    errors.SetupError: _AS_IT_IS,
    errors.InternalError: Told(500),
}
"""The nearest class above an error decides; a status of 0 is that of our own surfaces."""


def told(error: StockadeError, where: Where | None = None) -> Told:
    """The row of an error, with nothing left open."""
    rule = next(TABLE[kind] for kind in type(error).__mro__ if kind in TABLE)
    row = rule if isinstance(rule, Told) else rule(error, where or Where())
    retryable = row.retryable
    if retryable is None:
        retryable = row.recovery is not None or error.retryable
    return replace(
        row,
        status=row.status or code_of(error).status,
        code=row.code or error.code,
        message=row.message or error.message,
        retryable=retryable,
    )


def error_body(error: StockadeError, where: Where | None = None) -> dict[str, Any]:
    """The one shape of an error of the tab API."""
    row = told(error, where)
    body: dict[str, Any] = {
        "ok": False,
        "error": row.message,
        "code": row.code,
        "retryable": row.retryable,
    }
    if row.recovery is not None:
        body["recovery"] = row.recovery
    hint = row.hint or error.hint or (error.message if row.message != error.message else "")
    if hint:
        body["hint"] = hint
    if row.code == "stale_refs" and where is not None and where.ref:
        body["ref"] = where.ref
    body |= row.more or {}
    reserved = body.keys() | _OURS
    return body | {key: value for key, value in error.details.items() if key not in reserved}


def refusal(
    error: StockadeError,
    *,
    where: Where | None = None,
    headers: Mapping[str, str] | None = None,
    mask: Masker | None = None,
) -> Response:
    """An error as an answer; `mask` takes the secrets out of what a call has to say."""
    row = told(error, where)
    shown = dict(headers or {})
    if row.status == _UNAUTHORIZED:
        shown["www-authenticate"] = CHALLENGE
    if row.status in _BUSY and row.retryable:
        shown.setdefault("retry-after", str(error.details.get("retryAfter", 1)))
    body = error_body(error, where)
    return answer(mask.value(body) if mask is not None else body, row.status, shown)
