"""What the guard says, as an error that tells whether the call may be repeated."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import NotActionable, StockadeError, TargetChanged
from stockade.page.verdicts import ensure_begun

BLOCKED = [{"type": "keydown", "hit": 'button "Pay"'}]


@pytest.mark.parametrize(
    ("said", "kind", "retryable"),
    [
        ({"changed": True, "blocked": BLOCKED}, TargetChanged, True),
        ({"blocked": BLOCKED}, NotActionable, True),
        ({}, NotActionable, True),
        ({"begun": True, "blocked": BLOCKED}, NotActionable, False),
    ],
)
def test_only_what_has_not_begun_may_be_repeated(
    said: dict[str, Any], kind: type[StockadeError], retryable: bool
) -> None:
    verdict = {"begun": False, "changed": False, "blocked": [], **said}
    with pytest.raises(kind) as caught:
        ensure_begun(verdict, "it")
    assert caught.value.retryable is retryable


def test_what_has_begun_and_gone_on_is_no_error() -> None:
    ensure_begun({"begun": True, "changed": False, "blocked": []}, "it")
