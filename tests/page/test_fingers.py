"""Fingers that stay down from one call to the next."""

from __future__ import annotations

import pytest

from stockade.engines.values import Point
from stockade.errors import InvalidArgument
from stockade.page.fingers import Fingers
from tests.support.tabs import Tab


async def opened(tab: Tab) -> Fingers:
    await tab.show("<p>Touch</p>")
    for frame in tab.agent.frames():
        await tab.agent.call(frame, "guard_open")
    return Fingers(tab.page)


async def test_touch_is_lent_and_taken_back(tab: Tab) -> None:
    fingers = await opened(tab)
    await fingers.start(4, Point(10, 10))
    assert tab.page.emulation.viewport.touch
    await fingers.start(5, Point(30, 30))
    assert await fingers.end(4) == [4]
    assert tab.page.emulation.viewport.touch
    assert await fingers.end() == [5]
    assert not tab.page.emulation.viewport.touch


async def test_a_finger_is_down_once(tab: Tab) -> None:
    fingers = await opened(tab)
    await fingers.start(1, Point(10, 10))
    with pytest.raises(InvalidArgument):
        await fingers.start(1, Point(20, 20))
    with pytest.raises(InvalidArgument):
        await fingers.move(2, Point(20, 20))
    await fingers.end()


async def test_gestures_leave_no_finger_behind(tab: Tab) -> None:
    fingers = await opened(tab)
    await fingers.swipe(3, Point(10, 10), Point(10, 100), 0, 3, timeout=10)
    assert await fingers.pinch(Point(100, 100), 0.5, 40, 3, timeout=10) == (1, 2)
    assert fingers.down == {}
