"""The launcher: makes the namespaces of one jail, then becomes what runs in it.

It is started as a file of its own (`python -I launcher.py`), with nothing of this package, and has
one thread: rights are given up by threads, and who dies with its parent dies with a thread. On the
socket at descriptor 5 it is told what to make. It hands back the sockets it listens on and the
folders it shares with the server, which were there before anything that cannot be trusted; when it
is told to go on, it becomes bubblewrap, and nothing of it is left.

Needs no rights: whoever may make user namespaces can run it. Started by root, it first becomes the
user it is told.
"""

from __future__ import annotations

import array
import ctypes

# Whoever has given up its rights may not be able to read these any more, as where Python lies in a
# home directory: files are opened and addresses are read with them.
import encodings.ascii
import encodings.idna
import encodings.latin_1  # noqa: F401
import errno
import fcntl
import json
import os
import resource
import signal
import socket
import struct
import sys
from typing import Any, NoReturn

CONTROL = 5

_NEW_USER, _NEW_NETWORK, _NEW_MOUNTS = 0x10000000, 0x40000000, 0x00020000
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 2, 4, 8, 0x4000, 1 << 18
_SET_DEATH_SIGNAL, _SET_DUMPABLE = 1, 4
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1
_INTERFACE = struct.Struct("16sh14x")
_BACKLOG = 1024
_MOST = 1 << 20
_SET_SECCOMP, _BY_FILTER, _NO_NEW_RIGHTS = 22, 2, 38
_SHELF = "/tmp"  # noqa: S108  # of its own: what the machine keeps there is hidden below

_FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)
"""Sockets that a jail may have. Of the others some are the same in every network namespace, as
those to the host of a virtual machine."""
_CALLS = {
    "x86_64": (0xC000003E, (41, 53), (248, 249, 250, 298, 321, 323, 425, 426, 427)),
    "aarch64": (0xC00000B7, (198, 199), (217, 218, 219, 241, 280, 282, 425, 426, 427)),
}
"""By machine: its number, `socket` and `socketpair`, and calls that no namespace confines and no
browser needs: `add_key`, `request_key`, `keyctl`, `perf_event_open`, `bpf`, `userfaultfd`, and
those of io_uring, which makes sockets past any filter."""
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
_OTHER_NUMBERS = 0x40000000

_libc = ctypes.CDLL(None, use_errno=True)


class Trouble(Exception):
    """A step that did not work, and why."""

    def __init__(self, step: str, error: OSError) -> None:
        super().__init__(step)
        self.step, self.number, self.text = step, error.errno or 0, error.strerror or str(error)


def main() -> NoReturn:
    """Make the jail and become what it is for."""
    control = socket.socket(fileno=CONTROL)
    control.set_inheritable(False)
    try:
        told = json.loads(control.recv(_MOST))
        shared = make(told)
        sent = array.array("i", shared).tobytes()
        control.sendmsg([b'{"ready": true}'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)])
        for each in shared:
            os.close(each)
        # The server now limits what this process and everything below it may take.
        if control.recv(1) != b"!":
            sys.exit(0)
        limit(told["limits"])
        step("filter", refuse_calls)
        os.execve(told["argv"][0], told["argv"], told["environment"])  # noqa: S606
    except Trouble as trouble:
        tell(control, {"step": trouble.step, "errno": trouble.number, "text": trouble.text})
    except OSError as error:
        tell(control, {"step": "start", "errno": error.errno, "text": error.strerror})
    sys.exit(1)


def tell(control: socket.socket, said: dict[str, Any]) -> None:
    """Say what went wrong, there and where whatever runs in the jail would say it."""
    control.send(json.dumps(said).encode())
    sys.stderr.write(f"the jail was not made: {said['step']}: {said['text']}\n")


def make(told: dict[str, Any]) -> list[int]:
    """The namespaces, what listens in them, and the folders; the last two as descriptors."""
    step("rights", lambda: drop(told["uid"]))
    uid, gid = os.getuid(), os.getgid()
    step("namespaces", lambda: call("unshare", _NEW_USER | _NEW_NETWORK | _NEW_MOUNTS))
    step("identity", lambda: identify(uid, gid))
    step("loopback", raise_loopback)
    listeners = [step("listener", lambda port=each: listen(port)) for each in told["listeners"]]
    step("mounts", lambda: mount(None, "/", None, _MS_REC | _MS_PRIVATE))
    folders = step("folders", lambda: shelves(told["folders"]))
    return [*(each.detach() for each in listeners), *folders]


