"""Pictures of a page, on both binaries."""

from __future__ import annotations

import asyncio
import re
import zlib

import pytest

from stockade.engines.cdp import capture
from stockade.engines.events import DialogOpened, LifecycleReached, ScreencastFrame
from stockade.engines.port import Context, Page
from stockade.engines.values import (
    Box,
    Emulation,
    ImageFormat,
    PdfOptions,
    ScreenshotOptions,
    Viewport,
    World,
)
from stockade.errors import DialogOpen, InvalidArgument
from tests.support.expecting import expecting
from tests.support.pictures import Picture, decode_png, picture_size
from tests.support.site import Site

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)

STRIPES = """<style>* { margin: 0 } div { height: 1000px }</style>
<div style="background: red"></div>
<div style="background: green"></div>
<div style="background: blue"></div>"""


async def picture(page: Page, options: ScreenshotOptions) -> Picture:
    return decode_png(await page.screenshot(options))


def png(
    *,
    clip: Box | None = None,
    full_page: bool = False,
    scale: float = 1.0,
    transparent: bool = False,
) -> ScreenshotOptions:
    return ScreenshotOptions("png", 80, clip, full_page, scale, transparent)


# --- screenshots --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("image_format", "start"),
    [("jpeg", b"\xff\xd8"), ("png", b"\x89PNG"), ("webp", b"RIFF")],
)
async def test_the_viewport_in_every_format(
    either_page: Page, image_format: ImageFormat, start: bytes
) -> None:
    await either_page.set_content(STRIPES)
    data = await either_page.screenshot(ScreenshotOptions(image_format))
    assert data.startswith(start)
    assert picture_size(data) == (1280, 720)


async def test_quality_changes_the_size(either_page: Page) -> None:
    await either_page.set_content("<h1>Some text to draw</h1>" * 20)
    fine = await either_page.screenshot(ScreenshotOptions(quality=95))
    rough = await either_page.screenshot(ScreenshotOptions(quality=10))
    assert len(rough) < len(fine)


async def test_the_viewport_is_what_is_scrolled_to(either_page: Page) -> None:
    await either_page.emulate(Emulation(viewport=Viewport(160, 100)))
    await either_page.set_content(STRIPES)
    await either_page.main_frame.call("() => scrollTo(0, 1950)")
    shown = await picture(either_page, png())
    assert shown.size == (160, 100)
    assert shown.pixel(5, 5)[:3] == GREEN
    assert shown.pixel(5, 95)[:3] == BLUE
    half = await picture(either_page, png(scale=0.5))
    assert half.size == (80, 50)
    assert half.pixel(5, 5)[:3] == GREEN
    assert half.pixel(5, 45)[:3] == BLUE


async def test_a_clip_is_in_page_coordinates(either_page: Page) -> None:
    await either_page.set_content(STRIPES)
    await either_page.main_frame.call("() => scrollTo(0, 100)")
    within = await picture(either_page, png(clip=Box(10.2, 150.4, 20, 10)))
    assert within.size == (21, 11)
    assert within.pixel(5, 5)[:3] == RED
    beyond = await picture(either_page, png(clip=Box(0, 1990, 40, 20)))
    assert beyond.size == (40, 20)
    assert beyond.pixel(5, 5)[:3] == GREEN
    assert beyond.pixel(5, 15)[:3] == BLUE


async def test_a_clip_is_cut_to_the_page(either_page: Page) -> None:
    await either_page.set_content(STRIPES)
    cut = await picture(either_page, png(clip=Box(-50, 2990, 100, 100)))
    assert cut.size == (50, 10)
    with pytest.raises(InvalidArgument):
        await either_page.screenshot(png(clip=Box(0, 5000, 10, 10)))


async def test_the_full_page_leaves_the_page_as_it_was(either_page: Page) -> None:
    await either_page.set_content(
        STRIPES
        + """<script>
               const sizes = new Set();
               const note = () => sizes.add([innerWidth, innerHeight, scrollY].join());
               for (const kind of ['resize', 'scroll']) addEventListener(kind, note);
             </script>"""
    )
    await either_page.main_frame.call(
        """() => new Promise(done => {
             addEventListener('scroll', done, {once: true});
             scrollTo(0, 700);
           })"""
    )
    await either_page.main_frame.call("() => sizes.clear()", world=World.MAIN)
    whole = await picture(either_page, png(full_page=True, scale=0.1))
    assert whole.size == (128, 300)
    assert [whole.pixel(5, y)[:3] for y in (5, 150, 295)] == [RED, GREEN, BLUE]
    await either_page.main_frame.call("() => new Promise(requestAnimationFrame)")
    seen = await either_page.main_frame.call("() => (note(), [...sizes])", world=World.MAIN)
    # Under load a whole Chromium lays a page out once for no size at all, by itself.
    assert [each for each in seen if not each.startswith("1,1,")] == ["1280,720,700"]


