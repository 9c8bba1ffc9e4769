"""Be what a browser in a jail is, and try to get out: `python -m tests.jails.inside`.

There is no shell and no Python in a jail. So this process has everything it needs before it goes in:
it joins every namespace of the browser and gives up what the browser has not, which leaves it just
where somebody is who has taken the browser over as a whole. On standard input it is told which
process the browser is and what to try; without a browser it tries it where it is.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import struct
import sys
from pathlib import Path
from typing import Any

from stockade.jails import launcher
from tests.jails.attempts import attempt

NAMESPACES = ("user", "mnt", "net", "ipc", "uts", "cgroup", "pid")
STATE = ("Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs",
         "Seccomp", "Seccomp_filters")  # fmt: skip
_ALL_NAMESPACES = 0x7E020000
_LIMITS = {"Max open files": resource.RLIMIT_NOFILE, "Max core file size": resource.RLIMIT_CORE}
"""Those that a jail sets."""
_DROP_BOUND, _NO_NEW_RIGHTS, _DUMPABLE = 24, 38, 4
_CAPABILITIES = 64
_VERSION_3 = 0x20080522


def state_of(pid: int | str) -> dict[str, Any]:
    """What a process is to the kernel, as far as that decides what it may do."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    status = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    found: dict[str, Any] = {name: status[name].split() for name in STATE}
    found["namespaces"] = {
        name: str(Path(f"/proc/{pid}/ns/{name}").readlink()) for name in NAMESPACES
    }
    limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii").splitlines()
    found["limits"] = sorted(limits[1:])
    return found


def enter(pid: int) -> None:
    """Become what that process is; from here on only children are in its process namespace."""
    within = int(Path(f"/proc/{pid}/uid_map").read_text(encoding="ascii").split()[0])
    libc = ctypes.CDLL(None, use_errno=True)

    def call(name: str, *arguments: Any) -> None:
        if getattr(libc, name)(*arguments) != 0:
            raise OSError(ctypes.get_errno(), name)

    if os.geteuid() == 0:
        os.setgroups([])
    for line in Path(f"/proc/{pid}/limits").read_text(encoding="ascii").splitlines():
        # Not every root may ask for the limits of others.
        if (name := line[:26].rstrip()) in _LIMITS:
            soft, hard = line[26:].split()[:2]
            resource.setrlimit(_LIMITS[name], (int(soft), int(hard)))
    held = os.pidfd_open(pid)
    call("setns", held, _ALL_NAMESPACES)
    os.close(held)
    os.setresgid(within, within, within)
    os.setresuid(within, within, within)
    for each in range(_CAPABILITIES):
        libc.prctl(_DROP_BOUND, each, 0, 0, 0)
    call("capset", struct.pack("Ii", _VERSION_3, 0), bytes(24))
    call("prctl", _NO_NEW_RIGHTS, 1, 0, 0, 0)
    call("prctl", _DUMPABLE, 1, 0, 0, 0)


def main() -> None:
    """Go in where that is wanted, try everything, and say what came of it."""
    told = json.loads(sys.stdin.read())
    pid = told["pid"]
    if pid is not None:
        enter(pid)
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.close(ours)
        with os.fdopen(theirs, "w") as file:
            json.dump(_tried(told["attempts"], inside=pid is not None), file)
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as file:
        sys.stdout.write(file.read())
    os.wait()


def _tried(attempts: list[dict[str, Any]], *, inside: bool) -> dict[str, Any]:
    if inside:
        launcher.refuse_calls()
    return {
        "state": state_of("self"),
        "answers": [attempt(each, own=inside) for each in attempts],
    }


if __name__ == "__main__":
    main()
