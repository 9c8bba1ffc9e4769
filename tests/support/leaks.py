"""What a test run may not leave behind: processes, namespaces, mounts, cgroups, files, descriptors.

The process that started the run adopts every orphan of its tests, so a daemonised or reparented
process is still one of ours, however many other runs share the machine.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

GRACE_SECONDS = 5.0
LEFT_BEHIND = 8
"""The exit status of a run that left something behind, whatever its tests said."""
_PROC = Path("/proc")
_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Process:
    """A row of the process table; the start time makes it unique where a pid is reused."""

    pid: int
    started: int
    parent: int = field(compare=False)
    state: str = field(compare=False)
    name: str = field(compare=False)


def processes() -> dict[int, Process]:
    """Every process of the machine."""
    found = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit() and (process := _process(int(entry.name))) is not None:
            found[process.pid] = process
    return found


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead but not yet reaped does not."""
    process = _process(pid)
    return process is not None and process.state not in "ZX"


def descendants(root: int) -> set[Process]:
    """The living processes below `root`."""
    table = processes()
    children: dict[int, list[Process]] = {}
    for process in table.values():
        children.setdefault(process.parent, []).append(process)
    found: set[Process] = set()
    pending = [root]
    while pending:
        for child in children.get(pending.pop(), []):
            pending.append(child.pid)
            if child.state not in "ZX":
                found.add(child)
    return found


def descriptors() -> dict[int, str]:
    """The open descriptors of this process and what they refer to.

    Threads that watch browsers read files of other processes and close them at once; one that is
    still there after a second has leaked.
    """
    until = time.monotonic() + 1.0
    while True:
        found = _descriptors_now()
        passing = any(target.startswith("/proc/") for target in found.values())
        if not passing or time.monotonic() > until:
            return found
        time.sleep(0.01)


def _descriptors_now() -> dict[int, str]:
    found = {}
    for link in Path("/proc/self/fd").iterdir():
        try:
            found[int(link.name)] = str(link.readlink())
        except FileNotFoundError:
            continue  # the descriptor that listed the directory
    return found


def mounts() -> set[str]:
    """What is mounted where, in this process's namespace."""
    lines = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
    return {" ".join(line.split(" ")[:3]) for line in lines}


def named_namespaces() -> set[str]:
    """Network namespaces that were given a name and outlive their processes."""
    folder = Path("/run/netns")
    return {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()


def cgroups() -> set[str]:
    """Control groups of Stockade's, whoever made them."""
    found = [Path(folder) for folder, _, _ in os.walk("/sys/fs/cgroup")]
    return {str(folder) for folder in found if "stockade" in folder.name}


def of_others(group: str) -> bool:
    """Whether a control group is named after a process that lives and is none of this run's."""
    named = [int(part) for part in Path(group).name.split("-") if part.isdecimal()][:1]
    ours = {os.getpid(), *(process.pid for process in descendants(os.getpid()))}
    return any(alive(pid) and pid not in ours for pid in named)


def temporary(folder: Path) -> set[str]:
    """What lies in a run's own temporary directory, pytest's own corner apart."""
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    return {name for name in names if not name.startswith("pytest-of-")}


@dataclass(frozen=True)
class Inventory:
    """The machine at one moment, as far as a run could have changed it."""

    processes: frozenset[Process]
    mounts: frozenset[str]
    namespaces: frozenset[str]
    cgroups: frozenset[str]
    temporary: frozenset[str]

    @classmethod
    def take(cls, folder: Path) -> Inventory:
        return cls(
            frozenset(descendants(os.getpid())),
            frozenset(mounts()),
            frozenset(named_namespaces()),
            frozenset(cgroups()),
            frozenset(temporary(folder)),
        )

    def leaked_since(self, before: Inventory) -> list[str]:
        """One readable line for each thing that is here now and was not before."""
        return [
            *(
                f"process {process.pid} ({process.name})"
                for process in sorted(self.processes - before.processes, key=lambda p: p.pid)
            ),
            *(f"mount {mount}" for mount in sorted(self.mounts - before.mounts)),
            *(f"network namespace {n}" for n in sorted(self.namespaces - before.namespaces)),
            *(
                f"cgroup {group}"
                for group in sorted(self.cgroups - before.cgroups)
                if not of_others(group)
            ),
            *(f"temporary {name}" for name in sorted(self.temporary - before.temporary)),
        ]


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent dies."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


def reap_orphans() -> None:
    """Collect what the dead left; only once nobody in this process waits for a child."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


class DescriptorWatch:
    """In every process that runs tests: descriptors that stay open after the last one."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._before: dict[int, str] = {}
        self.leaks: list[str] = []

    def pytest_sessionstart(self) -> None:
        self._before = descriptors()

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        if self._config.pluginmanager.hasplugin("dsession"):
            return  # the tests ran in workers, and the pipes to those are still open here
        self.leaks = [
            f"descriptor {number} ({target}) of process {os.getpid()}"
            for number, target in sorted(descriptors().items())
            if self._before.get(number) != target
        ]
        output: dict[str, object] | None = getattr(self._config, "workeroutput", None)
        if output is not None:
            output["leaks"] = self.leaks


class LeakWatch:
    """In the process that started the run: compares the machine before and after."""

    def __init__(self, folder: Path, descriptor_watch: DescriptorWatch) -> None:
        self._folder = folder
        self._descriptor_watch = descriptor_watch
        self._before = Inventory.take(folder)
        self._leaks: list[str] = []

    def pytest_testnodedown(self, node: WorkerController) -> None:
        output: dict[str, list[str]] = getattr(node, "workeroutput", {})
        self._leaks += output.get("leaks", [])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        self._leaks += self._descriptor_watch.leaks
        self._leaks += self._remaining()
        self._end_leaked()
        shutil.rmtree(self._folder, ignore_errors=True)
        if self._leaks:
            session.exitstatus = LEFT_BEHIND

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._leaks:
            terminalreporter.section("left behind by this run", red=True)
            for leak in self._leaks:
                terminalreporter.write_line(leak, red=True)

    def _remaining(self) -> list[str]:
        """What is left once dying processes had time to die."""
        deadline = time.monotonic() + GRACE_SECONDS
        while True:
            leaks = Inventory.take(self._folder).leaked_since(self._before)
            if not leaks or time.monotonic() > deadline:
                return leaks
            time.sleep(0.05)

    def _end_leaked(self) -> None:
        """Leave the machine as it was, now that the leak is on record."""
        for process in descendants(os.getpid()) - self._before.processes:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        reap_orphans()


def pytest_configure(config: pytest.Config) -> None:
    if sys.platform != "linux":
        return
    watch = DescriptorWatch(config)
    config.pluginmanager.register(watch, "descriptor-watch")
    if hasattr(config, "workerinput"):
        return
    adopt_orphans()
    folder = Path(tempfile.mkdtemp(prefix="stockade-tests-"))
    # Browsers run under another uid and must be able to pass through.
    folder.chmod(0o711)
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
    config.pluginmanager.register(LeakWatch(folder, watch), "leak-watch")


def _process(pid: int) -> Process | None:
    try:
        text = (_PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name stands in parentheses and may itself hold any character.
    name = text[text.index("(") + 1 : text.rindex(")")]
    fields = text[text.rindex(")") + 2 :].split()
    return Process(pid, int(fields[19]), int(fields[1]), fields[0], name)
