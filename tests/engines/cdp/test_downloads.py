"""Downloads, on both binaries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.engines.cdp.context import ChromiumContext
from stockade.engines.cdp.downloads import _Began, _Progress, safe_filename
from stockade.engines.events import DownloadChanged, DownloadStarted, PageClosed
from stockade.engines.port import Browser, Context, Page
from stockade.engines.values import ContextOptions
from stockade.errors import InvalidArgument, NavigationFailed
from tests.support.browsers import writable_by_browser
from tests.support.expecting import expecting
from tests.support.levels import only_beside
from tests.support.site import Request, Response, Site

CLICK = "() => document.querySelector('a').click()"


def ended(event: DownloadChanged) -> bool:
    return event.download.state != "running"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return writable_by_browser(tmp_path / "downloads")


@pytest.fixture
async def receiving(either_browser: Browser, folder: Path) -> AsyncIterator[Context]:
    context = await either_browser.new_context(ContextOptions(downloads=folder))
    yield context
    await context.close()


def endless(site: Site, path: str) -> asyncio.Event:
    """Serve an attachment that sends a little and waits for the event to break off."""
    broken = asyncio.Event()

    async def pieces() -> AsyncIterator[bytes]:
        yield b"x" * 100_000
        await broken.wait()
        raise ConnectionError("the line breaks")

    async def answer(_request: Request) -> Response:
        headers = {"content-disposition": "attachment", "content-length": "1000000"}
        return Response(pieces(), content_type="application/zip", headers=headers)

    site.route(path, answer)
    return broken


@only_beside
async def test_a_download_is_kept_under_its_own_name(
    receiving: Context, folder: Path, site: Site
) -> None:
    site.page("/", "<a href='/download?name=r%C3%A9sum%C3%A9.txt&size=5000'>get</a>")
    page = await receiving.new_page()
    await page.navigate(site.url())
    async with (
        expecting(receiving.events, DownloadStarted) as started,
        expecting(receiving.events, DownloadChanged, where=ended) as done,
    ):
        await page.main_frame.call(CLICK)
    assert started.result().page is page
    download = done.result().download
    assert download.state == "completed"
    assert download.filename == "résumé.txt"
    assert (download.received, download.total) == (5000, 5000)
    assert receiving.downloads == (download,)
    assert [each.name for each in folder.iterdir()] == [download.id]
    assert (folder / download.id).stat().st_size == 5000


async def test_an_address_that_is_a_download(receiving: Context, site: Site) -> None:
    page = await receiving.new_page()
    async with expecting(receiving.events, DownloadChanged, where=ended) as done:
        with pytest.raises(NavigationFailed) as caught:
            await page.navigate(site.url("/download"))
    assert caught.value.details["reason"] == "download"
    assert done.result().download.state == "completed"
    assert not page.closed


async def test_a_frame_of_another_process_downloads_for_its_page(
    receiving: Context, site: Site
) -> None:
    site.page("/inner", "<a href='/download'>get</a>")
    site.page("/", f"<iframe src='{site.url('/inner', host='localhost')}'></iframe>")
    page = await receiving.new_page()
    await page.navigate(site.url(), until="load")
    async with expecting(page.events, DownloadStarted) as started:
        await page.frames[1].call(CLICK)
    assert started.result().page is page


async def test_a_tab_opened_for_a_download_goes_again(receiving: Context, site: Site) -> None:
    site.page("/", "<a href='/download' target=_blank>get</a>")
    page = await receiving.new_page()
    await page.navigate(site.url())
    async with (
        expecting(receiving.events, PageClosed),
        expecting(receiving.events, DownloadChanged, where=ended) as done,
    ):
        await page.main_frame.call(CLICK)
    assert done.result().download.state == "completed"
    assert list(receiving.pages) == [page]


async def test_without_a_place_downloads_are_denied(either_context: Context, site: Site) -> None:
    site.page("/", "<a href='/download'>get</a>")
    page = await either_context.new_page()
    await page.navigate(site.url())
    async with expecting(either_context.events, DownloadChanged, where=ended) as done:
        await page.main_frame.call(CLICK)
    assert done.result().download.state == "denied"
    assert done.result().download.received == 0


async def test_one_context_denied_does_not_silence_another(
    either_browser: Browser, receiving: Context, site: Site
) -> None:
    denied = await either_browser.new_context(ContextOptions())
    try:
        await test_an_address_that_is_a_download(receiving, site)
        assert denied.downloads == ()
    finally:
        await denied.close()


async def test_a_download_can_be_canceled(receiving: Context, folder: Path, site: Site) -> None:
    endless(site, "/endless")
    page = await receiving.new_page()
    site.page("/", "<a href='/endless'>get</a>")
    await page.navigate(site.url())
    async with expecting(
        receiving.events, DownloadChanged, where=lambda event: event.download.received > 0
    ) as begun:
        await page.main_frame.call(CLICK)
    download = begun.result().download
    async with expecting(receiving.events, DownloadChanged, where=ended):
        await receiving.cancel_download(download.id)
    assert download.state == "canceled"
    await receiving.cancel_download(download.id)
    with pytest.raises(InvalidArgument):
        await receiving.cancel_download("no-such-download")


async def test_a_line_that_breaks_is_a_failure(receiving: Context, site: Site) -> None:
    broken = endless(site, "/endless")
    page = await receiving.new_page()
    site.page("/", "<a href='/endless'>get</a>")
    await page.navigate(site.url())
    async with expecting(receiving.events, DownloadChanged, where=ended) as done:
        async with expecting(receiving.events, DownloadStarted):
            await page.main_frame.call(CLICK)
        broken.set()
    assert done.result().download.state == "failed"


async def test_many_are_kept_and_one_that_runs_is_never_forgotten(page: Page) -> None:
    context = page.context
    assert isinstance(context, ChromiumContext)
    downloads = context.browser.downloads
    for number in range(300):
        downloads._began(_Began(str(number), "http://a/", page.main_frame.id, "a"))
        if number % 2:
            downloads._progress(_Progress(str(number), "completed"))
    states = [each.state for each in context.downloads]
    assert (states.count("running"), len(states)) == (150, 200)
    assert context.downloads[0].id == "0"


@pytest.mark.parametrize(
    ("suggested", "safe"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..\\x\x00y", "_x_y"),
        ("invoice\u202efdp.exe", "invoice_fdp.exe"),
        ("...", "download"),
        ("", "download"),
        ("a" * 300 + ".tar", "a" * 196 + ".tar"),
    ],
)
def test_names_are_defused(suggested: str, safe: str) -> None:
    assert safe_filename(suggested) == safe


@given(st.text())
def test_no_name_leaves_its_directory(suggested: str) -> None:
    name = safe_filename(suggested)
    assert name
    assert "/" not in name
    assert name not in {".", ".."}
    assert len(name.encode()) <= 200
    assert name.isprintable() or not any(ord(letter) < 32 for letter in name)
