"""The mouse as pages see it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.engines.values import Point, World
from tests.support.browsers import writable_by_browser
from tests.support.levels import only_beside
from tests.support.site import Site

PAGE = """<body style='margin:0'><div id=a style='width:300px;height:300px'></div>
<div id=s style='width:200px;height:200px;overflow:auto'><div style='height:2000px'></div></div>
<script>
globalThis.seen = [];
for (const type of ['mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'])
  a.addEventListener(type, (e) => seen.push([type, e.button, e.buttons, e.detail, e.altKey]));
globalThis.moves = [];
a.addEventListener('mousemove', (e) => moves.push([e.clientX, e.clientY]));
</script>"""


@pytest.fixture
async def pointing(either_page: Page, site: Site) -> Page:
    site.page("/", PAGE)
    await either_page.navigate(site.url("/"), until="load")
    return either_page


async def main(page: Page, code: str) -> Any:
    return await page.main_frame.call(code, world=World.MAIN)


async def test_a_click_is_press_and_release(pointing: Page) -> None:
    await pointing.mouse.click(Point(50, 60), modifiers=["Alt"])
    assert await main(pointing, "() => seen") == [
        ["mousedown", 0, 1, 1, True],
        ["mouseup", 0, 0, 1, True],
        ["click", 0, 0, 1, True],
    ]
    assert pointing.mouse.position == Point(50, 60)


async def test_two_clicks_are_a_double_click(pointing: Page) -> None:
    await pointing.mouse.click(Point(50, 60), count=2)
    kinds = [entry[0] for entry in await main(pointing, "() => seen")]
    assert kinds == ["mousedown", "mouseup", "click", "mousedown", "mouseup", "click", "dblclick"]


@pytest.mark.parametrize(
    ("button", "number", "kind"), [("right", 2, "contextmenu"), ("middle", 1, "auxclick")]
)
async def test_other_buttons(pointing: Page, button: str, number: int, kind: str) -> None:
    await pointing.mouse.click(Point(50, 60), button=button)  # type: ignore[arg-type]
    seen = await main(pointing, "() => seen")
    assert [entry[1] for entry in seen] == [number] * len(seen)
    assert kind in [entry[0] for entry in seen]


async def test_moves_go_in_steps(pointing: Page) -> None:
    await pointing.mouse.move(Point(10, 10))
    await main(pointing, "() => { moves.length = 0; }")
    await pointing.mouse.move(Point(110, 60), steps=5)
    moves = await main(pointing, "() => moves")
    assert moves[-1] == [110, 60]
    assert len(moves) == 5


async def test_the_wheel_scrolls_what_is_under_it(pointing: Page) -> None:
    await main(
        pointing,
        "() => { globalThis.scrolled = new Promise((done) => {"
        " s.onscroll = () => done(s.scrollTop); }); }",
    )
    await pointing.mouse.wheel(Point(50, 400), dy=120)
    assert await main(pointing, "() => scrolled") > 0


SOURCE = """<body style='margin:0'><div id=a draggable=true style='width:80px;height:40px'>Card</div>
<script>a.ondragstart = (e) => e.dataTransfer.setData('text/plain', 'card')</script>"""
TRAY = """<body style='margin:0'><div id=b style='width:200px;height:100px'>Tray</div>
<script>
globalThis.dropped = [];
b.ondragover = (e) => e.preventDefault();
b.ondrop = (e) => { e.preventDefault(); dropped.push(e.dataTransfer.getData('text/plain')); };
</script>"""


@pytest.mark.parametrize(
    ("source", "tray"),
    [("127.0.0.1", "localhost"), ("localhost", "127.0.0.1"), ("localhost", "localhost")],
)
async def test_what_is_dragged_may_go_to_another_frame(
    either_page: Page, site: Site, source: str, tray: str
) -> None:
    page = either_page
    site.page("/source", SOURCE)
    site.page("/tray", TRAY)
    style = "position:fixed;left:0;border:0;top"
    site.page(
        "/",
        f"<iframe style='{style}:0' src='{site.url('/source', host=source)}'></iframe>"
        f"<iframe style='{style}:200px' src='{site.url('/tray', host=tray)}'></iframe>",
    )
    await page.navigate(site.url("/"), until="load")
    frame = next(each for each in page.frames if each.url.endswith("/tray"))
    for each in page.frames:
        await each.call("() => new Promise(done => requestAnimationFrame(() => done()))")
    # By hand: press, move, release.
    async with asyncio.timeout(20):
        while not await frame.call("() => dropped", world=World.MAIN):
            await page.mouse.move(Point(20, 20))
            await page.mouse.down()
            await page.mouse.move(Point(20, 230), steps=6)
            await page.mouse.up()
    assert await frame.call("() => dropped", world=World.MAIN) == ["card"]


@only_beside
async def test_files_come_from_outside(pointing: Page, tmp_path: Path) -> None:
    file = writable_by_browser(tmp_path / "given") / "a.txt"
    file.write_text("content")
    await main(
        pointing,
        """() => {
          a.ondragover = (event) => event.preventDefault();
          globalThis.dropped = new Promise((resolve) => {
            a.ondrop = async (event) => {
              event.preventDefault();
              const [file] = event.dataTransfer.files;
              resolve([event.isTrusted, event.clientX, file.name, await file.text()]);
            };
          });
        }""",
    )
    for kind in ("enter", "over", "drop"):
        await pointing.mouse.drag_files(kind, Point(40, 50), [str(file)])
    assert await main(pointing, "() => globalThis.dropped") == [True, 40, "a.txt", "content"]
