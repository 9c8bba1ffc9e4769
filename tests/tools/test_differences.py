"""Differences are counted by pixels, told by place and name, and shown."""

from __future__ import annotations

import base64
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from tests.support.callers import Caller
from tests.support.pictures import decode_png


def png(size: tuple[int, int] = (20, 10), *dots: tuple[int, int]) -> str:
    picture = Image.new("RGBA", size, (255, 255, 255, 255))
    for dot in dots:
        picture.putpixel(dot, (255, 0, 0, 128))
    file = BytesIO()
    picture.save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


async def test_pictures_are_compared_by_their_pixels(caller: Caller) -> None:
    same = await caller.ok("canvas_diff", beforeBase64=png(), afterBase64=png())
    assert (same["changedPixelCount"], same["bboxOfChanges"]) == (0, None)
    after = png((20, 10), (3, 2), (7, 8))
    found = await caller.ok("canvas_diff", beforeBase64=png(), afterBase64=after, inputFormat="png")
    assert (found["changedPixelCount"], found["changedBytes"]) == (2, 6)
    assert found["percentageChanged"] == 1.0
    assert found["bboxOfChanges"] == {"x": 3, "y": 2, "width": 5, "height": 7}
    region = {"x": 5, "y": 5, "width": 10, "height": 5}
    found = await caller.ok("canvas_diff", beforeBase64=png(), afterBase64=after, region=region)
    assert found["bboxOfChanges"] == {"x": 7, "y": 8, "width": 1, "height": 1}
    assert (found["changedPixelCount"], found["percentageChanged"]) == (1, 2.0)


async def test_raw_pixels_are_compared_too(caller: Caller) -> None:
    before = bytearray(4 * 6)
    after = bytearray(before)
    after[4 * 4] = 9
    given: dict[str, Any] = {
        "beforeBase64": base64.b64encode(before).decode(),
        "afterBase64": base64.b64encode(after).decode(),
        "inputFormat": "rgba",
    }
    found = await caller.ok("canvas_diff", **given, width=3, height=2)
    assert (found["changedPixelCount"], found["changedBytes"]) == (1, 1)
    assert found["bboxOfChanges"] == {"x": 1, "y": 1, "width": 1, "height": 1}
    for wrong in ({}, {"width": 3}, {"width": 30, "height": 20}):
        assert (await caller.refused("canvas_diff", **given, **wrong))["code"] == "invalid_argument"


@pytest.mark.parametrize("size", [30, 300])
@pytest.mark.parametrize("format", ["png", "2d-imagedata"])
async def test_what_canvas_capture_gives_can_be_compared(
    mighty: Caller, format: str, size: int
) -> None:
    await mighty.show(
        f"<canvas id=c width={size} height={size}></canvas><script>const pen = c.getContext('2d');"
        f" pen.fillRect(0, 0, {size}, {size}); const paint = () => {{ pen.fillStyle = 'red';"
        " pen.fillRect(3, 4, 5, 6); }</script><button onclick=paint()>Paint</button>"
    )
    before = await mighty.ok("canvas_capture", selector="canvas", format=format)
    await mighty.ok("click", selector="button")
    after = await mighty.ok("canvas_capture", selector="canvas", format=format)
    found = await mighty.ok(
        "canvas_diff",
        beforeBase64=before.get("dataBase64", before["uri"]),
        afterBase64=after["uri"],
        width=before["width"],
        height=before["height"],
    )
    assert found["bboxOfChanges"] == {"x": 3, "y": 4, "width": 5, "height": 6}
    stranger = mighty.another()
    refused = await stranger.refused(
        "canvas_diff", beforeBase64=before["uri"], afterBase64=after["uri"]
    )
    assert refused["code"] == "artifact_not_found"


async def test_what_cannot_be_compared(caller: Caller) -> None:
    other = await caller.refused("canvas_diff", beforeBase64=png(), afterBase64=png((9, 9)))
    assert other["reason"] == "sizes-differ"
    junk = base64.b64encode(b"\x89PNG\r\n\x1a\n junk").decode()
    assert (await caller.refused("canvas_diff", beforeBase64=junk, afterBase64=png()))[
        "reason"
    ] == "damaged"
    region = {"x": 15, "y": 5, "width": 10, "height": 5}
    refusal = await caller.refused(
        "canvas_diff", beforeBase64=png(), afterBase64=png(), region=region
    )
    assert refusal["code"] == "invalid_argument"


