"""Pixels of canvases, and those that are not given."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import TargetAmbiguous, TargetNotFound
from tests.support.tabs import CALLER, Tab

SCRIPT = "canvas_pixels.js binary.js"


async def read(tab: Tab, **more: Any) -> dict[str, Any]:
    given = {"caller": CALLER, "ref": 0, "edge": 16_384, "most": 1_000_000, **more}
    said: dict[str, Any] = await tab.agent.call(tab.page.main_frame, SCRIPT, **given)
    return said


async def test_what_cannot_be_given_is_named(tab: Tab) -> None:
    await tab.show("<p>none")
    with pytest.raises(TargetNotFound):
        await read(tab)
    await tab.show("<canvas></canvas><canvas></canvas>")
    with pytest.raises(TargetAmbiguous, match="2 canvases"):
        await read(tab)
    await tab.show("<canvas width=0 height=5></canvas>")
    assert (await read(tab))["refused"] == "empty-canvas"
    await tab.show("<canvas width=300 height=5></canvas>")
    assert (await read(tab, edge=299))["refused"] == "canvas-too-large"
    assert (await read(tab, most=10))["refused"] == "canvas-too-large"


async def test_a_page_cannot_stand_in_for_the_browser(tab: Tab) -> None:
    await tab.show(
        "<canvas width=4 height=4></canvas><script>"
        "HTMLCanvasElement.prototype.toBlob = (done) => done(new Blob(['forged']));"
        "Object.defineProperty(HTMLCanvasElement.prototype, 'width', { value: 9 });</script>"
    )
    said = await read(tab)
    assert said["width"] == 4
    assert said["data"].startswith("iVBORw0KGgo")
