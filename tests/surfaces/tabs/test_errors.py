"""Errors: each of ours is one that clients of the tab API know."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stockade import errors
from stockade.errors import StockadeError
from stockade.kernel.codes import CODES
from stockade.masking.masker import Masker
from stockade.surfaces.tabs.errors import TABLE, Where, error_body, refusal, told

TAB = "0f8fad5b-d9cb-469f-a165-70867728950e"
IN_TAB = Where(TAB)
ACTING = Where(TAB, acts=True, ref="e3")
FAILED = errors.NavigationFailed


def failed(reason: str) -> StockadeError:
    return FAILED("the page could not be loaded", reason=reason)


@pytest.mark.parametrize(
    ("error", "where", "status", "code", "recovery", "retryable"),
    [
        (errors.InvalidArgument("?"), IN_TAB, 400, "invalid_argument", None, False),
        (errors.InvalidArgument("?", selector="("), IN_TAB, 400, "invalid_selector", None, False),
        (errors.InvalidArgument("?", problem="x"), IN_TAB, 400, "x", None, False),
        (errors.AddressDenied("?", rule="scheme"), IN_TAB, 400, "blocked_scheme", None, False),
        (errors.ScriptFailed("?"), ACTING, 400, "script_failed", None, False),
        (errors.Unauthenticated("?"), None, 401, "unauthenticated", None, False),
        (errors.CapabilityDisabled("?"), IN_TAB, 403, "capability_disabled", None, False),
        (errors.AddressDenied("?", rule="x"), IN_TAB, 403, "address_denied", None, False),
        (errors.EgressDenied("?", rule="x"), IN_TAB, 403, "egress_denied", None, False),
        (errors.TabNotFound("?"), Where("nonsense"), 404, "tab_not_found", None, False),
        (errors.SessionNotFound("?"), Where("t1"), 404, "tab_not_found", None, False),
        (errors.TabNotFound("?"), Where(TAB, strict=True), 404, "tab_not_found", None, False),
        (errors.SessionNotFound("?"), None, 404, "session_not_found", None, False),
        (errors.MethodNotAllowed("?"), None, 405, "method_not_allowed", None, False),
        (errors.NavigationRace("?"), IN_TAB, 409, "navigation_race", "snapshot_then_retry", True),
        (failed("net::ERR_ABORTED"), IN_TAB, 409, "navigation_race", "snapshot_then_retry", True),
        (errors.TargetChanged("?"), ACTING, 409, "page_changed", "snapshot_then_retry", True),
        (errors.DeadlineExceeded("?"), ACTING, 409, "page_changed", "snapshot_then_retry", True),
        (errors.Conflict("?"), IN_TAB, 409, "conflict", None, False),
        (errors.BrowserGone("?"), IN_TAB, 410, "browser_restarted", "create_new_tab", True),
        (errors.TabNotFound("?"), IN_TAB, 410, "tab_destroyed", "create_new_tab", True),
        (errors.TabClosed("?"), IN_TAB, 410, "tab_destroyed", "create_new_tab", True),
        (errors.SessionNotFound("?"), IN_TAB, 410, "tab_destroyed", "create_new_tab", True),
        (errors.TabCrashed("?"), IN_TAB, 410, "page_crashed", "create_new_tab", True),
        (errors.RequestTooLarge("?"), None, 413, "request_too_large", None, False),
        (errors.WrongMediaType("?"), None, 415, "wrong_media_type", None, False),
        (errors.StaleRef("?"), ACTING, 422, "stale_refs", "snapshot_then_retry", True),
        (errors.TargetNotFound("?"), ACTING, 422, "element_not_actionable",
         "snapshot_then_retry", True),
        (errors.NotActionable("?"), ACTING, 422, "element_not_actionable",
         "snapshot_then_retry", True),
        (errors.TargetAmbiguous("?"), ACTING, 422, "ambiguous_selector",
         "snapshot_then_retry", True),
        (errors.QuotaExceeded("?"), None, 429, "quota_exceeded", None, False),
        (errors.LimitReached("?"), None, 429, "limit_reached", None, True),
        (failed("net::ERR_EMPTY_RESPONSE"), IN_TAB, 500, "navigation_failed", None, False),
        (failed("net::ERR_NAME_NOT_RESOLVED"), IN_TAB, 500, "navigation_failed", None, False),
        (errors.InternalError("?"), IN_TAB, 500, "internal_error", None, False),
        (errors.DeadlineExceeded("?"), IN_TAB, 500, "timeout", "retry", True),
        (failed("net::ERR_CERT_AUTHORITY_INVALID"), IN_TAB, 502, "ssl_error", None, False),
        (failed("net::ERR_SSL_PROTOCOL_ERROR"), IN_TAB, 502, "ssl_error", None, False),
        (failed("net::ERR_BAD_SSL_CLIENT_AUTH_CERT"), IN_TAB, 502, "ssl_error", None, False),
        (failed("SEC_ERROR_UNKNOWN_ISSUER"), IN_TAB, 502, "ssl_error", None, False),
        (errors.BrowserGone("?"), None, 503, "session_expired", "retry", True),
        (errors.Stopping("?"), None, 503, "session_expired", "retry", True),
        (errors.LaunchFailed("?"), None, 503, "browser_launch_timeout", "retry", True),
        (errors.Busy("?", queue="session"), IN_TAB, 503, "concurrency_timeout", "retry", True),
        (errors.Busy("?", queue="tab"), IN_TAB, 503, "tab_unresponsive", "create_new_tab", True),
        (errors.AdmissionRejected("?"), None, 503, "admission_rejected", None, True),
    ],
)  # fmt: skip
def test_each_is_told_as_clients_know_it(
    error: StockadeError, where: Where | None, status: int, code: str,
    recovery: str | None, retryable: bool,
) -> None:  # fmt: skip
    answer = refusal(error, where=where)
    body = json.loads(bytes(answer.body))
    assert answer.status_code == status
    assert body["ok"] is False
    assert body["error"]
    assert (body["code"], body.get("recovery"), body["retryable"]) == (code, recovery, retryable)
    assert ("retry-after" in answer.headers) is (status in {429, 503} and retryable)
    assert ("www-authenticate" in answer.headers) is (status == 401)


def kinds(root: type[StockadeError] = StockadeError) -> list[type[StockadeError]]:
    return [root, *(kind for each in root.__subclasses__() for kind in kinds(each))]


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_none_is_left_without_a_status(kind: type[StockadeError]) -> None:
    for where in (None, IN_TAB, ACTING):
        assert 400 <= told(kind("?"), where).status < 600


def test_what_is_no_fault_of_the_server_is_none_here_either() -> None:
    blamed = {each for each in kinds() if told(each("?")).status >= 500 > CODES[each.code].status}
    assert blamed == {errors.BrowserGone, errors.Busy}


def test_the_table_names_only_errors_of_the_tree() -> None:
    assert set(TABLE) <= set(kinds())


def test_what_a_client_needs_is_beside_it() -> None:
    stale: dict[str, Any] = error_body(errors.StaleRef("e3 is gone", ref="e9"), ACTING)
    assert stale["ref"] == "e3"
    assert error_body(failed("net::ERR_CERT_DATE_INVALID"), IN_TAB)["recoverable"] is False
    off = errors.CapabilityDisabled("eval is off", hint="Turn it on.", requiredCapability="eval")
    assert error_body(off)["requiredCapability"] == "eval"
    assert error_body(errors.TabNotFound("no such tab"))["error"] == "Tab not found"
    late = errors.DeadlineExceeded("the page did not come")
    said = error_body(late, Where(opens=True))["error"]
    assert said == "tab create timed out: the page did not come"
    assert "timed out" in error_body(late, IN_TAB)["error"]
    scheme = errors.AddressDenied("not file:", rule="scheme")
    assert error_body(scheme)["error"] == "Blocked URL scheme: not file:"


def test_secrets_stay_here() -> None:
    masker = Masker()
    masker.add("PIN", "hunter22")
    answer = refusal(errors.NotActionable("hunter22 is in the way", by="hunter22"), mask=masker)
    assert b"hunter22" not in bytes(answer.body)
