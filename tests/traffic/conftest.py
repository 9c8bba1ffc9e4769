"""Sessions for the tests of this room."""

from __future__ import annotations

import pytest

from stockade.sessions.session import Session
from tests.support.callers import Caller
from tests.support.traffic import session_of


@pytest.fixture
async def session(mighty: Caller) -> Session:
    """A session with an empty tab."""
    await mighty.show("<title>Home</title>", path="/home")
    return session_of(mighty)
