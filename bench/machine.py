"""The machine under the measurements: its network, its processes and what they take."""

from __future__ import annotations

import asyncio
import ctypes
import fcntl
import os
import signal
import socket
import struct
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.support.leaks import Process, processes

__all__ = ["Tree", "Usage", "adopt_orphans", "end_when_told", "leave_network"]

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000
_SET_CHILD_SUBREAPER = 36
_GET_FLAGS, _SET_FLAGS = 0x8913, 0x8914
_INTERFACE = struct.Struct("16sh14x")
_INTERFACE_UP = 1
_TICKS = os.sysconf("SC_CLK_TCK")
_GRACE_SECONDS = 5.0
_PAUSE = 0.02
_PROC = Path("/proc")


def leave_network() -> bool:
    """Move this process and its children to a network that has a loopback interface alone.

    Whatever a browser or a server does in the background, nothing of it leaves the machine.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    uid, gid = os.geteuid(), os.getegid()
    if libc.unshare(_CLONE_NEWNET | (_CLONE_NEWUSER if uid else 0)) != 0:
        return False
    if uid:
        for name, content in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{gid} {gid} 1"),
        ):
            (_PROC / "self" / name).write_text(content, encoding="ascii")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        asked = fcntl.ioctl(control, _GET_FLAGS, _INTERFACE.pack(b"lo", 0))
        flags = _INTERFACE.unpack(asked)[1]
        fcntl.ioctl(control, _SET_FLAGS, _INTERFACE.pack(b"lo", flags | _INTERFACE_UP))
    return True


def adopt_orphans() -> None:
    """Become the parent of every descendant that loses its own, so that it can be reaped."""
    ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_when_told() -> None:
    """Let a signal to end cancel this task, as an interrupt from the keyboard does."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)


@dataclass(frozen=True)
class Usage:
    """What a tree of processes takes; None where it may not be read. Memory is in bytes."""

    server: int | None
    """The proportional share of everything but the browser."""
    resident: int | None
    """The same as resident size: what it would be if nobody else had the pages."""
    browser: int | None
    cpu: float
    """Seconds the server's own processes ran."""


class Tree:
    """The processes of one server, found by a mark in their environment and by descent."""

    def __init__(self, mark: str, browser: Path) -> None:
        self._mark = mark.encode()
        self._browser = browser.parent
        self._known: set[Process] = set()
        self._children: set[Process] | None = None

    def members(self) -> set[Process]:
        """Every living process of the tree."""
        table = processes()
        children: dict[int, list[Process]] = {}
        for process in table.values():
            children.setdefault(process.parent, []).append(process)
        found = {each for each in table.values() if self._marked(each.pid)}
        found |= self._known & set(table.values())
        pending = [each.pid for each in found]
        while pending:
            below = [each for each in children.get(pending.pop(), []) if each not in found]
            found.update(below)
            pending += [each.pid for each in below]
        self._known |= found
        if self._children is None:
            # What we started ourselves is reaped by whoever waits for it.
            self._children = {each for each in found if each.parent == os.getpid()}
        return {each for each in found if table[each.pid].state not in "ZX"}

    def usage(self) -> Usage:
        members = self.members()
        browsers = {each for each in members if self._is_browser(each)}
        return Usage(
            server=_memory("Pss", members - browsers),
            resident=_memory("Rss", members - browsers),
            browser=_memory("Pss", browsers) if browsers else 0,
            cpu=sum(_cpu(each.pid) for each in members - browsers),
        )

    def sandboxed(self) -> bool | None:
        """Whether the browser keeps its own sandbox; None while there is no browser."""
        lines = [_command_line(each.pid) for each in self.members() if self._is_browser(each)]
        return not any(b"--no-sandbox" in line for line in lines) if lines else None

    def end(self) -> list[str]:
        """Wait until all are gone, kill what stays, reap what was orphaned; names of what stayed.

        It blocks, so that no cancellation comes between.
        """
        deadline = time.monotonic() + _GRACE_SECONDS
        while (left := self.members()) and time.monotonic() < deadline:
            self._reap()
            time.sleep(_PAUSE)
        for process in left:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        while self.members():
            self._reap()
            time.sleep(_PAUSE)
        self._reap()
        return sorted(process.name for process in left)

    def _reap(self) -> None:
        table = processes()
        for process in self._known - (self._children or set()):
            now = table.get(process.pid)
            if now == process and now.state == "Z" and now.parent == os.getpid():
                os.waitpid(process.pid, os.WNOHANG)

    def _marked(self, pid: int) -> bool:
        try:
            return self._mark in (_PROC / str(pid) / "environ").read_bytes()
        except OSError:
            return False

    def _is_browser(self, process: Process) -> bool:
        if process.name == "bwrap":
            return True
        try:
            return (_PROC / str(process.pid) / "exe").readlink().is_relative_to(self._browser)
        except OSError:
            return process.name.startswith(("chrom", "headless"))


def _command_line(pid: int) -> bytes:
    try:
        return (_PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return b""


def _memory(field: str, members: set[Process]) -> int | None:
    total = 0
    for process in members:
        try:
            text = (_PROC / str(process.pid) / "smaps_rollup").read_text(encoding="ascii")
        except (FileNotFoundError, ProcessLookupError):
            continue
        except OSError:
            return None
        row = next(line for line in text.splitlines() if line.startswith(f"{field}:"))
        total += int(row.split()[1]) * 1024
    return total


def _cpu(pid: int) -> float:
    try:
        text = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0.0
    fields = text.rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / _TICKS