def step(name: str, work: Any) -> Any:
    """Do it, and say what it was if it cannot be done."""
    try:
        return work()
    except OSError as error:
        raise Trouble(name, error) from error


def drop(uid: int | None) -> None:
    """Become an ordinary user, and end when the server does."""
    if uid is not None and os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        # Whoever gave up rights does not own its own entries in /proc any more.
        prctl(_SET_DUMPABLE, 1)
    # Where it has ended already there is no word from it to go on.
    prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def identify(uid: int, gid: int) -> None:
    """Be nobody else in the new user namespace."""
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:  # noqa: PTH123
            file.write(text)


def raise_loopback() -> None:
    """Loopback is all there is."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        asked = fcntl.ioctl(control, _GET_FLAGS, _INTERFACE.pack(b"lo", 0))
        flags = _INTERFACE.unpack(asked)[1]
        fcntl.ioctl(control, _SET_FLAGS, _INTERFACE.pack(b"lo", flags | _UP))


def listen(port: int) -> socket.socket:
    """A socket on which the server hears what runs in the jail."""
    return socket.create_server(("127.0.0.1", port), backlog=_BACKLOG)


def shelves(sizes: dict[str, int]) -> list[int]:
    """Folders of limited size, in memory, that go when the last who uses them does."""
    flags = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC
    mount("tmpfs", _SHELF, "tmpfs", flags, "size=64k,mode=0711")
    found = []
    for name, size in sizes.items():
        place = f"{_SHELF}/{name}"
        os.mkdir(place, 0o700)  # noqa: PTH102
        mount("tmpfs", place, "tmpfs", flags, f"size={size},nr_inodes=16384,mode=0700")
        found.append(os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
    return found


def limit(limits: dict[str, int]) -> None:
    """What a process may take of the machine by itself."""
    for name, most in limits.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name.upper()}"), (most, most))


def refuse_calls() -> None:
    """Have the kernel refuse what namespaces do not keep apart, to us and all that comes of us."""
    machine = os.uname().machine
    if machine not in _CALLS:
        raise OSError(errno.ENOSYS, f"no filter of calls is known for {machine}")
    number, sockets, refused = _CALLS[machine]
    # Where to go is counted from the next instruction, where it holds and where it does not.
    families = [(_EQUAL, len(_FAMILIES) - at, 0, each) for at, each in enumerate(_FAMILIES)]
    program = [
        (_LOAD, 0, 0, 4),
        (_EQUAL, 1, 0, number),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, 0),
        (_AT_LEAST, 0, 1, _OTHER_NUMBERS),
        (_RETURN, 0, 0, _REFUSE | errno.ENOSYS),
        *(each for call in refused for each in _refusal(call)),
        (_EQUAL, 1, 0, sockets[0]),
        (_EQUAL, 0, len(families) + 2, sockets[1]),
        (_LOAD, 0, 0, 16),
        *families,
        (_RETURN, 0, 0, _REFUSE | errno.EAFNOSUPPORT),
        (_RETURN, 0, 0, _ALLOW),
    ]
    code = b"".join(struct.pack("=HBBI", *each) for each in program)
    kept = ctypes.create_string_buffer(code, len(code))
    whole = struct.pack("@HP", len(program), ctypes.addressof(kept))
    prctl(_NO_NEW_RIGHTS, 1)
    call("prctl", _SET_SECCOMP, _BY_FILTER, whole, 0, 0)


def _refusal(number: int) -> list[tuple[int, int, int, int]]:
    return [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)]


def mount(
    source: str | None, target: str, kind: str | None, flags: int, data: str | None = None
) -> None:
    """Mount something."""
    given = [None if each is None else each.encode() for each in (source, target, kind)]
    call("mount", *given, flags, None if data is None else data.encode())


def prctl(what: int, value: int) -> None:
    """Say something about this process to the kernel."""
    call("prctl", what, value, 0, 0, 0)


def call(name: str, *arguments: Any) -> None:
    """A call of the C library that answers 0."""
    given = [ctypes.c_ulong(each) if isinstance(each, int) else each for each in arguments]
    if getattr(_libc, name)(*given) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    main()
