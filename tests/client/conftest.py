"""Clients of both kinds, each on a real browser."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stockade.client import Stockade
from tests.support.levels import LEVEL
from tests.support.serving import Served, served

_CAPABILITIES = ("read", "navigation", "action", "human", "file-io")


@pytest.fixture(scope="package")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    async with served(
        tmp_path_factory.mktemp("client") / "workspace", capabilities=_CAPABILITIES
    ) as server:
        yield server


@pytest.fixture(params=["connected", "embedded"])
async def stockade(
    request: pytest.FixtureRequest, server: Served, tmp_path: Path
) -> AsyncIterator[Stockade]:
    """A client that is open, and ends with the test."""
    made = (
        Stockade.connect(server.url, server.token)
        if request.param == "connected"
        else Stockade.embedded(
            workspace=tmp_path / "workspace", isolation=LEVEL, capabilities=_CAPABILITIES
        )
    )
    async with made as stockade:
        yield stockade
