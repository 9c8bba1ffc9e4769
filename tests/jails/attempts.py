"""Attempts: how somebody who has taken over a browser would try to get at the machine.

Every one says what it got, or raises. Each is made in a process of its own, so that none leaves
anything to the next.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import glob
import json
import mmap
import os
import platform
import resource
import signal
import socket
import stat
import struct
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

_SECONDS = 10
_PIECE = 1 << 16
_NEW_NAMESPACES = 0x10000000 | 0x00020000 | 0x40000000
"""Of users, mounts and the network."""
_ATTACH, _DETACH = 16, 17
_SET_ADDRESS = 0x8916
_NUMBERS = """
add_key 248 217, bpf 321 280, delete_module 176 106, init_module 175 105, io_uring_setup 425 425,
kexec_load 246 104, keyctl 250 219, perf_event_open 298 241, pidfd_getfd 438 438, reboot 169 142,
userfaultfd 323 282
"""
"""What the C library has not, by its numbers on x86_64 and aarch64."""
_CALLS = {
    name: int(on_aarch64 if platform.machine() == "aarch64" else on_x86_64)
    for name, on_x86_64, on_aarch64 in (each.split() for each in _NUMBERS.split(","))
}

_libc = ctypes.CDLL(None, use_errno=True)


class Nothing(Exception):
    """It was not refused, and there was nothing to be got."""


def _call(name: str, *arguments: Any) -> int:
    """A call of the kernel, by the C library where that has it."""
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    if name in _CALLS:
        answer = _libc.syscall(ctypes.c_long(_CALLS[name]), *given)
    else:
        answer = getattr(_libc, name)(*given)
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return int(answer)


# --- files ------------------------------------------------------------------------------------------


def _found(pattern: str) -> list[str]:
    """What there is, but for what is the attempt's own."""
    own = tuple(f"/proc/{each}/" for each in ("self", "thread-self", os.getpid(), os.getppid()))
    matching = glob.glob(pattern)  # noqa: PTH207  # the pattern begins with a slash
    found = [each for each in matching if not each.startswith(own)]
    if not found:
        raise FileNotFoundError(errno.ENOENT, "nothing there", pattern)
    return found


def read(path: str, wants: str = "") -> str:
    """Read a file, or any of those that a pattern means."""
    refused: OSError | None = None
    for each in _found(path):
        try:
            with Path(each).open("rb", buffering=0) as file:
                data = file.read(_PIECE) or b""
        except OSError as error:
            refused = error
            continue
        if data and wants.encode() in data:
            return f"{each}: {data[:40]!r}"
    raise refused or Nothing


def listing(path: str, wants: str = "") -> str:
    """See what is in a directory."""
    refused: OSError | None = None
    for each in _found(path):
        try:
            names = [entry.name for entry in Path(each).iterdir()]
        except OSError as error:
            refused = error
            continue
        if any(wants in name for name in names):
            return f"{each}: {names[:5]}"
    raise refused or Nothing


def opening(path: str, mode: str = "read") -> str:
    """Open what is there; what could be done then is not done."""
    flags = {"read": os.O_RDONLY, "write": os.O_WRONLY, "both": os.O_RDWR}[mode]
    os.close(os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY))
    return path


def creating(path: str) -> str:
    """Make a file where none may be made."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    Path(path).unlink()
    return path


def filling(path: str, size: str) -> str:
    """Take more room than there is to be."""
    file = os.open(f"{path}/filling", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.posix_fallocate(file, 0, int(size))
    finally:
        os.close(file)
        Path(f"{path}/filling").unlink()
    return f"{size} bytes"


def executing(path: str) -> str:
    """Run what was written."""
    file = os.open(f"{path}/executing", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o700)
    try:
        os.write(file, b"\xc3" * mmap.PAGESIZE)
        mmap.mmap(file, mmap.PAGESIZE, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC).close()
    finally:
        os.close(file)
        Path(f"{path}/executing").unlink()
    return path


def setuid_files(pattern: str) -> str:
    """Find a program that runs with more rights."""
    for each in _found(pattern):
        mode = os.lstat(each).st_mode
        special = stat.S_ISREG(mode) and mode & (stat.S_ISUID | stat.S_ISGID)
        if special and not os.statvfs(each).f_flag & os.ST_NOSUID:
            return each
    raise Nothing


def by_handle(through: str, type: str, handle: str, wants: str) -> str:
    """Open a file of a file system without a path to it."""
    data = bytes.fromhex(handle)
    given = ctypes.create_string_buffer(struct.pack("Ii", len(data), int(type)) + data)
    mount = os.open(through, os.O_RDONLY)
    with os.fdopen(_call("open_by_handle_at", mount, given, os.O_RDONLY), "rb") as file:
        if wants.encode() in file.read():
            return wants
    raise Nothing


def out_of_a_root(path: str, wants: str) -> str:
    """Leave a root directory by the one that one stayed in."""
    os.chdir("/")
    os.chroot("/proc")
    for _ in range(32):
        os.chdir("..")
    os.chroot(".")
    return read(path, wants)


# --- sockets ----------------------------------------------------------------------------------------


def _greeted(made: socket.socket, where: Any, wants: str) -> str:
    with made:
        made.settimeout(_SECONDS / 2)
        made.connect(where)
        if made.type == socket.SOCK_DGRAM:
            made.send(b"hello")
        said = made.recv(_PIECE)
    if wants.encode() not in said:
        raise Nothing
    return f"{where}: {said[:40]!r}"


def unix(path: str, wants: str) -> str:
    """Talk to a socket in the file system, or to one that has only a name."""
    where = f"\0{path[1:]}" if path.startswith("@") else path
    return _greeted(socket.socket(socket.AF_UNIX), where, wants)


def tcp(host: str, port: str, wants: str) -> str:
    """Connect to an address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return _greeted(socket.socket(family), (host, int(port)), wants)


