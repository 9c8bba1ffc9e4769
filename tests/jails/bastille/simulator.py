"""A FreeBSD host as far as clones are concerned: it keeps state and answers real command lines.

A command is a number of small effects. It can be made to fail before the first of them, in the
middle, or after the last; and the whole host can lose whoever gives it commands at such a moment.
What it is not known to answer is an error of the test.
"""

from __future__ import annotations

import asyncio
import copy
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from stockade.jails.bastille.names import Ground
from stockade.jails.bastille.runner import Ran
from stockade.processes import Process, spawn

__all__ = ["PID_FILE", "Fault", "Host", "Killed", "Moment", "Simulator"]

Moment = Literal["before", "in", "after"]
Effect = Callable[[], None]

FIRST_PID = 4000
BASTILLE_REWRITES = re.compile(
    r"exec\.prestart.*ifconfig epair\d+ create|exec\.poststop.*jib destroy"
)
"""From 1.0 on it takes such a jail.conf for an old one of its own."""
PID_FILE = "/var/run/stockade_browser.pid"


class Killed(BaseException):
    """The controller is gone: nothing of it runs any more."""


class Refusal(Exception):
    """A command that the host does not carry out."""


class TimedOut(Refusal):
    """pwait says so with a number of its own."""


@dataclass
class Jail:
    address: str
    files: dict[str, str] = field(default_factory=dict)
    processes: dict[int, bool] = field(default_factory=dict)
    """Each with whether it ends when it is asked to."""

    def end(self, pid: int) -> None:
        self.processes.pop(pid, None)


