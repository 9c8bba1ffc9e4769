"""Sessions for tests: on a lent browser where none is harmed, on browsers of their own elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stockade.engines.port import Browser
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from tests.sessions.ground import (
    ALICE,
    HandClock,
    LendingEngine,
    WatchedEngine,
    lending_gateway,
    serving,
)
from tests.support.levels import LEVEL


@pytest.fixture(scope="session", autouse=True)
async def _gateway() -> AsyncIterator[None]:
    async with lending_gateway():
        yield


@pytest.fixture
def browser(unjailed: Browser) -> Browser:
    """The one that is lent where there are no jails: it goes out as each session is told."""
    return unjailed


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def engine() -> WatchedEngine:
    return WatchedEngine()


@pytest.fixture
async def sessions(browser: Browser, tmp_path: Path, clock: HandClock) -> AsyncIterator[Sessions]:
    """Sessions on a lent browser; a session may have 4 tabs, all together 6."""
    async with serving(
        LendingEngine(browser),
        tmp_path,
        clock=clock,
        isolation=LEVEL,
        max_tabs=6,
        max_tabs_per_session=4,
    ) as sessions:
        yield sessions


@pytest.fixture
def session(sessions: Sessions) -> Session:
    return sessions.open(ALICE, "default")
