"""How a world lies on the screen, and pixels that may be read."""

from __future__ import annotations

import pytest

from stockade.engines.values import Point
from stockade.errors import InvalidArgument
from stockade.page.canvas import Transform, pixels, transform_of
from tests.support.tabs import CALLER, Tab


def test_there_and_back_again() -> None:
    transform = Transform.scaled(2, Point(10, 20), Point(100, 200))
    assert transform.to_screen(Point(3, 4)) == Point(116, 228)
    assert transform.to_world(Point(116, 228)) == Point(3, 4)
    turned = Transform(0, 2, -2, 0, 5, 7)
    assert turned.to_screen(Point(1, 0)) == Point(5, 9)
    assert turned.to_world(turned.to_screen(Point(3, -8))) == Point(3, -8)
    with pytest.raises(InvalidArgument, match="flattens"):
        Transform(1, 1, 1, 1, 0, 0).to_world(Point(0, 0))


async def test_the_only_canvas_is_meant(tab: Tab) -> None:
    await tab.show("<canvas width=3 height=2></canvas>")
    found = await pixels(tab.agent, None, caller=CALLER)
    assert (found.width, found.height, found.refused) == (3, 2, "")
    assert found.png.startswith(b"\x89PNG")


async def test_an_app_that_lies_is_not_believed(tab: Tab) -> None:
    await tab.show("<script>app = { scale: '2', offset: { x: NaN, y: 1 } }</script>")
    assert await transform_of(tab.agent) is None
    await tab.show("<script>app = { scale: 0, offset: { x: 0, y: 1 } }</script>")
    assert await transform_of(tab.agent) is None
    await tab.show("<script>app = { get viewport() { throw 1 } }</script>")
    assert await transform_of(tab.agent) is None
    await tab.show(
        "<script>Array.prototype.map = Array.prototype.every = () => { throw 1 }</script>"
        "<script>Number.isFinite = () => true; app = { scale: {}, offset: { x: [], y: 1 } }</script>"
    )
    assert await transform_of(tab.agent) is None
