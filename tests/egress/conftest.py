"""One little Internet and one process for all tests of it; every test opens its own sessions."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.egress.world import PUBLIC, PUBLIC_6, Running, World, little_internet, running


@pytest.fixture(scope="session")
async def _world() -> AsyncIterator[World]:
    async with little_internet() as world:
        yield world


@pytest.fixture(scope="session")
async def _process(_world: World) -> AsyncIterator[Running]:
    async with running(_world, own=("127.0.0.1:9377", "[::]:3001")) as process:
        yield process


@pytest.fixture
def world(_world: World) -> World:
    """The little Internet, in which `good.test` is a site like any other."""
    _world.records.clear()
    _world.records["good.test", "A"] = [PUBLIC]
    _world.records["good.test", "AAAA"] = [PUBLIC_6]
    _world.behave.clear()
    _world.answer = None
    for noted in (_world.asked, _world.reached, _world.heads):
        noted.clear()
    return _world


@pytest.fixture
async def process(_process: Running, world: World) -> AsyncIterator[Running]:
    """The process, with a session `s` that may reach whatever is public."""
    _process.heard.clear()
    await _process.open("s")
    yield _process
    for session in tuple(_process.listeners):
        await _process.close_session(session)
        del _process.listeners[session]
