"""A strip has the pictures of every tab, each content once, within its limit."""

from __future__ import annotations

import time
from dataclasses import replace

from stockade.masking.masker import Masker
from stockade.media.cast import Still
from stockade.media.picture import Picture
from stockade.media.strip import Strip
from stockade.policy.origins import OriginRule
from tests.support.callers import Caller
from tests.support.waiting import until


async def test_pictures_of_all_tabs(caller: Caller) -> None:
    await caller.show("<body style='background:red'>")
    session = caller.kernel.sessions.find(caller.principal, "default")
    strip = Strip(session, 1 << 20, Masker())
    strip.start()
    await caller.ok("tabs", action="new")
    await caller.show("<body style='background:blue'>", path="/blue")
    await until(lambda: {each.tab for each in strip.pictures} == {"t1", "t2"})
    await strip.stop()
    contents = dict(strip.contents())
    assert {each.digest for each in strip.pictures} == contents.keys()
    assert all(each.startswith(b"\xff\xd8") for each in contents.values())
    strip.discard()


async def test_limits(caller: Caller) -> None:
    await caller.show("here")
    session = caller.kernel.sessions.find(caller.principal, "default")
    tab = await session.tab()
    strip = Strip(session, 8, Masker())

    def painted(data: bytes) -> None:
        strip._last.clear()
        strip._painted(tab, Still(Picture(data, "jpeg"), 10.4, 10))

    for data in (b"one", b"one", b"two", b"large"):
        painted(data)
    assert [each.width for each in strip.pictures] == [10, 10, 10]
    assert (len(dict(strip.contents())), strip.dropped) == (2, 1)
    strip._last[tab.id] = time.time() + 1000
    strip._painted(tab, Still(Picture(b"two", "jpeg"), 10, 10))
    assert len(strip.pictures) == 3
    await strip.stop()
    assert len(strip.pictures) == 4
    session.policy = replace(session.policy, blocked=(OriginRule.parse("127.0.0.1"),))
    painted(b"one")
    assert len(strip.pictures) == 4
    strip.discard()
    painted(b"one")
