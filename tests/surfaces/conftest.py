"""Servers for tests of the HTTP surfaces."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.support.serving import Served, served


@pytest.fixture(scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """One server for the tests of a module."""
    async with served(tmp_path_factory.mktemp("workspace")) as server:
        yield server


@pytest.fixture(scope="module")
async def open_server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """One that asks for no token."""
    async with served(tmp_path_factory.mktemp("workspace"), no_auth=True) as server:
        yield server
