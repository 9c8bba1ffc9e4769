"""A machine to be got at, a jail on it, and both sides of its wall.

`python -m tests.jails.probe FILE UID`; with another uid than 0, that user runs the server, the jails and whatever
else there is, so that nothing but namespaces is between them.

Runs in namespaces of its own for the network, mounts, processes, names and shared memory, where
everything that is worth stealing was put by this program: what is tried outside the jail is tried on
nothing else. What came of it goes to `FILE`.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import secrets
import socket
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from string import Template
from typing import Any

from stockade.config import Settings
from stockade.jails import launcher
from stockade.jails.bwrap import BwrapJail
from stockade.kernel.dispatch import Kernel
from stockade.policy.principal import Principal
from stockade.server import base_policy, running_kernel
from stockade.sessions.session import Session
from tests.jails.inside import state_of
from tests.support.browsers import FULL_CHROMIUM
from tests.support.leaks import descendants
from tests.support.site import Site
from tests.support.waiting import until

PROBES = Path(__file__).with_name("probes.json")
_HIGH = 20_000
"""Processes of this machine are numbered from here on, so that no number is one of a jail's too."""
_ADDRESSES = (
    "10.0.0.5", "172.17.0.1", "192.168.1.10", "100.100.100.200", "169.254.169.254",
    "93.184.216.34", "fd00:ec2::254", "2606:2800:220:1:248:1893:25c8:1946",
)  # fmt: skip
_PORT = 9999
_DISK = 64 << 20
_CREATE = 0o1000
_HERE = str(Path(__file__).parents[2])
_HIDDEN = ("/root", "/home", "/run", "/tmp", "/dev/shm", "/mnt")
_libc = ctypes.CDLL(None, use_errno=True)


