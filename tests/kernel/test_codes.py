"""One table of codes for every surface."""

from __future__ import annotations

from stockade.errors import CapabilityDisabled, StaleRef, StockadeError, TargetChanged
from stockade.kernel.codes import CODES, code_of, error_body, error_of


def kinds(base: type[StockadeError] = StockadeError) -> set[type[StockadeError]]:
    return {base}.union(*(kinds(each) for each in base.__subclasses__()))


def test_every_error_has_a_row_and_every_row_an_error() -> None:
    assert {each.code for each in kinds() if each.__module__.startswith("stockade.")} == set(CODES)


def test_statuses_and_exits_are_errors() -> None:
    for code in CODES.values():
        assert 400 <= code.status < 600
        assert 1 < code.exit < 64


def test_the_body_is_one_shape() -> None:
    error = StaleRef("gone", ref="e3")
    assert error_body(error) == {
        "ok": False,
        "error": "gone",
        "code": "stale_ref",
        "retryable": False,
        "hint": error.hint,
        "failure": {"source": "app"},
        "ref": "e3",
    }
    assert code_of(error).status == 409


def test_details_cannot_replace_what_the_body_says() -> None:
    body = error_body(CapabilityDisabled("no", code="ok", ok=True, requiredCapability="eval"))
    assert (body["ok"], body["code"]) == (False, "capability_disabled")
    assert body["requiredCapability"] == "eval"


def test_a_body_becomes_the_error_it_tells_of() -> None:
    error = TargetChanged("not as shown", hint="Look again.", ref="e3")
    again = error_of(error_body(error))
    assert type(again) is TargetChanged
    assert (again.message, again.hint, again.details) == (
        "not as shown",
        "Look again.",
        {"ref": "e3"},
    )
    assert type(error_of({"code": "from the future"})) is StockadeError
    assert type(error_of({})) is StockadeError
