"""A jail of namespaces: made by the launcher, kept by bubblewrap, limited by control groups."""

from __future__ import annotations

import array
import asyncio
import json
import os
import shutil
import socket
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stockade.errors import EngineError, LaunchFailed, StockadeError
from stockade.jails import launcher, layout
from stockade.jails.blame import blamed
from stockade.jails.cgroups import Events, Group, Groups, Limits
from stockade.jails.folders import Folder
from stockade.jails.life import Life, State
from stockade.jails.port import OWN_WAY, WAY
from stockade.jails.sandbox import renderers
from stockade.processes import Process, spawn

__all__ = ["BwrapJail", "Measures"]

_PATIENCE = 10.0
_GRACE = 5.0
_MOST = 4096
_DESCRIPTORS = 4
_OPEN_FILES, _CORE = "nofile", "core"
_LAST_FEW = 8
"""Files that a process needs to open one more of them."""


@dataclass(frozen=True)
class Measures:
    """How large a jail is; of what is 0 there is no limit."""

    memory: int = 1 << 30
    tasks: int = 512
    cpu: float = 1.0
    open_files: int = 4096
    disk: int = 1 << 30
    downloads: int = 500_000_000
    """Of the disk, at most."""
    uploads: int = 100_000_000

    @property
    def folders(self) -> dict[str, int]:
        """What each folder that is shared may hold."""
        return {
            layout.UPLOADS.name: min(self.uploads, self.disk // 8),
            layout.DOWNLOADS.name: min(self.downloads, self.disk // 2),
        }

    @property
    def rest(self) -> int:
        """What is left of the disk for the browser's profile."""
        return self.disk - sum(self.folders.values())


class BwrapJail:
    """One jail, for one browser, once."""

    level = "bwrap"

    def __init__(self, id: str, uid: int, measures: Measures, groups: Groups) -> None:
        self.id = id
        self.life = Life()
        self.profile = layout.HOME / "p"
        self._uid = uid if os.geteuid() == 0 else os.geteuid()
        self._measures = measures
        self._groups = groups
        self._control: socket.socket | None = None
        self._process: Process | None = None
        self._listeners: list[socket.socket] = []
        self._folders: list[Folder] = []
        self.group: Group | None = None
        self._events = Events()
        self._sandboxed = False
        self._ending = asyncio.Lock()

    # --- what it shares -------------------------------------------------------------------------

    @property
    def listeners(self) -> tuple[socket.socket, socket.socket]:
        """What hears the session in it, and what hears the browser itself."""
        one, other = self._listeners
        return one, other

    @property
    def uploads(self) -> Folder:
        """What the browser may read and not change."""
        return self._folders[0]

    @property
    def downloads(self) -> Folder:
        """Where the browser writes; nothing in there is to be trusted."""
        return self._folders[1]

    # --- its life -------------------------------------------------------------------------------

    async def start(
        self, argv: Sequence[str], environment: Mapping[str, str], descriptors: Mapping[int, int]
    ) -> Process:
        """Create it and start a program in it, with these of our descriptors under its numbers."""
        try:
            async with asyncio.timeout(_PATIENCE):
                process = await self._create(argv, environment, descriptors)
        except BaseException as error:
            await asyncio.shield(self.destroy())
            if isinstance(error, TimeoutError):
                raise LaunchFailed(
                    "the jail was not made in time", hint="See `stockade doctor`."
                ) from None
            if isinstance(error, OSError):
                # It was killed while it was made, or the machine has no room for it.
                raise LaunchFailed(
                    f"the jail was not made: {error.strerror or error}",
                    hint="Try again; `stockade doctor` says what is missing.",
                ) from error
            raise
        return process

    async def _create(
        self, argv: Sequence[str], environment: Mapping[str, str], descriptors: Mapping[int, int]
    ) -> Process:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control = ours
        ours.settimeout(0)
        with theirs:
            process = self._process = spawn(
                [sys.executable, "-I", "-S", launcher.__file__],
                environment={},
                descriptors={**descriptors, launcher.CONTROL: theirs.fileno()},
            )
        told = {
            "uid": self._uid,
            "listeners": [WAY, OWN_WAY],
            "folders": self._measures.folders,
            "limits": {_OPEN_FILES: self._measures.open_files, _CORE: 0},
            "argv": layout.bubblewrap(
                _program(), argv, environment, self._measures.rest, Path(argv[0])
            ),
            "environment": {},
        }
        ours.send(json.dumps(told).encode())
        self._take(await _heard(ours), process)
        measures = self._measures
        limits = Limits(memory=measures.memory, tasks=measures.tasks)
        self.group = self._groups.create(self.id, limits)
        # The kernel may take its time with the first of a while.
        await asyncio.to_thread(self.group.add, process.pid)
        self.life.goes_to(State.CREATED)
        ours.send(b"!")
        self.life.goes_to(State.STARTED)
        return process

    def _take(self, heard: tuple[dict[str, Any], list[int]], process: Process) -> None:
        said, descriptors = heard
        if len(descriptors) != _DESCRIPTORS:
            for each in descriptors:
                os.close(each)
            raise _failure(said, process)
        self._listeners = [socket.socket(fileno=each) for each in descriptors[:2]]
        for listener in self._listeners:
            listener.settimeout(0)
        paths = (layout.UPLOADS, layout.DOWNLOADS)
        self._folders = [
            Folder(each, path, self._uid) for each, path in zip(descriptors[2:], paths, strict=True)
        ]

    def ready(self) -> None:
        """Its browser answers. Starting takes all cores; what it does from now on does not."""
        if self.group is not None:
            try:
                self.group.limit(Limits(cpu=self._measures.cpu))
            except OSError as error:
                raise LaunchFailed(
                    f"the jail's share of the CPU cannot be set: {error.strerror}",
                    hint="`stockade doctor` says which limits can be kept here.",
                ) from error
        self.life.goes_to(State.READY)

    def blamed(self, error: StockadeError) -> StockadeError:
        """The error that names the limit of the jail, where that is why something failed."""
        if self.group is None or self.life.over:
            return error
        before, self._events = self._events, self.group.events()
        said = self._process.error_output if self._process is not None else ""
        return blamed(error, before, self._events, said=said, none_open=self._exhausted(error))

    def _exhausted(self, error: StockadeError) -> bool:
        """Whether one of its processes has as many files open as it may, near enough."""
        if self.group is None or not isinstance(error, EngineError):
            return False
        most = self._measures.open_files - _LAST_FEW
        return any(_open_files(pid) >= most for pid in self.group.processes())

    def check_sandbox(self) -> None:
        """Make sure that the browser's own sandbox stands too; in a thread."""
        if self._process is None or self._sandboxed:
            return
        among = self.group.processes() if self.group is not None else ()
        found = renderers(self._process.pid, among)
        if found.fault:
            raise LaunchFailed(
                f"the browser's own sandbox is off: {found.fault}",
                hint="Use an unchanged Chromium; `stockade doctor` looks into it.",
            )
        self._sandboxed = found.count > 0

    async def destroy(self) -> None:
        """End everything in it and leave nothing; a second time does nothing."""
        async with self._ending:
            if self.life.over:
                return
            if self._process is not None:
                self._process.kill()
            if self.group is not None:
                self.group.kill()
            if self._process is not None:
                await self._process.end(_GRACE)
            if self.group is not None:
                await self.group.remove()
            for each in (*self._listeners, self._control):
                if each is not None:
                    each.close()
            for folder in self._folders:
                folder.remove()
            self.life.goes_to(State.DESTROYED)


def _open_files(pid: int) -> int:
    try:
        return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return 0


def _program() -> Path:
    found = shutil.which("bwrap")
    if found is None:
        raise LaunchFailed(
            "a jail needs bubblewrap, which is not installed",
            hint="Install the package bubblewrap, or set STOCKADE_ISOLATION=process.",
        )
    return Path(found)


def _failure(said: dict[str, Any], process: Process) -> LaunchFailed:
    return LaunchFailed(
        f"the jail was not made: {said.get('step', 'start')}: {said.get('text', 'it ended')}",
        hint="`stockade doctor` says what is missing.",
        step=said.get("step", "start"),
        errno=said.get("errno", 0),
        output=process.error_output,
    )


async def _heard(control: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """What the launcher says, and the descriptors that it hands over."""
    loop = asyncio.get_running_loop()
    readable: asyncio.Future[None] = loop.create_future()
    loop.add_reader(control, _settle, readable)
    try:
        await readable
    finally:
        loop.remove_reader(control)
    room = socket.CMSG_SPACE(_DESCRIPTORS * array.array("i").itemsize)
    with suppress(OSError):
        data, beside, _, _ = control.recvmsg(_MOST, room, socket.MSG_CMSG_CLOEXEC)
        found = array.array("i")
        for level, kind, given in beside:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
                found.frombytes(given)
        return json.loads(data or b"{}"), list(found)
    return {}, []


def _settle(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
