"""Requests for files, on both binaries."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.engines.events import FileChooserOpened
from stockade.engines.port import Page
from stockade.engines.values import Point, World
from stockade.errors import InvalidArgument, Unsupported
from tests.support.browsers import writable_by_browser
from tests.support.expecting import expecting
from tests.support.levels import only_beside
from tests.support.site import Site

INPUT = "<style>* {{ margin: 0 }}</style><input type=file {} style='width: 200px; height: 40px'>"
CHOSEN = "() => [...document.querySelector('input').files].map(file => [file.name, file.size])"


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    folder = writable_by_browser(tmp_path / "uploads")
    for name in ("one.txt", "two.txt"):
        (folder / name).write_text(name)
        (folder / name).chmod(0o644)
    return [str(folder / "one.txt"), str(folder / "two.txt")]


@only_beside
async def test_a_click_asks_and_the_files_arrive(either_page: Page, files: list[str]) -> None:
    await either_page.set_content(INPUT.format("multiple"))
    async with expecting(either_page.events, FileChooserOpened) as opened:
        await either_page.mouse.click(Point(20, 20))
    chooser = opened.result().chooser
    assert opened.result().page is either_page
    assert chooser.frame is either_page.main_frame
    assert chooser.multiple
    await chooser.set_files(files)
    assert await either_page.main_frame.call(CHOSEN) == [["one.txt", 7], ["two.txt", 7]]


@only_beside
async def test_one_file_is_one(either_page: Page, files: list[str]) -> None:
    await either_page.set_content(INPUT.format(""))
    async with expecting(either_page.events, FileChooserOpened) as opened:
        await either_page.mouse.click(Point(20, 20))
    chooser = opened.result().chooser
    assert not chooser.multiple
    with pytest.raises(InvalidArgument):
        await chooser.set_files(files)
    await chooser.set_files(files[:1])
    assert await either_page.main_frame.call(CHOSEN) == [["one.txt", 7]]


@only_beside
async def test_a_frame_of_another_process_asks(
    either_page: Page, site: Site, files: list[str]
) -> None:
    site.page("/inner", INPUT.format(""))
    site.page(
        "/",
        f"""<style>* {{ margin: 0; border: 0 }}</style>
            <iframe src='{site.url("/inner", host="localhost")}'></iframe>""",
    )
    await either_page.navigate(site.url(), until="load")
    [_, inner] = either_page.frames
    for frame in (inner, inner, either_page.main_frame):
        await frame.call("() => new Promise(requestAnimationFrame)")
    async with expecting(either_page.events, FileChooserOpened) as opened:
        await either_page.mouse.click(Point(20, 20))
    assert opened.result().chooser.frame is inner
    await opened.result().chooser.set_files(files[:1])
    assert await inner.call(CHOSEN) == [["one.txt", 7]]


async def test_an_unanswered_request_holds_nothing_up(either_page: Page) -> None:
    await either_page.set_content(INPUT.format(""))
    for _ in range(2):
        async with expecting(either_page.events, FileChooserOpened):
            await either_page.mouse.click(Point(20, 20))
    assert await either_page.main_frame.call(CHOSEN) == []
    assert await either_page.screenshot()


async def test_canceling_is_told_to_the_page(either_page: Page) -> None:
    await either_page.set_content(INPUT.format(""))
    await either_page.main_frame.call(
        """() => { window.told = new Promise(done => {
             document.querySelector('input').oncancel = () => done('canceled');
           }); }""",
        world=World.MAIN,
    )
    async with expecting(either_page.events, FileChooserOpened) as opened:
        await either_page.mouse.click(Point(20, 20))
    await opened.result().chooser.cancel()
    told = await either_page.main_frame.call("() => told", world=World.MAIN)
    assert told == "canceled"


async def test_an_input_outside_of_the_document(either_page: Page, files: list[str]) -> None:
    await either_page.set_content("<button style='width:100px;height:40px'>Upload</button>")
    await either_page.main_frame.call(
        """() => { window.got = new Promise(done => {
             document.querySelector('button').onclick = () => {
               const input = document.createElement('input');
               input.type = 'file';
               input.onchange = () => done(input.files[0].name);
               input.click();
             };
           }); }""",
        world=World.MAIN,
    )
    async with expecting(either_page.events, FileChooserOpened) as opened:
        await either_page.mouse.click(Point(20, 20))
    await opened.result().chooser.set_files(files[:1])
    got = await either_page.main_frame.call("() => got", world=World.MAIN)
    assert got == "one.txt"


async def test_the_file_system_api_is_told_no(either_page: Page, site: Site) -> None:
    site.page(
        "/",
        """<style>* { margin: 0 }</style><button style='width: 200px; height: 40px'>Open</button>
           <script>const told = new Promise(done => {
             document.querySelector('button').onclick = () =>
               showOpenFilePicker().catch(error => done(error.name));
           })</script>""",
    )
    await either_page.navigate(site.url())
    async with expecting(either_page.events, FileChooserOpened) as opened:
        await either_page.mouse.click(Point(20, 20))
    with pytest.raises(Unsupported):
        await opened.result().chooser.set_files(["/dev/null"])
    assert await either_page.main_frame.call("() => told", world=World.MAIN) == "AbortError"
