"""Downloads: whole, stopped or refused, and never more than a session may have."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from stockade.engines.events import Download, DownloadChanged, DownloadStarted
from stockade.engines.port import Browser
from stockade.errors import (
    ArtifactNotFound,
    DeadlineExceeded,
    DownloadFailed,
    QuotaExceeded,
    SessionNotFound,
    StockadeError,
)
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from tests.sessions.ground import ALICE, LendingEngine, main, serving, until
from tests.sessions.test_tabs import at
from tests.support.expecting import expecting
from tests.support.levels import LEVEL, only_beside
from tests.support.site import Request, Response, Site

QUOTA = 1_000_000


@pytest.fixture
async def small(browser: Browser, tmp_path: Path) -> AsyncIterator[Sessions]:
    async with serving(
        LendingEngine(browser), tmp_path, isolation=LEVEL, download_quota=QUOTA
    ) as sessions:
        yield sessions


@pytest.fixture
async def tab(small: Sessions, site: Site) -> Tab:
    return await at(small.open(ALICE, "default"), site)


async def begin(tab: Tab, url: str) -> Download:
    """Let the page begin a download."""
    async with expecting(tab.page.context.events, DownloadStarted) as started:
        await main(tab, "url => { location = url }", url)
    return started.result().download


def seen(session: Session) -> Path:
    """Where a test sees what the browser has written, also where the browser is in a jail."""
    if session.jail is not None:
        return Path(f"/proc/self/fd/{session.jail.downloads.descriptor}")
    assert session.downloads is not None
    return session.downloads


class Tap:
    """An attachment that comes piece by piece, and says or does not say how long it is."""

    def __init__(self, site: Site, path: str, announced: int | None = None) -> None:
        self.url = site.route(path, self._answer)
        self._announced = announced
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue()

    def give(self, count: int) -> None:
        self._pieces.put_nowait(b"x" * count)

    def end(self) -> None:
        self._pieces.put_nowait(None)

    def break_off(self) -> None:
        """Break now and ever after: the browser tries again a few times."""
        for _ in range(10):
            self._pieces.put_nowait(b"")

    async def _answer(self, _request: Request) -> Response:
        headers = {"content-disposition": "attachment"}
        if self._announced is not None:
            headers["content-length"] = str(self._announced)
        return Response(self._body(), content_type="application/zip", headers=headers)

    async def _body(self) -> AsyncIterator[bytes]:
        while (piece := await self._pieces.get()) is not None:
            if not piece:
                raise ConnectionError("the line breaks")
            yield piece


async def test_a_finished_download_is_a_file_of_its_own(tab: Tab, site: Site) -> None:
    download = await begin(tab, site.url("/download?size=5000"))
    path = await tab.session.finished_download(download.id, timeout=10)
    assert path.parent == tab.session.downloads
    assert (seen(tab.session) / path.name).stat().st_size == 5000
    with tab.session.open_download(download.id) as file:
        assert file.read(5) == b"hello"
    assert await tab.session.finished_download(download.id, timeout=0) == path


async def test_it_is_waited_for(tab: Tab, site: Site) -> None:
    tap = Tap(site, "/slow")
    tap.give(1000)
    download = await begin(tab, tap.url)
    await until(lambda: download.received == 1000)
    with pytest.raises(DeadlineExceeded) as caught:
        await tab.session.finished_download(download.id, timeout=0.01)
    assert caught.value.details["received"] == 1000
    with pytest.raises(DownloadFailed, match="under way"):
        tab.session.open_download(download.id)
    async with asyncio.TaskGroup() as group:
        waiting = [
            group.create_task(tab.session.finished_download(download.id, timeout=10))
            for _ in range(3)
        ]
        tap.give(500)
        tap.end()
    folder = seen(tab.session)
    assert {(folder / each.result().name).stat().st_size for each in waiting} == {1500}


async def test_what_is_discarded_is_gone_and_its_room_is_free(tab: Tab, site: Site) -> None:
    session = tab.session
    for _ in range(2):
        # Both together would be more than the session may have.
        download = await begin(tab, site.url(f"/download?size={QUOTA * 2 // 3}"))
        path = await session.finished_download(download.id, timeout=10)
        session.discard_download(download.id)
        assert not (seen(session) / path.name).exists()
        with pytest.raises(ArtifactNotFound):
            session.open_download(download.id)
    tap = Tap(site, "/slow")
    tap.give(10)
    running = await begin(tab, tap.url)
    session.discard_download(running.id)
    tap.end()
    path = await session.finished_download(running.id, timeout=10)
    assert (seen(session) / path.name).exists()


@pytest.mark.parametrize("id", ["", "nope", "../../etc/passwd", "/etc/passwd"])
async def test_a_download_that_never_was(tab: Tab, id: str) -> None:
    with pytest.raises(ArtifactNotFound):
        await tab.session.finished_download(id, timeout=1)
    with pytest.raises(ArtifactNotFound):
        tab.session.open_download(id)


async def test_before_there_is_a_browser_there_is_no_download(small: Sessions) -> None:
    with pytest.raises(ArtifactNotFound):
        await small.open(ALICE, "cold").finished_download("x", timeout=1)


async def test_a_canceled_one_says_so(tab: Tab, site: Site) -> None:
    tap = Tap(site, "/slow")
    tap.give(1000)
    download = await begin(tab, tap.url)
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(failing(tab.session, download.id))
        await tab.page.context.cancel_download(download.id)
    error = waiting.result()
    assert isinstance(error, DownloadFailed)
    assert error.details["reason"] == "canceled"


async def failing(session: Session, download: str) -> StockadeError:
    with pytest.raises(StockadeError) as caught:
        await session.finished_download(download, timeout=10)
    return caught.value


async def test_one_that_broke_off_says_so(tab: Tab, site: Site) -> None:
    tap = Tap(site, "/slow", announced=5000)
    tap.give(1000)
    download = await begin(tab, tap.url)
    tap.break_off()
    error = await failing(tab.session, download.id)
    assert isinstance(error, DownloadFailed)
    assert error.details["reason"] == "failed"


async def test_one_that_announces_too_much_is_stopped_at_its_first_bytes(
    tab: Tab, site: Site
) -> None:
    tap = Tap(site, "/huge", announced=QUOTA + 1)
    tap.give(1000)
    download = await begin(tab, tap.url)
    error = await failing(tab.session, download.id)
    assert isinstance(error, QuotaExceeded)
    assert error.details["quota"] == QUOTA
    assert download.state == "canceled"
    assert download.received <= 1000
    tap.break_off()
    await nothing_left(tab.session)


async def nothing_left(session: Session) -> None:
    folder = seen(session)
    await until(lambda: not list(folder.iterdir()))


async def test_one_that_takes_too_much_is_stopped(tab: Tab, site: Site) -> None:
    tap = Tap(site, "/endless")
    tap.give(QUOTA // 2)
    download = await begin(tab, tap.url)
    await until(lambda: download.received == QUOTA // 2)
    async with expecting(tab.page.context.events, DownloadChanged, where=_ended):
        while download.state == "running" and download.received <= QUOTA * 3:
            tap.give(QUOTA // 10)
            await asyncio.sleep(0.01)
    assert isinstance(await failing(tab.session, download.id), QuotaExceeded)
    tap.end()
    await nothing_left(tab.session)


def _ended(event: DownloadChanged) -> bool:
    return event.download.state != "running"


async def test_the_quota_is_for_all_of_them_together(tab: Tab, site: Site) -> None:
    first = await begin(tab, site.url(f"/download?size={QUOTA - 10_000}"))
    await tab.session.finished_download(first.id, timeout=10)
    second = await begin(tab, site.url("/download?size=9000"))
    await tab.session.finished_download(second.id, timeout=10)
    third = await begin(tab, site.url("/download?size=9000"))
    assert isinstance(await failing(tab.session, third.id), QuotaExceeded)
    with tab.session.open_download(first.id) as file:
        assert len(file.read()) == QUOTA - 10_000


async def test_only_so_many_at_a_time(tab: Tab, site: Site) -> None:
    taps = [Tap(site, f"/slow{number}") for number in range(25)]
    downloads = []
    for number, tap in enumerate(taps):
        tap.give(100)
        # A host of its own: the browser opens only six connections to one.
        url = site.url(f"/slow{number}", host=f"h{number}.localhost")
        downloads.append(await begin(tab, url))
    for download in downloads[20:]:
        error = await failing(tab.session, download.id)
        assert isinstance(error, QuotaExceeded)
    for tap in taps:
        tap.end()
    for download in downloads[:20]:
        path = await tab.session.finished_download(download.id, timeout=10)
        assert (seen(tab.session) / path.name).is_file()


@only_beside
async def test_what_the_browser_put_in_its_place_is_not_followed(
    tab: Tab, site: Site, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret", encoding="utf-8")
    for replace in (
        lambda path: path.symlink_to(secret),
        lambda path: path.mkdir(),
        os.mkfifo,
        lambda path: path.unlink(missing_ok=True),
        lambda path: os.link(secret, path),
    ):
        download = await begin(tab, site.url("/download"))
        path = await tab.session.finished_download(download.id, timeout=10)
        path.unlink()
        replace(path)
        if os.geteuid() != 0 and path.is_file() and not path.is_symlink():
            continue  # not ours to tell apart: the file belongs to us
        with pytest.raises(DownloadFailed) as caught:
            tab.session.open_download(download.id)
        assert caught.value.details["reason"] == "gone"
        assert isinstance(await failing(tab.session, download.id), DownloadFailed)
        assert str(path) not in str(caught.value.as_dict())


@only_beside
async def test_the_directory_put_in_another_place_is_not_followed(tab: Tab, site: Site) -> None:
    """The browser owns the directory and may move it; we hold on to the real one."""
    download = await begin(tab, site.url("/download"))
    path = await tab.session.finished_download(download.id, timeout=10)
    moved = path.parent.with_name("moved")
    path.parent.rename(moved)
    path.parent.mkdir()
    path.write_text("false", encoding="utf-8")
    with tab.session.open_download(download.id) as file:
        assert file.read() == b"hello world"
    path.unlink()
    path.parent.rmdir()
    moved.rename(path.parent)


@only_beside
async def test_whoever_waits_when_the_session_closes_is_told(
    small: Sessions, tab: Tab, site: Site
) -> None:
    tap = Tap(site, "/slow")
    tap.give(1000)
    download = await begin(tab, tap.url)
    folder = tab.session.downloads
    assert folder is not None
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(failing(tab.session, download.id))
        await asyncio.sleep(0)
        await small.close(tab.session)
    assert isinstance(waiting.result(), SessionNotFound)
    assert not folder.exists()
    with pytest.raises(ArtifactNotFound):
        tab.session.open_download(download.id)
    tap.end()


LEAVE = {
    "navigates": "() => { location = '/second' }",
    "loses the frame": "() => { frame.remove() }",
    "closes": "",
}


@pytest.mark.parametrize("way", LEAVE)
async def test_a_download_whose_page_is_gone_before_it_begins_is_stopped(
    tab: Tab, site: Site, way: str
) -> None:
    """The browser says nothing of it: it would go on unseen, and take what it likes."""
    gate = asyncio.Event()
    tap = Tap(site, "/endless")

    async def late(request: Request) -> Response:
        await gate.wait()
        return await tap._answer(request)

    site.route("/late", late)
    site.page("/inner", "<a href='/late' download>get</a>")
    site.page("/outer", "<iframe id=frame src='/inner'></iframe><a href='/late' download>get</a>")
    await at(tab.session, site, "/second")
    child = await tab.session.new_tab()
    await child.page.navigate(site.url("/outer"), until="load")
    place = "frame.contentDocument" if way == "loses the frame" else "document"
    await main(child, f"() => {{ {place}.querySelector('a').click() }}")
    await site.wait_asked("/late")
    if LEAVE[way]:
        await main(child, LEAVE[way])
        await until(lambda: len(child.page.frames) == 1)
    else:
        await tab.session.close_tab(child)
    teller = child if LEAVE[way] else tab.session.current
    assert teller is not None
    teller.recorder.take()
    gate.set()
    tap.give(1000)
    await until(lambda: len(teller.recorder._now.downloads) == 1)
    [download] = teller.recorder.take().downloads
    error = await failing(tab.session, download.id)
    assert isinstance(error, DownloadFailed)
    assert error.details["reason"] == "canceled"
    tap.end()
    await nothing_left(tab.session)


async def test_a_small_one_that_is_over_at_once_is_not_kept_either(tab: Tab, site: Site) -> None:
    gate = asyncio.Event()
    disposition = {"content-disposition": "attachment"}
    site.page("/late", "x" * 1000, headers=disposition, delay=gate)
    site.page("/outer", "<a href='/late' download>get</a>")
    await tab.page.navigate(site.url("/outer"))
    await main(tab, "() => { document.querySelector('a').click() }")
    await site.wait_asked("/late")
    await tab.page.navigate(site.url("/"))
    gate.set()
    await until(lambda: len(tab.recorder._now.downloads) == 1)
    await nothing_left(tab.session)


@only_beside
async def test_old_ones_make_room_for_new_ones(tab: Tab, site: Site) -> None:
    context = tab.page.context
    folder = tab.session.downloads
    assert folder is not None
    for number in range(250):
        download = Download(f"id{number}", "http://a/", "a")
        context.events.emit(DownloadStarted(download, tab.page))
        (folder / download.id).touch()
        download.state = "completed"
        context.events.emit(DownloadChanged(download))
    assert len(list(folder.iterdir())) == 200
    with pytest.raises(ArtifactNotFound):
        await tab.session.finished_download("id0", timeout=1)
