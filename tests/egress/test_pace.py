from __future__ import annotations

import asyncio

from stockade.egress.pace import Pace


async def test_some_go_at_once_and_the_rest_one_by_one() -> None:
    loop = asyncio.get_running_loop()
    pace = Pace(5, 100)
    began = loop.time()
    for _ in range(5):
        await pace.next()
    took = [loop.time() - began]
    await asyncio.gather(*(pace.next() for _ in range(5)))
    took.append(loop.time() - began)
    assert took[0] < took[1]
    assert took[1] >= 0.04
