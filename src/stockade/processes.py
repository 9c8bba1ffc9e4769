"""Child processes: the one place that starts them, and sees that they end."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import signal
import stat
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from stockade.errors import LaunchFailed

__all__ = [
    "Process",
    "closed_above",
    "first_ended",
    "output_of",
    "read_pipe",
    "spawn",
    "unprivileged",
]

_FIRST_FREE_DESCRIPTOR = 64
"""Above every number a child expects, so that moving descriptors into place never overlaps."""
_TAIL_LINES = 40
_PIECE = 65536

_SHELL = "/bin/sh"
_ENTER = 'cd "$1" && shift && exec "$@"'
_SHOW = """
closed=$1 place=$2 within=$3
shift 3
exec 9<"$place"
mount -n -t tmpfs -o mode=0711,size=64k,nosuid,nodev,noexec tmpfs "$closed"
mkdir -p -m 0711 "$place"
mount -n -c --bind /proc/self/fd/9 "$place"
exec 9<&-
cd "$within"
exec "$@"
"""
"""In a mount namespace of the child's own, an empty directory takes the place of the one that is
closed, and holds nothing but the way to what the child may use."""


def unprivileged(argv: Sequence[str], uid: int, *, within: Path | None = None) -> list[str]:
    """Wrap `argv` so that it runs under `uid` with no groups, when we are root.

    It begins in `within`, and finds the directory that this lies in under its own name even where
    a directory above is closed to `uid`.
    """
    if os.geteuid() != 0:
        return list(argv) if within is None else [_SHELL, "-c", _ENTER, "sh", str(within), *argv]
    dropped = [
        _tool("setpriv"), f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "--", *argv,
    ]  # fmt: skip
    if within is None:
        return dropped
    closed = closed_above(within.parent, uid)
    if closed is None:
        return [_SHELL, "-c", _ENTER, "sh", str(within), *dropped]
    return [
        _tool("unshare"), "--mount", "--propagation=private", "--",
        _SHELL, "-ec", _SHOW, "sh", str(closed), str(within.parent), str(within), *dropped,
    ]  # fmt: skip


def closed_above(path: Path, uid: int) -> Path | None:
    """The outermost directory above `path` that `uid`, with the group of its number, cannot pass.

    Nothing where it can pass them all.
    """
    for place in reversed(path.parents):
        found = place.stat()
        if found.st_uid == uid:
            passes = found.st_mode & stat.S_IXUSR
        elif found.st_gid == uid:
            passes = found.st_mode & stat.S_IXGRP
        else:
            passes = found.st_mode & stat.S_IXOTH
        if not passes:
            return place
    return None


def _tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise LaunchFailed(
            f"running as root needs {name} to drop privileges", hint="Install util-linux."
        )
    return found


class Process:
    """A child in a session of its own, ended as a whole group."""

    def __init__(self, pid: int, errors: _Tail) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._errors = errors
        loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[int] = loop.create_future()
        self._watch(loop)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        descriptor = os.pidfd_open(self.pid)

        def ended() -> None:
            loop.remove_reader(descriptor)
            os.close(descriptor)
            _, status = os.waitpid(self.pid, 0)
            self.returncode = os.waitstatus_to_exitcode(status)
            # The children of a browser outlive it for a moment, or for ever if one of them hangs.
            self._signal_group(signal.SIGKILL)
            if not self._ended.done():
                self._ended.set_result(self.returncode)

        loop.add_reader(descriptor, ended)

    @property
    def alive(self) -> bool:
        """Whether the child itself still runs."""
        return self.returncode is None

    @property
    def error_output(self) -> str:
        """The last lines the child wrote to its error stream."""
        return self._errors.text

    async def wait(self) -> int:
        """Wait until the child has ended and been reaped."""
        return await asyncio.shield(self._ended)

    def kill(self) -> None:
        """Kill the child and everything in its process group."""
        self._signal_group(signal.SIGKILL)

    def _signal_group(self, number: int) -> None:
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return

    async def end(self, grace: float) -> int:
        """Give the child `grace` seconds to leave by itself, then kill what is left of it."""
        try:
            async with asyncio.timeout(grace):
                await self.wait()
        except TimeoutError:
            self.kill()
        code = await self.wait()
        self._errors.close()
        return code


class _Tail:
    """Keeps the last lines of a child's error stream."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: deque[str] = deque(maxlen=_TAIL_LINES)
        self._begun = ""
        self._loop = asyncio.get_running_loop()
        self._open = True
        os.set_blocking(descriptor, False)
        self._loop.add_reader(descriptor, self._read)

    @property
    def text(self) -> str:
        if self._open:
            self._read()
        return "\n".join((*self._lines, self._begun)).strip("\n")

    def _read(self) -> None:
        try:
            data = os.read(self._descriptor, _PIECE)
        except BlockingIOError:
            return
        if not data:
            self.close()
            return
        # A line can come in pieces.
        *whole, begun = (self._begun + data.decode(errors="replace")).split("\n")
        self._lines.extend(whole)
        self._begun = begun[-_PIECE:]

    def close(self) -> None:
        if self._open:
            self._open = False
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)


