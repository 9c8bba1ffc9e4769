"""No debugging port: nothing of ours listens, whatever it is asked to do."""

from __future__ import annotations

from pathlib import Path

from stockade.engines.port import Browser, Page
from tests.support.site import Site

LISTENING = "0A"


def family(pid: int) -> set[int]:
    """A process and all that come from it."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            parents[int(entry.name)] = int(fields[1])
    found = {pid}
    while True:
        more = {child for child, parent in parents.items() if parent in found} - found
        if not more:
            return found
        found |= more


def listening_sockets(pid: int) -> set[str]:
    """The inodes of sockets that listen in the network namespace of a process."""
    found = set()
    for table in ("tcp", "tcp6"):
        lines = Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]
        found |= {line.split()[9] for line in lines if line.split()[3] == LISTENING}
    return found


def open_sockets(pid: int) -> set[str]:
    """The inodes of the sockets a process has open."""
    found = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = str(descriptor.readlink())
        except FileNotFoundError:
            continue
        if target.startswith("socket:["):
            found.add(target[len("socket:[") : -1])
    return found


def arguments(pid: int) -> list[str]:
    """The command line of a process, nothing if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return []


async def test_nothing_listens(either_browser: Browser, either_page: Page, site: Site) -> None:
    await either_page.navigate(site.page("/home", "<title>Home</title>"))
    processes = family(either_browser.pid)
    assert len(processes) > 2
    listening = listening_sockets(either_browser.pid)
    assert listening, "the test's own site listens, so the table cannot be empty"
    for pid in processes:
        try:
            assert not open_sockets(pid) & listening
        except FileNotFoundError:
            continue  # It ended while we looked.


async def test_no_port_is_asked_for(either_browser: Browser) -> None:
    assert "--remote-debugging-pipe" in arguments(either_browser.pid)
    for pid in family(either_browser.pid):
        assert not [
            argument
            for argument in arguments(pid)
            if argument.startswith(("--remote-debugging-port", "--no-sandbox"))
        ]
