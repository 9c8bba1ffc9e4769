"""Pictures: of the right thing, no larger than asked, kept for later."""

from __future__ import annotations

from tests.support.callers import Caller
from tests.support.pictures import decode_png, picture_size

PAGE = """<body style='margin:0;background:#0000ff'><div id=box aria-label=Box role=img
style='width:200px;height:100px;background:#00ff00'></div><div style='height:4000px'></div>"""


async def test_the_viewport_is_pictured_as_jpeg_and_kept(caller: Caller) -> None:
    await caller.show(PAGE)
    reply = await caller.reply("screenshot")
    assert reply.data is not None
    (image,) = reply.images
    assert image.mime_type == "image/jpeg"
    assert picture_size(image.data) == (1280, 720)
    assert reply.links == ()
    kept = caller.kernel.artifacts.find(caller.kernel.sessions, caller.principal, reply.data["uri"])
    assert kept.path.read_bytes() == image.data
    assert {"captured_at", "width", "height", "bytes"} <= set(reply.data)


async def test_an_element_alone(caller: Caller) -> None:
    await caller.show(PAGE)
    reply = await caller.reply("screenshot", selector="role=img", format="png")
    picture = decode_png(reply.images[0].data)
    assert picture_size(reply.images[0].data) == (200, 100)
    assert picture.pixel(100, 50)[:3] == (0, 255, 0)


async def test_a_full_page_is_scaled_down_and_the_whole_is_linked(caller: Caller) -> None:
    await caller.show(PAGE)
    reply = await caller.reply("screenshot", fullPage=True)
    assert reply.data is not None
    width, height = picture_size(reply.images[0].data)
    assert height <= 1568
    assert width * height <= 1_150_000
    (link,) = reply.links
    kept = caller.kernel.artifacts.find(caller.kernel.sessions, caller.principal, link.uri)
    assert picture_size(kept.path.read_bytes()) == (1280, 4100)


async def test_the_caller_can_ask_for_fewer_pixels(caller: Caller) -> None:
    await caller.show(PAGE)
    reply = await caller.reply("screenshot", maxPixels=20_000, format="webp", quality=50)
    assert reply.data is not None
    assert reply.data["width"] * reply.data["height"] <= 20_500
    assert reply.images[0].mime_type == "image/webp"


async def test_what_cannot_be_pictured_is_refused(caller: Caller) -> None:
    await caller.show(PAGE)
    assert (await caller.refused("screenshot", format="gif"))["code"] == "invalid_argument"
    assert (await caller.refused("screenshot", selector="role=button"))["code"] == "not_found"
    assert (await caller.refused("screenshot", quality=101))["code"] == "invalid_argument"