async def test_a_dense_screen_has_more_pixels(either_page: Page) -> None:
    await either_page.emulate(Emulation(viewport=Viewport(200, 100, scale=2)))
    await either_page.set_content(STRIPES)
    assert picture_size(await either_page.screenshot()) == (400, 200)
    clipped = await either_page.screenshot(ScreenshotOptions(clip=Box(0, 0, 50, 20)))
    assert picture_size(clipped) == (100, 40)


async def test_a_very_long_page(either_page: Page) -> None:
    await either_page.set_content("<style>*{margin:0}</style><div style='height:30000px'></div>")
    data = await either_page.screenshot(ScreenshotOptions(full_page=True))
    assert picture_size(data) == (1280, 30000)
    with pytest.raises(InvalidArgument) as caught:
        await either_page.screenshot(ScreenshotOptions("webp", full_page=True))
    assert caught.value.details["side_limit"] == 16383
    assert caught.value.hint == "Picture a part of it, or make it smaller."
    fitted = await either_page.screenshot(ScreenshotOptions("webp", full_page=True, fit=True))
    assert 16_000 < picture_size(fitted).height <= 16_383
    small = await either_page.screenshot(ScreenshotOptions("webp", full_page=True, scale=0.54))
    assert picture_size(small).height == 16200


async def test_too_many_pixels_are_refused_before_the_browser_tries(either_page: Page) -> None:
    await either_page.set_content("<div style='height:200000px'></div>")
    with pytest.raises(InvalidArgument) as caught:
        await either_page.screenshot(png(full_page=True))
    assert caught.value.details["pixel_limit"] == 64_000_000


