"""Confinement: what the egress process cannot do, seen from outside and tried from inside."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from stockade.processes import spawn, unprivileged
from tests.egress.world import Running, World, get
from tests.support.waiting import until

NOBODY = 61005
TRIED = """
import os, socket, sys, threading
from stockade.egress.confinement import confine
attempts = {
    "open": lambda: os.open("/etc/passwd", os.O_RDONLY),
    "make": lambda: os.open("/made", os.O_CREAT | os.O_WRONLY),
    "list": lambda: os.listdir("/"),
    "fork": lambda: os.fork(),
    "execute": lambda: os.execv(sys.executable, ["python", "-c", ""]),
    "thread": lambda: threading.Thread(target=int).start(),
    "signal": lambda: os.kill(os.getppid(), 0),
    "unshare": lambda: os.chroot("/"),
    "raise": lambda: os.setuid(0),
    "unix": lambda: socket.socket(socket.AF_UNIX),
    "netlink": lambda: socket.socket(16, socket.SOCK_RAW),
    "packet": lambda: socket.socket(17, socket.SOCK_RAW),
    "raw": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    "inet": lambda: socket.socket(socket.AF_INET).close(),
    "inet6": lambda: socket.socket(socket.AF_INET6).close(),
    "pair": lambda: [each.close() for each in socket.socketpair()],
    "random": lambda: os.urandom(8),
}
confine(int(sys.argv[1]) if len(sys.argv) > 1 else None)
done = []
for name, attempt in attempts.items():
    try:
        attempt()
        done.append(name)
    except (OSError, RuntimeError):
        pass
sys.stderr.write("done: " + " ".join(done) + "\\n")
sys.stderr.flush()
os._exit(0)
""".replace("\\\\n", "\\n")
NEEDED = "inet inet6 pair random"


def status(pid: int) -> dict[str, str]:
    text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return {
        name: value.strip()
        for name, _, value in (each.partition(":") for each in text.splitlines())
    }


def entries(pid: int) -> list[str]:
    """What its root holds; the directory of a thread that has ended cannot even be listed."""
    try:
        return [each.name for each in Path(f"/proc/{pid}/root").iterdir()]
    except (FileNotFoundError, ProcessLookupError):
        return []


async def test_the_process_is_confined_and_works(process: Running) -> None:
    assert b" 200 OK" in await process.ask(get("http://good.test/"))
    pid = process.process.pid
    about = status(pid)
    assert about["NoNewPrivs"] == "1"
    assert about["Seccomp"] == "2"
    for each in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(about[each], 16) == 0, each
    assert about["Threads"] == "1"
    assert entries(pid) == []
    assert Path(f"/proc/{pid}/root").readlink() != Path("/")
    assert b" 200 OK" in await process.ask(get("http://good.test/"))


@pytest.mark.parametrize("as_root", [True, False])
async def test_what_it_cannot_do(world: World, *, as_root: bool) -> None:
    argv = [sys.executable, "-c", TRIED]
    child = spawn([*argv, str(NOBODY)] if as_root else unprivileged(argv, NOBODY), environment={})
    assert await child.end(20) == 0
    assert child.error_output.strip() == f"done: {NEEDED}"


STAYS = """
import sys, time
from stockade.egress.confinement import confine
confine(int(sys.argv[1]) if len(sys.argv) > 1 else None)
sys.stderr.write("confined\\n")
sys.stderr.flush()
time.sleep(60)
"""


@pytest.mark.parametrize("as_root", [True, False])
async def test_an_ordinary_user_has_as_little(world: World, *, as_root: bool) -> None:
    argv = [sys.executable, "-c", STAYS]
    child = spawn([*argv, str(NOBODY)] if as_root else unprivileged(argv, NOBODY), environment={})
    try:
        await until(lambda: "confined" in child.error_output)
        about = status(child.pid)
        assert about["Uid"].split() == [str(NOBODY)] * 4
        assert (about["NoNewPrivs"], about["Seccomp"]) == ("1", "2")
        assert int(about["CapEff"], 16) == int(about["CapPrm"], 16) == 0
        assert entries(child.pid) == []
        assert Path(f"/proc/{child.pid}/root").readlink() != Path("/")
    finally:
        child.kill()
        await child.end(1)