def _inherited() -> set[int]:
    """Descriptors that whoever started us left open, and that a child would get too."""
    found = set()
    for entry in Path("/dev/fd").iterdir():
        try:
            if os.get_inheritable(int(entry.name)):
                found.add(int(entry.name))
        except OSError:
            # The one the listing itself was read through.
            continue
    return found


def spawn(
    argv: Sequence[str],
    *,
    environment: Mapping[str, str],
    descriptors: Mapping[int, int] | None = None,
) -> Process:
    """Start `argv` in a new session with an explicit environment.

    `descriptors` maps the child's descriptor numbers to ours; nothing else is inherited but
    an empty input and an error stream whose tail we keep.
    """
    if not Path(argv[0]).is_file():
        raise LaunchFailed(f"{argv[0]} does not exist")
    null = os.open(os.devnull, os.O_RDWR)
    error_read, error_write = os.pipe()
    moved = {
        child: fcntl.fcntl(ours, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE_DESCRIPTOR)
        for child, ours in {0: null, 1: null, 2: error_write, **(descriptors or {})}.items()
    }
    try:
        pid = os.posix_spawn(
            argv[0],
            list(argv),
            dict(environment),
            file_actions=[
                *((os.POSIX_SPAWN_DUP2, ours, child) for child, ours in sorted(moved.items())),
                *((os.POSIX_SPAWN_CLOSE, extra) for extra in _inherited() - moved.keys()),
            ],
            setsid=True,
        )
    except OSError as error:
        os.close(error_read)
        raise LaunchFailed(f"{argv[0]} cannot be started: {error.strerror}") from error
    finally:
        for descriptor in (null, error_write, *moved.values()):
            os.close(descriptor)
    return Process(pid, _Tail(error_read))


async def first_ended(pids: Iterable[int]) -> None:
    """Wait until any of these processes, which need not be children of ours, has ended."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    watched: list[int] = []
    try:
        for pid in pids:
            try:
                watched.append(os.pidfd_open(pid))
            except ProcessLookupError:
                return
            loop.add_reader(watched[-1], ended.set)
        await ended.wait()
    finally:
        for descriptor in watched:
            loop.remove_reader(descriptor)
            os.close(descriptor)


async def output_of(
    argv: Sequence[str], *, environment: Mapping[str, str], most: int, stdin: int | None = None
) -> bytes:
    """What a program says on its standard output, up to so many bytes; it ends with the call."""
    ours, theirs = os.pipe()
    given = {1: theirs} if stdin is None else {0: stdin, 1: theirs}
    try:
        child = spawn(argv, environment=environment, descriptors=given)
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    try:
        return await read_pipe(ours, most)
    finally:
        child.kill()
        await asyncio.shield(child.end(0))


async def read_pipe(descriptor: int, most: int) -> bytes:
    """What a child writes to a pipe until it closes it, up to so many bytes; then it is closed."""
    reader = asyncio.StreamReader(limit=most)
    pipe = os.fdopen(descriptor, "rb", buffering=0)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), pipe
    )
    found = bytearray()
    try:
        while len(found) < most and (piece := await reader.read(most - len(found))):
            found += piece
    finally:
        transport.close()
    return bytes(found)
