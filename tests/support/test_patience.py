from __future__ import annotations

import asyncio

import pytest

from tests.support.patience import limited


async def test_who_waits_for_ever_fails() -> None:
    async def waits() -> None:
        await asyncio.Event().wait()

    async def says(word: str) -> None:
        assert word == "yes"

    await limited(says)(word="yes")
    with pytest.raises(TimeoutError):
        await limited(waits, 0.01)()
