from __future__ import annotations

import asyncio

import anyio
import pytest

from stockade.surfaces.cancel_once import cancel_once


async def test_the_result_comes_back() -> None:
    async def work() -> int:
        return 3

    assert await cancel_once(work()) == 3


async def test_an_error_comes_back_as_it_is() -> None:
    async def work() -> None:
        raise KeyError("x")

    with pytest.raises(KeyError):
        await cancel_once(work())


async def test_a_cancelled_scope_cancels_once_and_waits_for_the_cleaning_up() -> None:
    steps: list[str] = []
    began = anyio.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            steps.append("cancelled")
            for _ in range(10):
                await asyncio.sleep(0)
            steps.append("cleaned up")
            raise

    async with anyio.create_task_group() as group:
        group.start_soon(cancel_once, work())
        await began.wait()
        group.cancel_scope.cancel()
    assert steps == ["cancelled", "cleaned up"]


async def test_without_it_a_cancelled_scope_interrupts_the_cleaning_up() -> None:
    """Why there is such a thing."""
    steps: list[str] = []
    began = anyio.Event()

    async def work() -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            for _ in range(10):
                await asyncio.sleep(0)
            steps.append("cleaned up")

    async with anyio.create_task_group() as group:
        group.start_soon(work)
        await began.wait()
        group.cancel_scope.cancel()
    assert steps == []
