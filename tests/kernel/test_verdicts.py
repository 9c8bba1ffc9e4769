"""Whether a request may go out, once that is known."""

from __future__ import annotations

import asyncio

import pytest

from stockade.errors import EngineError
from stockade.kernel.verdicts import Verdict, verdict_by
from stockade.sessions.session import Session
from tests.support.callers import Caller


@pytest.fixture
async def session(caller: Caller) -> Session:
    """A session to work in."""
    await caller.show("<p>Hi")
    return caller.kernel.sessions.find(caller.principal, "default")


@pytest.mark.parametrize("said", [True, False])
async def test_it_is_what_was_decided(session: Session, said: bool) -> None:
    async def decide(verdict: Verdict) -> None:
        assert verdict.give(admitted=said)
        assert not verdict.give(admitted=not said)

    assert await verdict_by(session, decide) is said


async def test_none_is_a_no(session: Session) -> None:
    async def silent(_verdict: Verdict) -> None:
        """Say nothing."""

    async def broken(_verdict: Verdict) -> None:
        raise EngineError("gone")

    assert await verdict_by(session, silent) is False
    assert await verdict_by(session, broken) is False


async def test_nobody_waits_for_it_any_more(session: Session) -> None:
    heard: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    gone = asyncio.Event()

    async def decide(verdict: Verdict) -> None:
        await gone.wait()
        heard.set_result(verdict.give(admitted=True))

    verdict_by(session, decide).cancel()
    gone.set()
    assert await heard is False
