"""Pictures: of the right thing, no larger than asked, kept for later."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stockade.engines.values import Viewport
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


TALL = """<body style='margin:0'><main style='height:200000px;width:1280px;
background:linear-gradient(#ff0000, #0000ff)'></main>"""


@pytest.mark.parametrize("kind", ["jpeg", "png", "webp"])
async def test_a_page_of_any_height_is_pictured(caller: Caller, kind: str) -> None:
    await caller.show(TALL)
    for given in ({"fullPage": True}, {"selector": "main"}):
        reply = await caller.reply("screenshot", format=kind, **given)
        assert reply.ok, reply.text
        assert reply.data is not None
        width, height = picture_size(reply.images[0].data)
        assert width >= 300
        assert height <= 1568
        first, second = reply.data["warnings"]
        assert first.startswith("it is 1280x200000, more than one")
        assert "only its first 1280x6272 are shown" in second
        (link,) = reply.links
        kept = caller.kernel.artifacts.find(caller.kernel.sessions, caller.principal, link.uri)
        wide, high = picture_size(kept.path.read_bytes())
        assert high / wide == pytest.approx(200_000 / 1280, rel=0.02)


async def test_a_page_of_any_height_goes_to_a_file(mighty: Caller) -> None:
    mighty.kernel.masker.add("PASSWORD", "hunter2-of-pictures")
    await mighty.show(TALL + "<p>hunter2-of-pictures</p>")
    data = await mighty.ok("screenshot", path="tall.jpg", fullPage=True)
    assert "scaled to" in data["warnings"][0]
    assert data["height"] <= 65_500
    assert data["scaledTo"] < 0.5


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


async def test_a_picture_goes_to_a_file_when_asked(mighty: Caller) -> None:
    await mighty.show(PAGE)
    reply = await mighty.reply("screenshot", path="shots/first.png", fullPage=True)
    assert reply.images == ()
    assert reply.data is not None
    assert (reply.data["path"], reply.data["format"]) == ("shots/first.png", "png")
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    kept = mighty.kernel.artifacts.named(session, "shots/first.png")
    content = kept.path.read_bytes()
    assert picture_size(content) == (1280, 4100)
    assert (len(content), kept.mime_type) == (reply.data["bytes"], "image/png")


async def test_a_path_needs_its_capability(caller: Caller) -> None:
    await caller.show(PAGE)
    refusal = await caller.refused("screenshot", path="a.png")
    assert (refusal["code"], refusal["requiredCapability"]) == ("capability_disabled", "file-io")


SHOP = """<title>Shop</title><header><h1>Little shop</h1></header><main><h2>Teas</h2>
<img alt="A cup" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=" width=40 height=40>
<button>Buy</button></main><div style='height:3000px'></div><h2>Far below</h2>"""


async def test_a_caption_is_in_words_of_the_page(caller: Caller) -> None:
    await caller.show(SHOP)
    reply = await caller.reply("screenshot", describe=True)
    assert reply.data is not None
    assert "untrusted" in reply.data
    words = reply.data["caption"]
    for part in ("Shop", "Little shop, Teas", "banner", "A cup", "1 controls"):
        assert part in words
    assert "Far below" not in words
    told = await caller.ok("screenshot", describe=True, selector="role=button")
    assert told["caption"].startswith('button "Buy" on page “Shop”')


async def test_the_element_at_a_point_and_a_named_region(caller: Caller) -> None:
    await caller.show(PAGE)
    reply = await caller.reply("screenshot", coords={"x": 50, "y": 50}, format="png")
    assert picture_size(reply.images[0].data) == (200, 100)
    await caller.ok(
        "name_region", name="corner", box={"x": 190, "y": 90, "width": 20, "height": 20}
    )
    reply = await caller.reply("screenshot", named="corner", format="png")
    picture = decode_png(reply.images[0].data)
    assert picture.size == (20, 20)
    assert [picture.pixel(*at)[:3] for at in ((5, 5), (15, 15))] == [(0, 255, 0), (0, 0, 255)]


async def test_a_region_of_the_window_wherever_it_is_scrolled(caller: Caller) -> None:
    await caller.show(PAGE)
    await caller.ok("scroll", by={"x": 0, "y": 60})
    box = {"x": 150, "y": 20, "width": 100, "height": 40}
    reply = await caller.reply("screenshot_region", box=box, format="png")
    picture = decode_png(reply.images[0].data)
    assert picture.size == (100, 40)
    assert picture.pixel(10, 10)[:3] == (0, 255, 0)
    assert picture.pixel(90, 35)[:3] == (0, 0, 255)
    empty = {"x": 0, "y": 0, "width": 0, "height": 5}
    assert (await caller.refused("screenshot_region", box=empty))["code"] == "invalid_argument"


MARKED = """<body style='margin:0;background:#fff'><button style='position:absolute;left:100px;
top:100px;width:200px;height:80px;background:#fff;border:0'>One</button>
<a href=# style='position:absolute;left:120px;top:110px'>Two</a>
<p role=note style='position:absolute;top:5000px'>Far</p>"""


async def test_marks_are_painted_on_the_picture_not_on_the_page(caller: Caller) -> None:
    await caller.show(MARKED)
    found = await caller.ok("find", query="One")
    two = await caller.ok("find", query="Two link")
    far = await caller.ok("text_search", text="Far")
    rows = [found["candidates"][0], {"ref": two["candidates"][0]["ref"]}, far["matches"][0]]
    reply = await caller.reply("screenshot_marks", candidates=[*rows, {"ref": "e9999"}])
    assert reply.data is not None
    marks = reply.data["marks"]
    assert [each["painted"] for each in marks] == [True, True, False, False]
    assert "out of view" in marks[2]["reason"]
    assert reply.data["mapping"]["1"] == rows[0]["ref"]
    assert (marks[0]["role"], marks[0]["name"]) == ("button", "One")
    picture = decode_png(reply.images[0].data)
    assert picture.size == (1280, 720)
    assert picture.pixel(100, 140)[:3] != (255, 255, 255)
    after = decode_png((await caller.reply("screenshot", format="png")).images[0].data)
    assert after.pixel(100, 140)[:3] == (255, 255, 255)
    refusal = await caller.refused("screenshot_marks", candidates=[])
    assert refusal["code"] == "invalid_argument"


async def test_pixels_of_the_page_or_of_the_device(mighty: Caller) -> None:
    await mighty.show(PAGE)
    tab = mighty.kernel.sessions.find(mighty.principal, "default").current
    assert tab is not None
    fine = replace(tab.page.emulation, viewport=Viewport(400, 300, scale=2))
    await tab.page.emulate(fine)
    for scale, size in (("css", (400, 300)), ("device", (800, 600))):
        reply = await mighty.reply("screenshot", scale=scale, format="png")
        assert reply.data is not None
        assert picture_size(reply.images[0].data) == size
        assert (reply.data["width"], reply.data["height"]) == size
    found = await mighty.ok("find", query="Box image")
    reply = await mighty.reply("screenshot_marks", candidates=found["candidates"][:1])
    assert picture_size(reply.images[0].data) == (400, 300)