PAGE = """<title>T</title><h1>Prices</h1><p>Some words that stay</p>
<button style="position:absolute;left:400px;top:300px;width:120px;height:40px"
 onclick="this.style.background='red'">Buy</button>
<div role=timer aria-label=Clock style="position:absolute;left:900px;top:50px">{}</div>"""


async def test_two_states_of_a_page(mighty: Caller) -> None:
    await mighty.show(PAGE.format("12:00"))
    await mighty.ok("screenshot", path="before.png")
    same = await mighty.ok("visual_diff", before="before.png")
    assert (same["same"], same["percentage"], same["areas"]) == (True, 0, [])
    assert "path" not in same
    await mighty.ok("click", selector="role=button")
    await mighty.ok("hover", coords={"x": 1200, "y": 700})
    reply = await mighty.reply("visual_diff", before="before.png", path="changes.png")
    found = reply.data
    assert found is not None
    assert (found["same"], found["path"]) == (False, "changes.png")
    (area,) = found["areas"]
    assert 390 <= area["x"] <= 410
    assert 100 <= area["width"] <= 140
    named = {(each["role"], each["name"]) for each in area["elements"]}
    assert ("button", "Buy") in named
    (image,) = reply.images
    assert any(decode_png(image.data).pixel(x, 320)[:3] == (220, 0, 0) for x in range(410, 430)), (
        "what changed is red"
    )
    await mighty.ok("click", ref=area["elements"][0]["ref"])


async def test_what_is_ignored_does_not_count(mighty: Caller) -> None:
    await mighty.show(PAGE.format("12:00"))
    await mighty.ok("screenshot", path="before.png")
    await mighty.show(PAGE.format("12:59"), path="/later")
    found = await mighty.ok("visual_diff", before="before.png")
    assert found["areas"][0]["elements"][0]["name"] == "Clock"
    assert (await mighty.ok("visual_diff", before="before.png", maxPercent=5))["same"]
    for ignore in ("role=timer", {"x": 890, "y": 40, "width": 100, "height": 40}):
        same = await mighty.ok("visual_diff", before="before.png", ignore=[ignore])
        assert (same["same"], same["changedPixelCount"]) == (True, 0)


async def test_addresses_and_tabs_are_pictured_now(mighty: Caller) -> None:
    one = mighty.site.page("/one", "<body style='background:white'><h1>One</h1>")
    two = mighty.site.page(
        "/two", "<body style='background:white'><h1>Two</h1><p style='height:2000px'>"
    )
    await mighty.ok("navigate", url=one)
    before = await mighty.ok("tabs")
    assert (await mighty.ok("visual_diff", before=one, after="tab:t1"))["same"]
    found = await mighty.ok("visual_diff", before=one, after=two, fullPage=True)
    assert found["after"]["height"] > found["before"]["height"]
    assert "size" in found["warnings"][0]
    assert "Two" in str(found["areas"])
    assert (await mighty.ok("tabs"))["tabs"] == before["tabs"]
    refusal = await mighty.refused("visual_diff", before="file:///etc/passwd")
    assert refusal["code"] in {"invalid_argument", "artifact_not_found"}


async def test_smooth_edges_are_no_difference(mighty: Caller) -> None:
    page = "<body style='background:white'><div style='width:301px;height:301px;border-radius:50%;background:#333;{}'>"
    await mighty.show(page.format(""))
    await mighty.ok("screenshot", path="before.png")
    await mighty.show(page.format("transform:translateX(0.3px)"), path="/moved")
    strict = await mighty.ok(
        "visual_diff", before="before.png", tolerateAntialiasing=False, threshold=0.05
    )
    assert strict["changedPixelCount"] > 50
    loose = await mighty.ok("visual_diff", before="before.png", threshold=0.05)
    assert loose["changedPixelCount"] < strict["changedPixelCount"] / 4