def udp(host: str, port: str, wants: str) -> str:
    """Send a packet, and have an answer."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return _greeted(socket.socket(family, socket.SOCK_DGRAM), (host, int(port)), wants)


def proxied(port: str, said: str, wants: str) -> str:
    """Ask the way out for what it is to refuse."""
    with socket.socket() as made:
        made.settimeout(_SECONDS / 2)
        made.connect(("127.0.0.1", int(port)))
        made.sendall(said.encode())
        answer = b""
        while piece := made.recv(_PIECE):
            answer += piece
            if wants.encode() in answer:
                return repr(answer[:40])
    raise Nothing


def raw_bytes(port: int, said: list[str]) -> str:
    """Say to the way out what no browser says, all at once."""
    talking = []
    for each in said:
        made = socket.socket()
        made.settimeout(_SECONDS / 10)
        talking.append(made)
        with suppress(OSError):
            made.connect(("127.0.0.1", port))
            made.sendall(bytes.fromhex(each))
            made.shutdown(socket.SHUT_WR)
    good = []
    for made, each in zip(talking, said, strict=True):
        with made, suppress(OSError):
            answer = made.recv(_PIECE)
            if answer.startswith((b"HTTP/1.1 2", b"HTTP/1.1 1")):
                good.append(f"{bytes.fromhex(each)[:40]!r}: {answer[:40]!r}")
    if not good:
        raise Nothing
    return "; ".join(good)


def everywhere(hosts: list[str], ports: list[int]) -> str:
    """Connect and send to all addresses there are."""
    got = []
    for host in hosts:
        for port in ports:
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                with socket.socket(
                    socket.AF_INET6 if "[" in host else socket.AF_INET, kind
                ) as made:
                    made.settimeout(_SECONDS / 100)
                    with suppress(OSError, UnicodeError):
                        made.connect((host.strip("[]"), port))
                        made.send(b"hello")
                        made.recv(1)
                        got.append(f"{host} {port}")
    if not got:
        raise Nothing
    return ", ".join(got)


def family(number: int, kind: int = socket.SOCK_STREAM, protocol: int = 0) -> str:
    """Have a socket of a kind that has no business there."""
    socket.socket(number, kind, protocol).close()
    return f"family {number}"


def address(interface: str, host: str) -> str:
    """Give the machine another address."""
    place = struct.pack("16sHH4s8x", interface.encode(), socket.AF_INET, 0, socket.inet_aton(host))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, _SET_ADDRESS, place)
    return host


# --- processes --------------------------------------------------------------------------------------


def signalling(pid: str) -> str:
    """Signal a process."""
    os.kill(int(pid), 0)
    return pid


def tracing(pid: str) -> str:
    """Take hold of a process."""
    _call("ptrace", _ATTACH, int(pid), 0, 0)
    os.waitpid(int(pid), 0)
    _call("ptrace", _DETACH, int(pid), 0, 0)
    return pid


def watching(pid: str) -> str:
    """Hold a process by a descriptor."""
    os.close(os.pidfd_open(int(pid)))
    return pid


def taking(number: int = 0, *, pid: str) -> str:
    """Take a descriptor from a process."""
    with closing(os.fdopen(os.pidfd_open(int(pid)), "rb", buffering=0)) as held:
        os.close(_call("pidfd_getfd", held.fileno(), number, 0))
    return pid


def slowing(pid: str) -> str:
    """Change how often a process runs."""
    os.setpriority(os.PRIO_PROCESS, int(pid), 1)
    return pid


def freeing(pid: str) -> str:
    """Change the limits of a process."""
    found = resource.prlimit(int(pid), resource.RLIMIT_NOFILE)
    resource.prlimit(int(pid), resource.RLIMIT_NOFILE, found)
    return pid


def shared_memory(key: str) -> str:
    """Find memory that others share."""
    return str(_call("shmget", int(key), 0, 0))


def semaphores(key: str) -> str:
    """Find semaphores that others share."""
    return str(_call("semget", int(key), 0, 0))


def messages(name: str) -> str:
    """Find a queue of messages that others share."""
    os.close(_call("mq_open", name.encode(), os.O_RDONLY))
    return name


# --- the kernel -------------------------------------------------------------------------------------


def joining(path: str) -> str:
    """Enter a namespace."""
    place = os.open(path, os.O_RDONLY)
    _call("setns", place, 0)
    return path


def calling(name: str, *given: Any, through: list[str] | None = None) -> str:
    """Call the kernel; errors in `through` come after the question who asks."""
    arguments = [each.encode() if isinstance(each, str) else each for each in given]
    try:
        return f"{name}: {_call(name, *arguments)}"
    except OSError as error:
        if errno.errorcode[error.errno or 0] in (through or []):
            return f"{name}: {error.strerror}"
        raise


def device(path: str, major: int, minor: int) -> str:
    """Make a device, and use it."""
    os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(major, minor))
    try:
        os.close(os.open(path, os.O_RDONLY))
    finally:
        Path(path).unlink()
    return path


def unlimited(name: str) -> str:
    """Raise a limit of one's own."""
    what = getattr(resource, f"RLIMIT_{name.upper()}")
    most = resource.getrlimit(what)[1]
    resource.setrlimit(what, (most + 1, most + 1))
    return f"{name} {most + 1}"


