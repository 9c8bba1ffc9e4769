"""Streams: an answer that a page waits for is part of what an action did."""

from __future__ import annotations

import asyncio

from stockade.engines.events import StreamFrame
from stockade.page.streams import Conversations
from stockade.page.traffic import Traffic
from tests.support.tabs import Tab


def frame(direction: str, stream: str = "1") -> StreamFrame:
    return StreamFrame(
        kind="ws",
        url="ws://a.test/live",
        direction="sent" if direction == "sent" else "received",
        payload="x",
        at=0.0,
        request=stream,
    )


async def test_a_question_is_awaited_until_its_answer_is_over(tab: Tab) -> None:
    moved = asyncio.Event()
    talk = Conversations(Traffic(tab.page), moved)
    assert not talk.is_open()
    talk.note_frame(frame("received"))
    assert not talk.is_open(), "a stream that only tells is none that was asked"
    talk.note_frame(frame("sent"))
    assert talk.is_open()
    talk.note_frame(frame("received"))
    assert talk.is_open(), "more may follow"
    moved.clear()
    await asyncio.wait_for(moved.wait(), 5)
    assert not talk.is_open()


async def test_a_stream_that_does_not_answer_is_given_up_for_good(tab: Tab) -> None:
    traffic, moved = Traffic(tab.page), asyncio.Event()
    talk = Conversations(traffic, moved)
    talk.note_frame(frame("sent"))
    while talk.is_open():
        moved.clear()
        await asyncio.wait_for(moved.wait(), 5)
    later = Conversations(traffic, moved)
    later.note_frame(frame("sent", "2"))
    assert not later.is_open()