async def test_a_transparent_background(either_page: Page) -> None:
    await either_page.set_content("<div style='background:blue;height:50px'></div>")
    clear = await picture(either_page, png(clip=Box(0, 0, 30, 90), transparent=True))
    assert clear.pixel(5, 80)[3] == 0
    assert clear.pixel(20, 20) == (*BLUE, 255)
    solid = await picture(either_page, png(clip=Box(0, 0, 30, 90)))
    assert solid.pixel(5, 80)[:3] == WHITE


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (ScreenshotOptions(quality=101), "quality"),
        (ScreenshotOptions(scale=0), "scale"),
        (ScreenshotOptions(scale=2), "scale"),
        (ScreenshotOptions(transparent=True), "transparent"),
        (ScreenshotOptions(clip=Box(0, 0, 1, 1), full_page=True), "full_page"),
        (ScreenshotOptions(clip=Box(0, 0, 0, 1)), "clip"),
    ],
)
async def test_options_that_cannot_be(page: Page, options: ScreenshotOptions, field: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await page.screenshot(options)
    assert caught.value.details["field"] == field


async def test_tabs_in_the_background_are_pictured_too(either_context: Context) -> None:
    tabs = [await either_context.new_page() for _ in range(3)]
    for tab, colour in zip(tabs, ("red", "green", "blue"), strict=True):
        await tab.set_content(f"<body style='background:{colour}'>")
    corner = png(clip=Box(0, 0, 10, 10))
    shown = [(await picture(tab, corner)).pixel(5, 5)[:3] for tab in tabs]
    assert shown == [RED, GREEN, BLUE]


async def test_a_picture_that_takes_long_spoils_nothing(
    either_context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capture, "_PATIENCE", 0.001)
    page = await either_context.new_page()
    await either_context.new_page()
    await page.set_content(STRIPES)
    for _ in range(3):
        whole = await picture(page, png(full_page=True, scale=0.1))
        assert [whole.pixel(5, y)[:3] for y in (5, 150, 295)] == [RED, GREEN, BLUE]
        clear = await picture(page, png(clip=Box(0, 995, 10, 10), transparent=True))
        assert [clear.pixel(5, y)[:3] for y in (2, 8)] == [RED, GREEN]
    assert picture_size(await page.screenshot()) == (1280, 720)
    assert await page.main_frame.call("() => [innerWidth, innerHeight]") == [1280, 720]


async def test_a_document_that_goes_away_meanwhile(either_page: Page, site: Site) -> None:
    for number in range(10):
        path = site.page(f"/{number}", f"<h1>{number}</h1>" * 200)
        async with asyncio.TaskGroup() as group:
            taken = group.create_task(either_page.screenshot(timeout=5))
            await either_page.main_frame.call(f"() => {{ location.href = '{path}'; }}")
        assert taken.result()
        async with asyncio.timeout(5):
            while not (
                either_page.main_frame.url == path
                and either_page.main_frame.reached("DOMContentLoaded")
            ):
                await either_page.events.wait(LifecycleReached)


async def test_a_dialog_ends_the_wait(either_page: Page) -> None:
    async with expecting(either_page.events, DialogOpened):
        await either_page.main_frame.call("() => { setTimeout(() => alert('now'), 0); }")
    with pytest.raises(DialogOpen):
        await either_page.screenshot()
    with pytest.raises(DialogOpen):
        await either_page.pdf()
    await either_page.answer_dialog(accept=True)
    assert await either_page.screenshot()


# --- print --------------------------------------------------------------------------------------


def boxes(document: bytes) -> list[tuple[float, ...]]:
    """The page boxes of a PDF, wherever they are."""
    parts = [document]
    for found in re.finditer(rb"stream\r?\n", document):
        try:
            parts.append(zlib.decompressobj().decompress(document[found.end() :]))
        except zlib.error:
            continue
    return [
        tuple(float(number) for number in box.split())
        for part in parts
        for box in re.findall(rb"/MediaBox\s*\[([^\]]+)\]", part)
    ]


async def test_a_pdf_has_the_size_and_pages_asked_for(either_page: Page) -> None:
    await either_page.set_content("".join(f"<p style='break-after:page'>{n}" for n in range(5)))
    portrait = await either_page.pdf()
    assert portrait.startswith(b"%PDF-")
    assert portrait.rstrip().endswith(b"%%EOF")
    landscape = await either_page.pdf(PdfOptions(width=4, height=6, landscape=True, pages="2-3"))
    assert boxes(landscape) == [(0, 0, 432, 288)] * 2
    assert len(boxes(portrait)) in {5, 6}


async def test_a_large_pdf_comes_whole(either_page: Page) -> None:
    await either_page.set_content(
        """<canvas width=1200 height=1200></canvas><script>
             const canvas = document.querySelector('canvas'), brush = canvas.getContext('2d');
             const noise = brush.createImageData(1200, 1200);
             let seed = 1;
             for (let i = 0; i < noise.data.length; i++)
               noise.data[i] = i % 4 === 3 ? 255 : (seed = seed * 48271 % 2147483647) & 255;
             brush.putImageData(noise, 0, 0);
           </script>"""
    )
    document = await either_page.pdf()
    assert len(document) > 3 << 20
    assert document.rstrip().endswith(b"%%EOF")


@pytest.mark.parametrize("options", [PdfOptions(pages="9-1"), PdfOptions(margin=20)])
async def test_a_print_that_cannot_be(either_page: Page, options: PdfOptions) -> None:
    with pytest.raises(InvalidArgument):
        await either_page.pdf(options)


# --- screencast ---------------------------------------------------------------------------------

ANIMATION = """<style>
  @keyframes move { to { transform: translateX(500px) } }
  div { width: 50px; height: 50px; background: red; animation: move 1s infinite }
</style><div></div>"""


async def test_several_tabs_are_cast_at_once(either_context: Context) -> None:
    tabs = [await either_context.new_page() for _ in range(3)]
    for tab in tabs:
        await tab.set_content(ANIMATION)
        await tab.start_screencast(max_width=640, max_height=360)
    for tab in tabs:
        for _ in range(5):
            async with expecting(tab.events, ScreencastFrame) as frame:
                pass
            assert picture_size(frame.result().data) == (640, 360)
            assert (frame.result().width, frame.result().height) == (1280, 720)


async def test_a_still_page_keeps_its_last_frame_for_late_viewers(either_page: Page) -> None:
    await either_page.set_content("<body style='background:green'>")
    async with expecting(
        either_page.events,
        ScreencastFrame,
        where=lambda frame: decode_png(frame.data).pixel(5, 5)[:3] == GREEN,
    ):
        await either_page.start_screencast(format="png", max_width=64, max_height=36)
    kept = either_page.screencast_frame
    assert kept is not None
    assert decode_png(kept.data).pixel(5, 5)[:3] == GREEN
    await either_page.stop_screencast()
    assert either_page.screencast_frame is None


async def test_a_cast_goes_on_in_another_process(either_page: Page, site: Site) -> None:
    site.page("/one", "<body style='background:red'>")
    site.page("/two", "<body style='background:blue'>")
    await either_page.navigate(site.url("/one"))
    async with expecting(either_page.events, ScreencastFrame):
        await either_page.start_screencast(format="png", max_width=64, max_height=36)
    async with expecting(
        either_page.events,
        ScreencastFrame,
        where=lambda frame: decode_png(frame.data).pixel(5, 5)[:3] == BLUE,
    ):
        await either_page.navigate(site.url("/two", host="localhost"))
