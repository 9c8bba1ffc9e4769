"""Support: whether this machine can make jails, tried with a real one."""

from __future__ import annotations

import asyncio
import json
import shutil
import socket
import sys
from dataclasses import dataclass, field
from pathlib import Path

from stockade.errors import LaunchFailed
from stockade.jails import launcher, layout
from stockade.jails.obstacles import Facts, Failure, remedy
from stockade.processes import Process, output_of, spawn

__all__ = ["Support", "attempt", "support"]

_PATIENCE = 10.0
_GRACE = 1.0
_MOST = 4096
_SMALL = 1 << 20
_ELSE = "STOCKADE_ISOLATION=process does without jails."

_known: dict[int, Support] = {}


@dataclass(frozen=True)
class Support:
    """Whether there can be jails; if not, why, and what to do."""

    reason: str = ""
    """Why there can be none; empty where they work."""
    remedy: str = ""
    version: str = ""
    """What bubblewrap calls itself."""
    facts: Facts = field(default_factory=Facts)

    @property
    def works(self) -> bool:
        """Whether there can be."""
        return not self.reason


async def support(uid: int) -> Support:
    """What a jail under `uid` would meet; found out once by each process."""
    if uid not in _known:
        _known[uid] = await attempt(uid)
    return _known[uid]


async def attempt(uid: int) -> Support:
    """Make a jail and, in it, the namespaces that the browser's own sandbox is made of."""
    if sys.platform != "linux":
        return Support("namespaces are there on Linux alone", _ELSE)
    facts = Facts.read()
    tools = {name: shutil.which(name) for name in ("bwrap", "unshare", "true")}
    for name, package in (("bwrap", "bubblewrap"), ("unshare", "util-linux")):
        if tools[name] is None:
            said = f"{name} is not installed"
            return Support(said, f"Install the package {package}.", facts=facts)
    bwrap, unshare, true = (str(each) for each in tools.values())
    try:
        async with asyncio.timeout(_PATIENCE):
            version = await output_of([bwrap, "--version"], environment={}, most=_MOST)
            failure = await _tried(uid, bwrap, [unshare, "--user", "--net", "--pid", "-f", true])
    except TimeoutError:
        said = f"no jail was made in {_PATIENCE:g} seconds"
        return Support(said, "Try again when the machine has less to do.", facts=facts)
    except LaunchFailed as error:
        return Support(error.message, error.hint, facts=facts)
    named = version.decode(errors="replace").strip()
    if failure is None:
        return Support(version=named, facts=facts)
    return Support(failure.reason, remedy(failure, facts), named, facts)


async def _tried(uid: int, bwrap: str, argv: list[str]) -> Failure | None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours:
        ours.settimeout(0)
        with theirs:
            process = spawn(
                [sys.executable, "-I", "-S", launcher.__file__],
                environment={},
                descriptors={launcher.CONTROL: theirs.fileno()},
            )
        try:
            return await _followed(ours, process, uid, bwrap, argv)
        finally:
            process.kill()
            await asyncio.shield(process.end(_GRACE))


async def _followed(
    control: socket.socket, process: Process, uid: int, bwrap: str, argv: list[str]
) -> Failure | None:
    told = {
        "uid": uid,
        "listeners": [0],
        "folders": {each.name: _SMALL for each in (layout.UPLOADS, layout.DOWNLOADS)},
        "limits": {},
        "argv": layout.bubblewrap(Path(bwrap), argv, {}, _SMALL, Path(argv[0])),
        "environment": {},
    }
    loop = asyncio.get_running_loop()
    try:
        control.send(json.dumps(told).encode())
        # The descriptors that come with the answer are of no use, and are dropped unread.
        said = json.loads(await loop.sock_recv(control, _MOST) or "{}")
        if said.get("ready"):
            control.send(b"!")
            # It closes when the launcher becomes bubblewrap.
            said = json.loads(await loop.sock_recv(control, _MOST) or "{}")
    except ConnectionError:
        said = {}
    if "step" in said:
        return Failure(said["step"], said["text"], said["errno"])
    if await process.wait() == 0:
        return None
    lines = process.error_output.strip().splitlines() or [f"it ended with {process.returncode}"]
    last = lines[-1][:300]
    for name, step in (("bwrap: ", "bubblewrap"), ("unshare: ", "sandbox")):
        if last.startswith(name):
            return Failure.told(step, last.removeprefix(name))
    return Failure.told("start", last)
