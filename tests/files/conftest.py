"""Sessions to keep files for, on a lent browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stockade.engines.port import Browser
from stockade.policy.principal import Principal
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from tests.sessions.ground import LendingEngine, serving

ALICE = Principal("alice", client="one")


@pytest.fixture
async def sessions(browser: Browser, tmp_path: Path) -> AsyncIterator[Sessions]:
    place = tmp_path / "workspace"
    async with serving(LendingEngine(browser), place, isolation="shared") as sessions:
        yield sessions


@pytest.fixture
def session(sessions: Sessions) -> Session:
    return sessions.open(ALICE, "default")