@dataclass
class Host:
    """What there is."""

    ground: Ground
    datasets: dict[str, str | None] = field(default_factory=dict)
    """Each with the snapshot it is a clone of."""
    snapshots: set[str] = field(default_factory=set)
    jails: dict[str, Jail] = field(default_factory=dict)
    mounts: list[tuple[str, str, str]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    table: set[str] = field(default_factory=set)
    states: set[str] = field(default_factory=set)
    epairs: set[str] = field(default_factory=set)
    members: set[str] = field(default_factory=set)
    """Of the bridge."""
    rules: list[str] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    """Directories that some process of the host is in."""

    def __post_init__(self) -> None:
        pool, jails = self.ground.pool, self.ground.jails
        for dataset in (pool, jails, f"{jails}/browser", f"{jails}/browser/root"):
            self.datasets[dataset] = None
            self.mounts.append((dataset, self.path(dataset), "zfs"))
        self.snapshots = {f"{jails}/browser@good", f"{jails}/browser/root@good"}
        self.mounts.append(("devfs", "/dev", "devfs"))
        self.epairs = {"e0a_bastille0", "e0b_bastille0"}
        self.rules = ["jail:shop:memoryuse:deny=1073741824"]
        self.table = {"192.168.72.20"}

    def path(self, dataset: str) -> str:
        return dataset.replace(self.ground.jails, self.ground.directory)


@dataclass
class Fault:
    """Something goes wrong once, with one command."""

    command: int
    moment: Moment
    deadly: bool = False


class Simulator:
    """Runs command lines on the simulated host."""

    def __init__(self, ground: Ground | None = None) -> None:
        self.ground = ground or Ground()
        self.host = Host(self.ground)
        self.said: list[tuple[str, tuple[str, ...], bytes | None]] = []
        """Every command, with its step."""
        self.step = ""
        self.fault: Fault | None = None
        self.broken: Callable[[Sequence[str]], bool] = lambda _: False
        """Commands that fail again and again."""
        self.dead = False
        self.stubborn = False
        """Whether browsers do not end when they are asked to."""
        self._pids = FIRST_PID

    def note(self, operation: str, _clone: str, step: str) -> None:
        self.step = f"{operation} {step}"

    @property
    def state(self) -> Host:
        return copy.deepcopy(self.host)

    def revive(self) -> None:
        self.dead, self.fault = False, None

    # --- the runner -----------------------------------------------------------------------------

    async def run(self, argv: Sequence[str], stdin: bytes | None = None) -> Ran:
        await asyncio.sleep(0)
        if self.dead:
            raise Killed
        number = len(self.said)
        self.said.append((self.step, tuple(argv), stdin))
        fault = self.fault if self.fault is not None and self.fault.command == number else None
        if self.broken(argv):
            return Ran(1, "", f"{argv[0]}: it is broken")
        try:
            effects, out = self._answer(tuple(argv), (stdin or b"").decode())
        except Refusal as refusal:
            effects, out = [], ""
            if fault is None:
                code = 124 if isinstance(refusal, TimedOut) else 1
                return Ran(code, "", f"{argv[0]}: {refusal}")
        done = effects
        if fault is not None:
            done = {"before": [], "in": effects[: (len(effects) + 1) // 2], "after": effects}[
                fault.moment
            ]
        for effect in done:
            effect()
        if fault is None:
            return Ran(0, out)
        if fault.deadly:
            self.dead = True
            raise Killed
        return Ran(1, "", f"{argv[0]}: fault {fault.moment}")

    def start(
        self, argv: Sequence[str], environment: Mapping[str, str], descriptors: Mapping[int, int]
    ) -> Process:
        """What would run in the jail runs here, entered by nothing."""
        self.said.append((self.step, tuple(argv), None))
        assert tuple(argv[:1]) == ("/usr/sbin/jexec",)
        assert argv[1] in self.host.jails
        enter = ("/usr/sbin/chroot", "-u", "browser", "-g", "browser", "-G", "browser", "/")
        assert tuple(argv[2:10]) == enter
        process = spawn(argv[10:], environment=environment, descriptors=descriptors)
        self.host.jails[argv[1]].processes[process.pid] = not self.stubborn
        return process

    # --- the commands ---------------------------------------------------------------------------

    def _answer(self, argv: tuple[str, ...], stdin: str) -> tuple[list[Effect], str]:  # noqa: C901, PLR0911, PLR0912
        match argv:
            case ("/sbin/zfs", verb, *rest):
                return getattr(self, f"_zfs_{verb}")(*rest)  # type: ignore[no-any-return]
            case ("/usr/sbin/jls", "name"):
                return [], "\n".join(self.host.jails)
            case ("/sbin/mount", "-p"):
                return [], "".join(f"{a}\t{b}\t{c}\trw\t0 0\n" for a, b, c in self.host.mounts)
            case ("/sbin/umount", "-f", path):
                return self._unmount(path, force=True)
            case ("/sbin/umount", path):
                return self._unmount(path, force=False)
            case ("/sbin/ifconfig", "-g", "epair"):
                return [], "\n".join(sorted(self.host.epairs))
            case ("/sbin/ifconfig", end, "destroy"):
                return self._unplug(end)
            case ("/sbin/ifconfig", pair, "create"):
                return self._cable(pair)
            case ("/sbin/ifconfig", end, "up", "name", name):
                return self._rename(end, name)
            case ("/sbin/ifconfig", "bridge0", "addm", end, "private", again):
                assert end == again
                return self._join(end)
            case ("/usr/bin/rctl",):
                return [], "\n".join(self.host.rules)
            case ("/usr/bin/rctl", "-a", rule):
                return [lambda: self.host.rules.append(rule)], ""
            case ("/usr/bin/rctl", "-r", subject):
                return self._unlimit(subject)
            case ("/sbin/pfctl", "-q", "-t", "browser_tasks", "-T", *change):
                return self._table(*change)
            case ("/sbin/pfctl", "-q", "-k", address):
                return [lambda: self.host.states.discard(f"from {address}")], ""
            case ("/sbin/pfctl", "-q", "-k", "0.0.0.0/0", "-k", address):
                return [lambda: self.host.states.discard(f"to {address}")], ""
            case ("/usr/bin/tee", path):
                return self._write(path, stdin)
            case ("/usr/local/bin/bastille", "start", name):
                return self._start(name)
            case ("/usr/local/bin/bastille", "stop", name):
                return self._stop(name)
            case ("/usr/sbin/jail", "-R", name):
                return self._remove(name)
            case ("/usr/sbin/jexec", name, *inside):
                return self._inside(name, tuple(inside), stdin)
        raise AssertionError(f"an unknown command: {argv}")

    # zfs

    def _zfs_list(self, *arguments: str) -> tuple[list[Effect], str]:
        *options, top = arguments
        assert options == ["-H", "-r", "-t", "filesystem,snapshot", "-o", "name"]
        everything = sorted([*self.host.datasets, *self.host.snapshots])
        return [], "\n".join(each for each in everything if f"{each}/".startswith(f"{top}/"))

    def _zfs_snapshot(self, recursive: str, name: str) -> tuple[list[Effect], str]:
        assert recursive == "-r"
        dataset, _, snapshot = name.partition("@")
        names = [f"{each}@{snapshot}" for each in self._below(dataset)]
        if set(names) & self.host.snapshots:
            raise Refusal(f"cannot create snapshot '{name}': dataset already exists")
        return [partial(self.host.snapshots.add, each) for each in names], ""

    def _zfs_clone(self, *arguments: str) -> tuple[list[Effect], str]:
        *options, snapshot, dataset = arguments
        assert options in ([], ["-o", "quota=1073741824"])
        if dataset in self.host.datasets:
            raise Refusal(f"cannot create '{dataset}': dataset already exists")
        if snapshot not in self.host.snapshots:
            raise Refusal(f"cannot open '{snapshot}': dataset does not exist")
        if dataset.rpartition("/")[0] not in self.host.datasets:
            raise Refusal(f"cannot create '{dataset}': parent does not exist")
        path = self.host.path(dataset)
        return [
            lambda: self.host.datasets.__setitem__(dataset, snapshot),
            lambda: self.host.mounts.append((dataset, path, "zfs")),
            lambda: self.host.files.update(
                {} if path.endswith("/root") else {f"{path}/jail.conf": "browser {}"}
            ),
        ], ""

    def _zfs_unmount(self, force: str, dataset: str) -> tuple[list[Effect], str]:
        assert force == "-f"
        mount = (dataset, self.host.path(dataset), "zfs")
        if mount not in self.host.mounts:
            raise Refusal(f"cannot unmount '{dataset}': not currently mounted")
        if any(path.startswith(f"{mount[1]}/") for _, path, _ in self.host.mounts):
            raise Refusal(f"cannot unmount '{mount[1]}': pool or dataset is busy")
        return [
            lambda: self.host.held.discard(mount[1]),
            lambda: self.host.mounts.remove(mount),
        ], ""

    def _zfs_destroy(self, *arguments: str) -> tuple[list[Effect], str]:
        if arguments[0] != "-r":
            (name,) = arguments
            if name not in self.host.snapshots:
                raise Refusal(f"could not find any snapshots to destroy: {name}")
            if name in self.host.datasets.values():
                raise Refusal(f"cannot destroy '{name}': snapshot has dependent clones")
            return [lambda: self.host.snapshots.remove(name)], ""
        _, top = arguments
        assert re.fullmatch(r"zroot/bastille/jails/browsertask\d{3}", top), top
        if top not in self.host.datasets:
            raise Refusal(f"cannot open '{top}': dataset does not exist")
        place = self.host.path(top)
        below = [each for each in self.host.mounts if f"{each[1]}/".startswith(f"{place}/")]
        holding = [each for each in self.host.held if f"{each}/".startswith(f"{place}/")]
        jail = self.host.jails.get(top.rpartition("/")[2])
        if jail is not None or holding or any(kind != "zfs" for _, _, kind in below):
            raise Refusal(f"cannot unmount '{place}': pool or dataset is busy")
        return [partial(self._drop, each) for each in reversed(self._below(top))], ""

    def _drop(self, dataset: str) -> None:
        path = self.host.path(dataset)
        del self.host.datasets[dataset]
        self.host.mounts = [each for each in self.host.mounts if each[0] != dataset]
        self.host.files = {
            name: text for name, text in self.host.files.items() if not name.startswith(f"{path}/")
        }

    def _below(self, top: str) -> list[str]:
        return sorted(each for each in self.host.datasets if f"{each}/".startswith(f"{top}/"))

    # the network

    def _table(self, change: str, *addresses: str) -> tuple[list[Effect], str]:
        if change == "show":
            return [], "".join(f"   {each}\n" for each in sorted(self.host.table))
        (address,) = addresses
        done = {"add": self.host.table.add, "delete": self.host.table.discard}[change]
        return [lambda: done(address)], ""

    def _unplug(self, end: str) -> tuple[list[Effect], str]:
        if end not in self.host.epairs:
            raise Refusal(f"interface {end} does not exist")
        return [lambda: self._without(end)], ""

    def _without(self, end: str) -> None:
        number = re.sub(r"\D", "", end)[-3:]
        ours = re.compile(rf"e0[ab]_bt{number}|epair1{number}[ab]")
        self.host.epairs = {each for each in self.host.epairs if not ours.fullmatch(each)}
        self.host.members = {each for each in self.host.members if not ours.fullmatch(each)}

    def _cable(self, pair: str) -> tuple[list[Effect], str]:
        ends = {f"{pair}a", f"{pair}b"}
        if ends & self.host.epairs:
            raise Refusal("SIOCIFCREATE2: File exists")
        return [lambda: self.host.epairs.update(ends)], f"{pair}a"

    def _rename(self, end: str, name: str) -> tuple[list[Effect], str]:
        if end not in self.host.epairs:
            raise Refusal(f"interface {end} does not exist")
        if name in self.host.epairs:
            raise Refusal("ioctl SIOCSIFNAME (set name): File exists")
        return [lambda: self.host.epairs.symmetric_difference_update({end, name})], name

    def _join(self, end: str) -> tuple[list[Effect], str]:
        if end not in self.host.epairs:
            raise Refusal(f"BRDGADD {end}: No such file or directory")
        return [lambda: self.host.members.add(end)], ""

    # limits, mounts, files

    def _unlimit(self, subject: str) -> tuple[list[Effect], str]:
        ours = [each for each in self.host.rules if each.startswith(f"{subject}:")]
        if not ours:
            raise Refusal(f"failed to remove rule '{subject}': No such process")
        return [partial(self.host.rules.remove, each) for each in ours], ""

    def _unmount(self, path: str, *, force: bool) -> tuple[list[Effect], str]:
        found = [each for each in self.host.mounts if each[1] == path and each[2] != "zfs"]
        if not found:
            raise Refusal(f"{path}: not a file system root directory")
        if path in self.host.held and not force:
            raise Refusal(f"unmount of {path} failed: Device busy")
        return [
            lambda: self.host.held.discard(path),
            lambda: self.host.mounts.remove(found[-1]),
        ], ""

    def _write(self, path: str, text: str) -> tuple[list[Effect], str]:
        if path.rpartition("/")[0] not in [each[1] for each in self.host.mounts]:
            raise Refusal(f"{path}: No such file or directory")
        half = text[: len(text) // 2]
        return [
            lambda: self.host.files.__setitem__(path, half),
            lambda: self.host.files.__setitem__(path, text),
        ], text

    # the jail

    def _start(self, name: str) -> tuple[list[Effect], str]:
        host, place = self.host, f"{self.ground.directory}/{name}"
        text = host.files.get(f"{place}/jail.conf", "")
        found = re.fullmatch(
            rf'{name} {{\n.*vnet\.interface = "(\S+)";\n.* inet ([\d.]+)/24 up.*}}\n',
            text,
            re.DOTALL,
        )
        if found is None:
            raise Refusal(f"[{name}]: Not found.")
        assert not BASTILLE_REWRITES.search(text)
        end, address = found[1], found[2]
        if name in host.jails or any(each.address == address for each in host.jails.values()):
            raise Refusal(f"IP address ({address}) already in use.")
        if (place + "/root") not in [each[1] for each in host.mounts]:
            raise Refusal(f"jail: {place}/root: No such file or directory")
        if end not in host.epairs or end.replace("e0b", "e0a") not in host.members:
            raise Refusal(f"jail: {name}: vnet.interface {end}: not there, or not plugged in")
        self._pids += 1
        pid = self._pids
        return [
            lambda: host.mounts.append(("devfs", f"{place}/root/dev", "devfs")),
            lambda: host.files.__setitem__(f"{place}/console.log", "…"),
            lambda: host.jails.__setitem__(name, Jail(address, processes={pid: True})),
            # In the jail's own network the end is not seen from the host.
            lambda: host.epairs.discard(end),
            lambda: host.states.update({f"from {address}", f"to {address}"}),
        ], ""

    def _stop(self, name: str) -> tuple[list[Effect], str]:
        if name not in self.host.jails:
            raise Refusal(f"[{name}]: Not started.")
        root = f"{self.ground.directory}/{name}/root"
        return [
            self.host.jails[name].processes.clear,
            lambda: self._return_end(name),
            lambda: self._gone(name),
            lambda: self.host.mounts.remove(("devfs", f"{root}/dev", "devfs")),
        ], ""

    def _remove(self, name: str) -> tuple[list[Effect], str]:
        if name not in self.host.jails:
            raise Refusal(f'jail "{name}" not found')
        return [
            lambda: self._return_end(name),
            lambda: self._gone(name),
        ], ""

    def _return_end(self, name: str) -> None:
        """What a jail had of the host's comes back, if its other end is still there."""
        if f"e0a_bt{name[-3:]}" in self.host.epairs:
            self.host.epairs.add(f"e0b_bt{name[-3:]}")

    def _gone(self, name: str) -> None:
        del self.host.jails[name]

    def _inside(  # noqa: C901
        self, name: str, argv: tuple[str, ...], stdin: str
    ) -> tuple[list[Effect], str]:
        jail = self.host.jails.get(name)
        if jail is None:
            raise Refusal(f'jail "{name}" not found')
        match argv:
            case ("/usr/bin/tee", path):
                return [lambda: jail.files.__setitem__(path, stdin)], stdin
            case ("/bin/cat", path):
                if path not in jail.files:
                    raise Refusal(f"{path}: No such file or directory")
                return [], jail.files[path]
            case ("/usr/sbin/service", "stockade_browser", "onestop"):
                pid = jail.files.get(PID_FILE, "").strip()
                if not jail.processes.get(int(pid or 0)):
                    raise Refusal("stockade_browser not running, or it does not end")
                return [partial(jail.end, int(pid))], ""
            case ("/bin/kill", "-TERM" | "-KILL" as signal, pid):
                if int(pid) not in jail.processes:
                    raise Refusal(f"{pid}: No such process")
                ends = signal == "-KILL" or jail.processes[int(pid)]
                return [partial(jail.end, int(pid))] if ends else [], ""
            case ("/bin/pwait", "-t", "5", pid):
                if int(pid) in jail.processes:
                    raise TimedOut
                return [], ""
        raise AssertionError(f"an unknown command in a jail: {argv}")