class Machine:
    """What is there to be found, under the names that the probes use."""

    def __init__(self, user: int) -> None:
        self._user = user
        self.canary = f"canary{secrets.token_hex(8)}"
        self.values: dict[str, str] = {"canary": self.canary, "port": str(_PORT)}
        self._stack = ExitStack()
        self._listeners: list[socket.socket] = []

    def build(self) -> None:
        """Put everything in its place; what was there is hidden."""
        self._handle()
        # We may lie in one of these ourselves, as may the Python that we are read by.
        ours = {place: os.open(place, os.O_PATH) for place in (sys.base_prefix, sys.prefix, _HERE)}
        for place in _HIDDEN:
            _run("mount", "-t", "tmpfs", "-o", "mode=0755", "tmpfs", place)
        for place, number in ours.items():
            if place.startswith(tuple(f"{each}/" for each in _HIDDEN)):
                Path(place).mkdir(parents=True, exist_ok=True)
                _run("mount", "-n", "-c", "--bind", f"/proc/{os.getpid()}/fd/{number}", place)
            os.close(number)
        _run("mount", "-t", "mqueue", "mqueue", "/mnt")
        Path("/tmp").chmod(0o1777)
        Path("/dev/shm").chmod(0o1777)
        self._network()
        self._files()
        self._sockets()
        self._processes()
        self._shared()

    def _handle(self) -> None:
        """A file of the disk that the jail's system is on, as the kernel calls it."""
        number, name = tempfile.mkstemp(dir="/var/tmp", prefix="stockade-")
        self._stack.callback(Path(name).unlink)
        os.write(number, self.canary.encode())
        os.fchown(number, self._user, self._user)
        os.close(number)
        data = ctypes.create_string_buffer((128).to_bytes(4, sys.byteorder) + bytes(132))
        mount = ctypes.c_int()
        answer = _libc.name_to_handle_at(-100, name.encode(), data, ctypes.byref(mount), 0)
        if answer != 0:
            raise OSError(ctypes.get_errno(), "name_to_handle_at")
        size = int.from_bytes(data.raw[:4], sys.byteorder)
        self.values["handle_type"] = str(int.from_bytes(data.raw[4:8], sys.byteorder))
        self.values["handle"] = data.raw[8 : 8 + size].hex()

    def _network(self) -> None:
        _run("ip", "link", "set", "lo", "up")
        for each in _ADDRESSES:
            _run("ip", "addr", "add", each, "dev", "lo")

    def _files(self) -> None:
        for place in (
            "/root/.ssh/id_ed25519", "/root/.docker/config.json", "/home/operator/.aws/credentials",
            "/home/operator/.config/chromium/Default/Cookies", "/run/secrets/token",
            "/tmp/theirs", "/dev/shm/theirs", "/tmp/shadow", "/tmp/workspace/tokens",
        ):  # fmt: skip
            file = Path(place)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(self.canary, encoding="ascii")
            file.chmod(0o644)
        _run("mount", "--bind", "/tmp/shadow", "/etc/shadow")
        for name in ("profile", "downloads", "uploads"):
            Path(f"/tmp/{name}").mkdir()
        for name in ("workspace", "profile", "downloads", "uploads"):
            os.chown(f"/tmp/{name}", self._user, self._user)

    def _sockets(self) -> None:
        """Whoever connects is told the canary, and so is whoever sends a packet."""
        for place in (
            "/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private",
            "/run/user/0/bus", "/tmp/.X11-unix/X0", "/tmp/server.sock", "\0/tmp/.X11-unix/X0",
            f"\0{self.canary}",
        ):  # fmt: skip
            if not place.startswith("\0"):
                Path(place).parent.mkdir(parents=True, exist_ok=True)
            made = socket.socket(socket.AF_UNIX)
            made.bind(place)
            if not place.startswith("\0"):
                Path(place).chmod(0o777)
            self._serve(made)
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
            made = socket.socket(socket.AF_INET6, kind)
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
            made.bind(("::", _PORT))
            self._serve(made)

    def _serve(self, made: socket.socket) -> None:
        self._stack.callback(made.close)
        stream = made.type == socket.SOCK_STREAM
        if stream:
            made.listen(64)

        def work() -> None:
            with suppress(OSError):
                while True:
                    if stream:
                        with made.accept()[0] as other:
                            other.sendall(self.canary.encode())
                    else:
                        _, sender = made.recvfrom(65536)
                        made.sendto(self.canary.encode(), sender)

        threading.Thread(target=work, daemon=True).start()

    def _processes(self) -> None:
        Path("/proc/sys/kernel/ns_last_pid").write_text(str(_HIGH), encoding="ascii")
        held = os.open("/tmp/workspace", os.O_RDONLY)
        victim = subprocess.Popen(
            ["/usr/bin/sleep", "1000"],
            stdin=held,
            env={"TOKEN": self.canary},
            cwd="/tmp/workspace",
            user=self._user,
            group=self._user,
        )
        os.close(held)
        self._stack.callback(victim.wait)
        self._stack.callback(victim.kill)
        self.values["victim"] = str(victim.pid)

    def _shared(self) -> None:
        key = 0x57AC
        self.values["key"] = str(key)
        mode = _CREATE | 0o666
        made = (
            _libc.shmget(key, 4096, mode),
            _libc.semget(key, 1, mode),
            _libc.mq_open(b"/theirs", os.O_CREAT | os.O_RDWR, 0o666, None),
        )
        if min(made) < 0:
            raise OSError(ctypes.get_errno(), f"shared: {made}")

    def close(self) -> None:
        """Take away what is not gone with the namespaces."""
        self._stack.close()


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


def _filled(entry: Any, values: dict[str, str]) -> Any:
    if isinstance(entry, str):
        return Template(entry).substitute(values)
    if isinstance(entry, list):
        return [_filled(each, values) for each in entry]
    if isinstance(entry, dict):
        return {name: _filled(each, values) for name, each in entry.items()}
    return entry


def main_process(session: Session) -> int:
    """The browser itself: what the first process of the jail has started, and that first of all."""
    assert session.context is not None
    found = {}
    for each in descendants(session.context.browser.pid):
        try:
            parent, itself = _numbers(each.parent), _numbers(each.pid)
        except OSError:
            continue  # it has ended
        # Further down, the browser's own sandbox has namespaces with first processes too.
        if len(parent) == len(itself) == 2 and parent[-1] == 1:
            found[itself[-1]] = each.pid
    return found[min(found)]


