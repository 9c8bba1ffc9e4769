"""A jail made for real, with the browser it is for."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path

import pytest

from stockade.engines.cdp import ChromiumEngine
from stockade.engines.port import Browser
from stockade.engines.values import ContextOptions, LaunchOptions, Proxy
from stockade.errors import LaunchFailed
from stockade.jails.bwrap import BwrapJail, Measures
from stockade.jails.cgroups import Groups
from stockade.jails.life import State
from stockade.jails.port import OWN_WAY, WAY
from tests.support.browsers import BINARIES
from tests.support.leaks import alive, cgroups, descendants
from tests.support.waiting import until

UID = 61001
SMALL = Measures(disk=64 << 20, downloads=4 << 20, uploads=1 << 20)
KINDS = ("user", "mnt", "pid", "net", "ipc", "uts")


@asynccontextmanager
async def jailed(
    id: str = "one", measures: Measures = SMALL, binary: str = "shell"
) -> AsyncIterator[tuple[BwrapJail, Browser]]:
    """A browser in a jail."""
    jail = BwrapJail(id, UID, measures, Groups.found())
    browser = await ChromiumEngine().launch(
        LaunchOptions(
            binary=BINARIES[binary], uid=UID, room=jail, proxy=Proxy(f"http://127.0.0.1:{OWN_WAY}")
        )
    )
    try:
        yield jail, browser
    finally:
        await browser.close()


def namespaces(pid: int) -> dict[str, str]:
    return {kind: str(Path(f"/proc/{pid}/ns/{kind}").readlink()) for kind in KINDS}


def chromium(browser: Browser) -> list[int]:
    """The processes of the browser itself, within its jail."""
    below = descendants(browser.pid)
    return sorted(each.pid for each in below if each.name.startswith(("chrom", "headless")))


@pytest.mark.parametrize("binary", ["shell", "full"])
async def test_two_share_no_namespace_with_each_other_or_with_us(binary: str) -> None:
    async with jailed("one", binary=binary) as (one, first), jailed("two") as (_, second):
        assert one.life.state is State.STARTED
        ours, *theirs = (
            namespaces(pid) for pid in (os.getpid(), chromium(first)[0], chromium(second)[0])
        )
        for kind in KINDS:
            assert len({ours[kind], theirs[0][kind], theirs[1][kind]}) == 3, kind
        status = dict(
            line.split(":\t", 1)
            for line in Path(f"/proc/{chromium(first)[0]}/status").read_text().splitlines()
            if ":\t" in line
        )
        assert status["Uid"].split() == [str(UID)] * 4
        assert status["CapEff"] == status["CapBnd"] == "0" * 16
        assert status["NoNewPrivs"] == "1"
        below = chromium(first)
        links = {str(Path(f"/proc/{below[0]}/fd/{fd}").readlink()) for fd in (0, 1, 2)}
        assert not any("stockade" in link for link in links)
        # What bubblewrap itself keeps in there knows nothing of our surroundings either.
        for pid in (first.pid, *(each.pid for each in descendants(first.pid))):
            assert b"HOME=/root" not in Path(f"/proc/{pid}/environ").read_bytes()
        if binary == "full":
            page = await (await first.new_context(ContextOptions())).new_page()
            await page.navigate("chrome://sandbox")
            said = str(await page.main_frame.call("() => document.body.innerText"))
            assert "You are adequately sandboxed" in said


async def test_its_only_way_is_where_we_listen() -> None:
    async with jailed() as (jail, browser):
        way, own = jail.listeners
        assert [each.getsockname()[1] for each in (way, own)] == [WAY, OWN_WAY]
        context = await browser.new_context(ContextOptions(proxy=Proxy(f"http://127.0.0.1:{WAY}")))
        page = await context.new_page()
        async with asyncio.TaskGroup() as group:
            group.create_task(_answer_one(way))
            await page.navigate("http://anywhere.test/")
        assert await page.title() == "From outside"
        for pid in chromium(browser)[:1]:
            assert Path(f"/proc/{pid}/net/route").read_text().splitlines()[1:] == []


async def _answer_one(listener: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    client, _ = await loop.sock_accept(listener)
    with client:
        asked = await loop.sock_recv(client, 65536)
        assert asked.startswith(b"GET http://anywhere.test/ ")
        said = b"<title>From outside</title>"
        head = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n"
        await loop.sock_sendall(client, head + b"content-length: %d\r\n\r\n" % len(said) + said)


async def test_files_go_in_and_come_out(tmp_path: Path) -> None:
    async with jailed() as (jail, browser):
        path = await asyncio.to_thread(jail.uploads.put, "a/b.txt", BytesIO(b"inside"))
        page = await (await browser.new_context(ContextOptions())).new_page()
        await page.navigate(f"file://{path}")
        assert await page.main_frame.call("() => document.body.innerText") == "inside"
        with pytest.raises(OSError, match="No space"):
            await asyncio.to_thread(jail.uploads.put, "large", BytesIO(b"x" * (2 << 20)))
        assert os.listdir(jail.downloads.descriptor) == []  # noqa: PTH208
        for hidden in ("/etc/passwd", "/root", "/home", str(tmp_path), "/sys", "/var/lib"):
            with pytest.raises(Exception, match=r"FILE_NOT_FOUND|ACCESS_DENIED"):
                await page.navigate(f"file://{hidden}")


async def test_destroyed_nothing_is_left_and_again_does_nothing() -> None:
    async with jailed("gone") as (jail, browser):
        processes = [each.pid for each in descendants(browser.pid)]
        assert len(processes) > 3
        assert any("gone" in place for place in _all_groups())
        await asyncio.gather(jail.destroy(), jail.destroy())
        await jail.destroy()
        assert jail.life.over
        # What is out of its group may have the last of its steps yet to take.
        await until(lambda: not any(alive(pid) for pid in processes))
        assert not any("gone" in place for place in _all_groups())
        assert jail.listeners[0].fileno() == -1


async def test_it_starts_with_all_cores_and_then_has_its_share() -> None:
    groups = Groups.found()
    if "cpu" not in groups.holds:
        pytest.skip("this machine does not limit the CPU")
    async with jailed("share", SMALL) as (jail, _):
        assert _quota(groups, "share") <= 0
        jail.ready()
        assert _quota(groups, "share") == 100_000
        assert jail.life.state is State.READY


def _quota(groups: Groups, jail: str) -> int:
    """Microseconds of the CPU in each tenth of a second; less than any where there is no limit."""
    for place in groups.own:
        for name in ("cpu.cfs_quota_us", "cpu.max"):
            if (file := place / jail / name).is_file():
                return int(file.read_text(encoding="ascii").split()[0].replace("max", "-1"))
    raise AssertionError("no group limits the CPU")


def _all_groups() -> set[str]:
    return {str(each) for folder in cgroups() for each in Path(folder).iterdir() if each.is_dir()}


async def test_what_cannot_be_made_leaves_nothing_and_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jail = BwrapJail("bad", UID, Measures(uploads=-1), Groups.found())
    with pytest.raises(LaunchFailed, match="folders") as caught:
        await jail.start(["/bin/true"], {}, {})
    assert caught.value.details["step"] == "folders"
    assert jail.life.over
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(LaunchFailed, match="bubblewrap"):
        await BwrapJail("none", UID, SMALL, Groups.found()).start(["/bin/true"], {}, {})
