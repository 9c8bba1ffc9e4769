"""Confinement of the egress process: no rights, no files, and the calls of the kernel it needs.

What it parses comes from strangers. Whoever takes it over has its sockets and nothing else: an
empty root, no capabilities and no way to get any, and a seccomp filter that allows a list of calls.
It starts no process and opens no file.
"""

from __future__ import annotations

import ctypes
import errno
import os
import socket
import struct
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["confine"]

_NEW_USER = 0x10000000
_SET_SECCOMP, _BY_FILTER, _NO_NEW_PRIVILEGES, _DROP_BOUND = 22, 2, 38, 24
_CAPABILITY_VERSION = 0x20080522
_MOST_CAPABILITIES = 64

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _KILL, _REFUSE = 0x7FFF0000, 0x80000000, 0x00050000
_OTHER_NUMBERS = 0x40000000
_NUMBER_AT, _MACHINE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16

_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
"""By machine: its number, and its column in the tables."""
_SOCKET = (41, 198)
_SOCKET_PAIR = (53, 199)
_CALLS: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "fstat": (5, 80),
    "poll": (7, None),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "ioctl": (16, 29),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "select": (23, None),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "dup": (32, 23),
    "nanosleep": (35, 101),
    "getpid": (39, 172),
    "connect": (42, 203),
    "accept": (43, 202),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "shutdown": (48, 210),
    "bind": (49, 200),
    "listen": (50, 201),
    "getsockname": (51, 204),
    "getpeername": (52, 205),
    "setsockopt": (54, 208),
    "getsockopt": (55, 209),
    "exit": (60, 93),
    "uname": (63, 160),
    "fcntl": (72, 25),
    "gettimeofday": (96, 169),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "times": (100, 153),
    "getuid": (102, 174),
    "getgid": (104, 176),
    "geteuid": (107, 175),
    "getegid": (108, 177),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "time": (201, None),
    "futex": (202, 98),
    "sched_getaffinity": (204, 123),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "epoll_wait": (232, None),
    "epoll_ctl": (233, 21),
    "newfstatat": (262, 79),
    "pselect6": (270, 72),
    "ppoll": (271, 73),
    "set_robust_list": (273, 99),
    "epoll_pwait": (281, 22),
    "timerfd_create": (283, 85),
    "timerfd_settime": (286, 86),
    "timerfd_gettime": (287, 87),
    "accept4": (288, 242),
    "eventfd2": (290, 19),
    "epoll_create1": (291, 20),
    "dup3": (292, 24),
    "pipe2": (293, 59),
    "recvmmsg": (299, 243),
    "sendmmsg": (307, 269),
    "getcpu": (309, 168),
    "getrandom": (318, 278),
    "memfd_create": (319, 279),
    "membarrier": (324, 283),
    "rseq": (334, 293),
    "epoll_pwait2": (441, 441),
}
"""What it may call, by the numbers of each machine. None opens, runs or signals anything."""

_libc = ctypes.CDLL(None, use_errno=True)


def confine(uid: int | None) -> None:
    """Give up what is not needed; root becomes `uid`. Nothing can be read afterwards.

    Where neither root nor a user namespace is to be had, the root stays as it is, and the filter is
    what keeps files from being opened.
    """
    if sys.platform != "linux":
        _become(uid)
        return
    if os.geteuid() != 0:
        _enter_user_namespace()
    with suppress(PermissionError):
        _enter_empty_root()
    for number in range(_MOST_CAPABILITIES):
        # Those that the kernel does not know, or that a user namespace keeps.
        with suppress(OSError):
            _call("prctl", _DROP_BOUND, number, 0, 0, 0)
    _become(uid)
    _drop_capabilities()
    _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _filter_calls()


def _become(uid: int | None) -> None:
    if uid is not None and os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def _enter_empty_root() -> None:
    """Have a root in which nothing is and nothing can be made.

    It is a directory of `/proc` that belongs to a thread, and is empty once that has ended.
    """
    started, entered = threading.Event(), threading.Event()

    def stay() -> None:
        started.set()
        entered.wait()

    thread = threading.Thread(target=stay)
    thread.start()
    try:
        started.wait()
        os.chroot(f"/proc/self/task/{thread.native_id}/fdinfo")
        os.chdir("/")
    finally:
        entered.set()
        thread.join()


def _enter_user_namespace() -> None:
    """Where one may be made, an ordinary user may change its root in it."""
    uid, gid = os.getuid(), os.getgid()
    try:
        _call("unshare", _NEW_USER)
    except OSError:
        return
    maps = {"setgroups": "deny", "uid_map": f"{uid} {uid} 1", "gid_map": f"{gid} {gid} 1"}
    for name, text in maps.items():
        with suppress(OSError):
            Path(f"/proc/self/{name}").write_text(text, encoding="ascii")


def _drop_capabilities() -> None:
    head = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    _call("capset", head, bytes(24))


def _filter_calls() -> None:
    """Have the kernel refuse every call that is not on the list."""
    machine = os.uname().machine
    if machine not in _MACHINES:
        return
    number, column = _MACHINES[machine]
    allowed = [calls[column] for calls in _CALLS.values()]
    program = [
        (_LOAD, 0, 0, _MACHINE_AT),
        (_EQUAL, 1, 0, number),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 0, 1, _OTHER_NUMBERS),
        _refusal(errno.ENOSYS),
        *(each for call in allowed if call is not None for each in _permission(call)),
        *_of_family(_SOCKET[column], socket.AF_INET, socket.AF_INET6),
        *_of_family(_SOCKET_PAIR[column], socket.AF_UNIX),
        _refusal(errno.ENOSYS),
    ]
    code = b"".join(struct.pack("=HBBI", *each) for each in program)
    kept = ctypes.create_string_buffer(code, len(code))
    whole = struct.pack("@HP", len(program), ctypes.addressof(kept))
    _call("prctl", _SET_SECCOMP, _BY_FILTER, whole, 0, 0)


def _refusal(number: int) -> tuple[int, int, int, int]:
    return (_RETURN, 0, 0, _REFUSE | number)


def _permission(call: int) -> list[tuple[int, int, int, int]]:
    # Where to go is counted from the next instruction: where it is equal, and where it is not.
    return [(_EQUAL, 0, 1, call), (_RETURN, 0, 0, _ALLOW)]


def _of_family(call: int, *families: int) -> list[tuple[int, int, int, int]]:
    """Sockets of these families alone; what comes after it needs the number no more if it fits."""
    checks = [each for family in families for each in _permission(int(family))]
    body = [(_LOAD, 0, 0, _FIRST_ARGUMENT_AT), *checks, _refusal(errno.EAFNOSUPPORT)]
    return [(_EQUAL, 0, len(body), call), *body]


def _call(name: str, *arguments: Any) -> None:
    given = [ctypes.c_ulong(each) if isinstance(each, int) else each for each in arguments]
    if getattr(_libc, name)(*given) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
