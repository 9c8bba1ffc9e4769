"""Callers that do not wait long for a person."""

from __future__ import annotations

import pytest

from tests.support.callers import Caller


@pytest.fixture
def hasty(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Calls answer `approval_pending` at once."""
    settings = caller.kernel.settings.model_copy(update={"approval_wait": 0.001})
    monkeypatch.setattr(caller.kernel, "settings", settings)
    return caller
