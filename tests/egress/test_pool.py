"""Connections that are kept."""

from __future__ import annotations

import socket

from stockade.egress.limits import KEPT
from stockade.egress.pool import Pool
from tests.egress.test_streams import stream
from tests.support.waiting import until


async def test_only_what_leads_there_and_is_still_good() -> None:
    pool = Pool()
    async with stream() as (one, theirs, _), stream() as (two, other, _):
        pool.keep(("a", 80), one)
        pool.keep(("b", 80), two)
        assert pool.take([("c", 80)]) is None
        assert pool.take([("c", 80), ("a", 80)]) == (one, ("a", 80))
        assert pool.take([("a", 80)]) is None
        other.send(b"unasked")
        await until(lambda: not two.quiet)
        assert pool.take([("b", 80)]) is None
        await until(lambda: not two.alive)
        theirs.shutdown(socket.SHUT_WR)
        await until(lambda: not one.quiet)
        pool.keep(("a", 80), one)
        assert pool.take([("a", 80)]) is None


async def test_there_are_never_too_many() -> None:
    pool = Pool()
    async with stream() as (one, _, _):
        for _ in range(KEPT):
            pool.keep("x", one)
        async with stream() as (two, _, _):
            pool.keep("y", two)
            assert not one.alive
            assert pool.take(["x"]) is None
            assert pool.take(["y"]) == (two, "y")