def _numbers(pid: int) -> list[int]:
    """What a process is called here, and in each namespace further down."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    line = next(line for line in lines if line.startswith("NSpid:"))
    return [int(each) for each in line.split()[1:]]


def _running(module: str) -> int:
    """The process that runs a module."""
    for each in descendants(os.getpid()):
        if module.encode() in Path(f"/proc/{each.pid}/cmdline").read_bytes().split(b"\0"):
            return each.pid
    raise RuntimeError(f"no {module} runs")


async def tried(told: dict[str, Any], joined: Callable[[int], None]) -> dict[str, Any]:
    """What comes of attempts; `joined` puts the process that makes them where it belongs."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.jails.inside"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={},
    )
    joined(process.pid)
    said, _ = await process.communicate(json.dumps(told).encode())
    answer: dict[str, Any] = json.loads(said)
    return answer


async def _both_sides(machine: Machine, kernel: Kernel, site: Site) -> dict[str, Any]:
    agent = Principal("agent", policy=base_policy(kernel.settings))
    sessions = []
    for name in ("one", "other"):
        await kernel.call(agent, "open_session", {"session": name})
        reply = await kernel.call(agent, "navigate", {"url": site.url("/"), "session": name})
        assert reply.ok, reply.text
        sessions.append(kernel.sessions.find(agent, name))
    one, other = (main_process(each) for each in sessions)
    jail = sessions[0].jail
    assert isinstance(jail, BwrapJail)
    assert jail.group is not None
    machine.values["other"] = str(other)
    machine.values["egress"] = str(_running("stockade.egress"))
    probes = json.loads(PROBES.read_text(encoding="utf-8"))
    inside = {"profile": "/tmp/home", "downloads": "/tmp/dl", "uploads": "/tmp/up"}
    outside = {name: f"/tmp/{name}" for name in inside}
    found: dict[str, Any] = {}
    for side, pid, places in (("inside", one, inside), ("outside", None, outside)):
        values = {**machine.values, **places, "disk": str(_DISK)}
        told = {"pid": pid, "attempts": _filled(probes, values)}
        joined = jail.group.add if pid is not None else lambda _: None
        found[side] = await tried(told, joined)
    found["browser"] = state_of(one)
    found["neighbour"] = state_of(other)
    found["server"] = state_of("self")
    found["held"] = {str(each.pid): _held(each.pid) for each in descendants(_outer(sessions[0]))}
    tab = sessions[0].current
    assert tab is not None
    await tab.page.navigate("chrome://sandbox")
    await until(lambda: _says(tab.page, "sandboxed"))
    found["sandbox"] = await tab.page.main_frame.call("() => document.body.innerText")
    return found


def _outer(session: Session) -> int:
    assert session.context is not None
    return session.context.browser.pid


async def _says(page: Any, text: str) -> bool:
    said = await page.main_frame.call("() => document.body.innerText")
    return text in said


def _held(pid: int) -> list[str]:
    """What a process of the jail has open that is a file, a directory or a device."""
    found = []
    with suppress(OSError):
        for each in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                mode = each.stat().st_mode
                if stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISCHR(mode):
                    found.append(str(each.readlink()))
    return found


async def _main(user: int) -> dict[str, Any]:
    machine = Machine(user)
    try:
        machine.build()
        if user:
            launcher.drop(user)
        async with Site.serve() as site:
            site.page("/", "<title>Home</title>")
            settings = Settings(
                workspace=Path(tempfile.mkdtemp(dir="/tmp/workspace")),
                isolation="bwrap",
                chromium=FULL_CHROMIUM,
                jail_disk=_DISK,
                egress_allow=(f"127.0.0.1:{site.port}",),
                log_level="error",
            )
            async with running_kernel(settings) as kernel:
                return await _both_sides(machine, kernel, site)
    finally:
        machine.close()


def main() -> None:
    """Be alone, then run."""
    assert os.getpid() == 1, "this is no namespace of its own"
    # It is opened while it can be seen.
    with Path(sys.argv[1]).open("w", encoding="utf-8") as report:
        tempfile.tempdir = "/tmp"
        json.dump(asyncio.run(_main(int(sys.argv[2]))), report)


if __name__ == "__main__":
    main()
