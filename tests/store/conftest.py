"""Every test of the store runs on both databases, unless it is about one of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stockade.store.database import Database
from tests.support.postgres import Postgres


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'stockade.db'}"


@pytest.fixture
async def postgres_url(postgres: Postgres) -> AsyncIterator[str]:
    async with postgres.new_schema() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest) -> str:
    """An empty database."""
    chosen: str = request.getfixturevalue(f"{request.param}_url")
    return chosen


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """A new database, with its tables."""
    async with await Database.open(url) as database:
        yield database
