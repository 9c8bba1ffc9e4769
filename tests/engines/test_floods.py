"""A page that shouts: memory stays where it was, and the last words are kept."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from stockade.engines.events import ConsoleMessage, PageError
from stockade.engines.port import Page
from stockade.engines.values import World
from tests.support.logs import console_line, ended_request, stream_frame
from tests.support.site import Site
from tests.support.soak import Soak

pytestmark = pytest.mark.soak

ROOM = 30 << 20
BATCH = 5_000
LONGEST = 600.0


def resident() -> int:
    """The memory of this process, in bytes."""
    gc.collect()
    [line] = [
        line
        for line in Path("/proc/self/status").read_text().splitlines()
        if line.startswith("VmRSS:")
    ]
    return int(line.split()[1]) << 10


async def run(page: Page, code: str, *arguments: object) -> object:
    return await page.main_frame.call(code, *arguments, world=World.MAIN, timeout=LONGEST)


async def test_a_million_console_lines(page: Page, soak: Soak) -> None:
    before = resident()
    lines = 1_000_000 if soak.full else 4_000
    for start in range(0, lines, BATCH):
        await run(
            page,
            "(from, to) => { for (let i = from; i < to; i++)"
            " console.log('line %d', i, {i, text: 'of many'}); }",
            start,
            min(start + BATCH, lines),
        )
    await console_line(page, f"line {lines - 1} ")
    assert resident() - before < ROOM
    kept = [line.text for line in page.console]
    assert kept == [f"line {i} {{i: {i}, text: 'of many'}}" for i in range(lines - 1000, lines)]


async def test_lines_of_a_mebibyte(page: Page, soak: Soak) -> None:
    before = resident()
    # More than there is room for, if they were kept.
    lines = 2000 if soak.full else 50
    for start in range(0, lines, 20):
        await run(
            page,
            "(from, to) => { const long = 'x'.repeat(1 << 20);"
            " for (let i = from; i < to; i++) console.log('line', i, long); }",
            start,
            min(start + 20, lines),
        )
    await console_line(page, f"line {lines - 1} ")
    assert resident() - before < ROOM


async def test_lines_somebody_listens_to(page: Page, soak: Soak) -> None:
    told = 0

    def count(_: object) -> None:
        nonlocal told
        told += 1

    page.events.on(ConsoleMessage, count)
    page.events.on(PageError, count)
    before = resident()
    lines = soak.rounds(200_000)
    await run(
        page,
        "count => { for (let i = 0; i < count; i++) console.log('line', i);"
        " for (let i = 0; i < 1000; i++) setTimeout(() => { throw new Error('thrown ' + i); }); }",
        lines,
    )
    await run(page, "() => new Promise(done => setTimeout(done))")
    assert resident() - before < ROOM
    assert [line.text for line in page.console] == [f"line {i}" for i in range(lines - 1000, lines)]
    assert len(page.errors) == 200
    assert told > 0


async def test_ten_thousand_requests(page: Page, site: Site, soak: Soak) -> None:
    await page.navigate(site.page("/home", "<title>Home</title>"))
    site.page("/many", "x" * 1000)
    before = resident()
    requests = soak.rounds(10_000)
    for start in range(0, requests, 500):
        await run(
            page,
            "(from, count) => Promise.all(Array.from({length: count}, (_, i) =>"
            " fetch(`/many?${from + i}`).then(answer => answer.text())))",
            start,
            min(500, requests - start),
        )
        site.requests.clear()
    await run(page, "() => fetch('/last').then(answer => answer.text())")
    await ended_request(page, "/last")
    assert resident() - before < ROOM
    assert len(page.requests) <= 1000
    assert all(request.ended is not None for request in page.requests)


async def test_requests_that_never_end(page: Page, site: Site, soak: Soak) -> None:
    await page.navigate(site.page("/home", "<title>Home</title>"))
    before = resident()
    requests = soak.rounds(20_000)
    await run(
        page,
        "count => { for (let i = 0; i < count; i++)"
        " fetch(`/never?${i}`, {headers: {padding: 'x'.repeat(5000)}}).catch(() => 0); }",
        requests,
    )
    await run(page, "() => fetch('data:,')")
    assert len(page.requests) <= 1000
    assert resident() - before < ROOM
    await page.navigate("about:blank")
    assert all(request.ended is not None for request in page.requests)


async def test_a_socket_that_never_stops(page: Page, site: Site, soak: Soak) -> None:
    await page.navigate(site.page("/home", "<title>Home</title>"))
    before = resident()
    frames = soak.rounds(20_000)
    await run(
        page,
        """(url, count) => new Promise(done => {
            const socket = new WebSocket(url);
            const payload = 'x'.repeat(10_000);
            let sent = 0, received = 0;
            const send = () => { if (sent < count) socket.send(`${sent++} ${payload}`); };
            socket.onopen = () => { for (let i = 0; i < 20; i++) send(); };
            socket.onmessage = () => { send(); if (++received === count) done(); };
        })""",
        site.ws_url("/ws"),
        frames,
    )
    await stream_frame(page, f"{frames - 1} ")
    assert sum(len(frame.payload) for frame in page.stream_frames) <= 4 << 20
    assert resident() - before < ROOM
