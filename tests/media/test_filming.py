"""Filming holds nobody up and loses no last picture."""

from __future__ import annotations

import asyncio

import pytest

from stockade.masking.masker import Masker
from stockade.media import filming as module
from stockade.media.film import Film
from stockade.media.filming import Filming
from stockade.media.picture import Picture
from stockade.policy.origins import OriginRule
from stockade.sessions.session import Session
from tests.support.callers import Caller


async def begun(caller: Caller) -> tuple[Session, Filming]:
    await caller.show("<body style='background:red'>")
    session = caller.kernel.sessions.find(caller.principal, "default")
    filming = Filming(session, Film(160, 90), Masker())
    await filming.start()
    return session, filming


async def test_it_begins_with_what_is_there_and_ends_with_what_came_last(caller: Caller) -> None:
    session, filming = await begun(caller)
    tab = session.current
    assert tab is not None
    last = filming._lookers[tab].last
    assert last is not None
    filming._take(Picture(b"broken", "jpeg"))
    for picture in (Picture(b"never seen", "jpeg"), last.picture):
        filming._show(tab, picture)
    film = await filming.stop()
    assert film.frames >= 2
    assert filming.dropped == 1
    film.discard()


async def test_too_many_are_dropped_and_counted(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_WAITING", 0)
    _, filming = await begun(caller)
    film = await filming.stop()
    assert filming.dropped >= 1
    film.discard()


async def test_it_ends_by_itself_when_it_is_long_enough(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_SECONDS", -1.0)
    _, filming = await begun(caller)
    film = await filming.stop()
    assert "seconds" in filming.ended
    film.discard()


async def test_what_may_not_be_looked_at_is_not_filmed(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FIRST_PATIENCE", 0.2)
    await caller.show("<body style='background:red'>")
    session = caller.kernel.sessions.find(caller.principal, "default")
    session.policy = session.policy.narrowed(allowed=(OriginRule.parse("https://other.example"),))
    filming = Filming(session, Film(160, 90), Masker())
    await filming.start()
    film = await filming.stop()
    assert filming._shown is None
    film.discard()


async def test_a_session_that_ends_without_a_word_leaves_nothing_running(caller: Caller) -> None:
    session, filming = await begun(caller)
    await caller.kernel.sessions._begin_close(session, "the server stopped").result()
    assert filming._writing is not None
    await filming._writing.ended()
    for job in filming._casts:
        await job.ended()
    async with asyncio.timeout(5):
        while not filming.film.file.closed:  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.01)