def becoming(uid: int) -> str:
    """Be somebody else."""
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    return str(os.getuid())


def capable() -> str:
    """Have rights of root, or a way to come by them."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    status = dict(line.split(":\t", 1) for line in lines)
    held = [each for each in ("CapEff", "CapPrm", "CapBnd", "CapAmb") if int(status[each], 16)]
    if not held:
        raise Nothing
    return ", ".join(held)


KINDS: dict[str, Callable[..., str]] = {
    "address": address,
    "becoming": becoming,
    "by handle": by_handle,
    "bytes": raw_bytes,
    "call": calling,
    "capable": capable,
    "create": creating,
    "device": device,
    "everywhere": everywhere,
    "execute": executing,
    "family": family,
    "fill": filling,
    "free": freeing,
    "join": joining,
    "list": listing,
    "messages": messages,
    "open": opening,
    "out of a root": out_of_a_root,
    "proxy": proxied,
    "read": read,
    "semaphores": semaphores,
    "setuid": setuid_files,
    "shared memory": shared_memory,
    "signal": signalling,
    "slow": slowing,
    "take": taking,
    "tcp": tcp,
    "trace": tracing,
    "udp": udp,
    "unix": unix,
    "unlimited": unlimited,
    "watch": watching,
}


def attempt(entry: dict[str, Any], *, own: bool) -> dict[str, Any]:
    """Make one in a process of its own; what it got, or why it got nothing.

    With `own`, those that are marked so are made by the root of new namespaces.
    """
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            signal.alarm(_SECONDS)
            answer = _answer(entry, own=own and entry.get("own", False))
            os.write(theirs, json.dumps(answer).encode())
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as file:
        said = file.read()
    os.waitpid(child, 0)
    answer = json.loads(said) if said else {"got": None, "why": "no answer"}
    return {"name": entry["name"], **answer}


def _answer(entry: dict[str, Any], *, own: bool) -> dict[str, Any]:
    arguments = entry.get("with", {})
    try:
        if own:
            _own_namespaces()
        positional = entry.get("arguments", [])
        return {"got": KINDS[entry["kind"]](*positional, **arguments), "why": ""}
    except OSError as error:
        return {"got": None, "why": error.strerror or str(error)}
    except (Nothing, ValueError) as error:
        return {"got": None, "why": str(error) or "nothing"}


def _own_namespaces() -> None:
    uid, gid = os.getuid(), os.getgid()
    _call("unshare", _NEW_NAMESPACES)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"0 {uid} 1"),
        ("gid_map", f"0 {gid} 1"),
    ):
        Path(f"/proc/self/{name}").write_text(text, encoding="ascii")
