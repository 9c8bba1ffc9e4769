"""Chance from a seed."""

from __future__ import annotations

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.page.scripts import script

DRAW = "() => Array.from({length: 5}, () => Math.random())"


def mulberry32(seed: int, count: int) -> list[float]:
    """The generator as it is published."""
    mask, drawn = 0xFFFFFFFF, []
    for _ in range(count):
        seed = (seed + 0x6D2B79F5) & mask
        mixed = ((seed ^ (seed >> 15)) * (seed | 1)) & mask
        mixed ^= (mixed + (((mixed ^ (mixed >> 7)) * (mixed | 61)) & mask)) & mask
        drawn.append((mixed ^ (mixed >> 14)) / 4294967296)
    return drawn


async def test_the_sequence_is_the_published_one(page: Page) -> None:
    for seed in (0, 7, 4_294_967_295):
        await page.main_frame.call(f"() => ({script('seed')})({seed})", world=World.MAIN)
        assert await page.main_frame.call(DRAW, world=World.MAIN) == mulberry32(seed, 5)


async def test_cryptography_stays_random(page: Page) -> None:
    drawn = []
    for _ in range(2):
        await page.main_frame.call(f"() => ({script('seed')})(1)", world=World.MAIN)
        drawn.append(
            await page.main_frame.call(
                "() => [...crypto.getRandomValues(new Uint32Array(4))].join()", world=World.MAIN
            )
        )
    assert drawn[0] != drawn[1]
