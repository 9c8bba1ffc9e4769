"""Patience with a test: one that waits for ever fails, and takes none of its neighbours along."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

import pytest

PATIENCE = 150.0
"""Seconds, less than after which the whole worker would be ended."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give every asynchronous test its time, but for those that are to run for long."""
    if not isinstance(item, pytest.Function) or item.config.getoption("--soak"):
        return
    if inspect.iscoroutinefunction(item.obj):
        item.obj = limited(item.obj)


def limited(test: Callable[..., Awaitable[None]], patience: float = PATIENCE) -> Any:
    """The same test, which ends after a while whatever it waits for."""

    @wraps(test)
    async def tried(*arguments: Any, **fixtures: Any) -> None:
        async with asyncio.timeout(patience):
            await test(*arguments, **fixtures)

    return tried
