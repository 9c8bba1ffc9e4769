"""Chromium's own sandbox, seen from outside: whether the renderers below a process have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Renderers", "renderers"]

_SECCOMP_FILTER = "2"
_OURS_ALONE = 1


@dataclass(frozen=True)
class Renderers:
    """What was found."""

    count: int = 0
    fault: str = ""
    """What is missing around one of them."""


def renderers(pid: int, among: Iterable[int] = (), proc: Path = Path("/proc")) -> Renderers:
    """Look at the renderers that descend from `pid`; one that ends meanwhile is none.

    Where it is known that all of them are `among` some processes, no others are looked at.
    """
    ours, count = _user_namespace(proc / "self"), 0
    for process in [proc / str(each) for each in among] or _below(pid, proc):
        if b"--type=renderer" not in _command(process):
            continue
        status = _status(process)
        if not status or status.get("State", "Z").startswith(("Z", "X")):
            continue
        count += 1
        if status.get("Seccomp") != _SECCOMP_FILTER:
            return Renderers(count, "a renderer runs without a seccomp filter")
        shared = len(status.get("NSpid", "").split()) <= _OURS_ALONE
        if shared and _user_namespace(process) == ours:
            return Renderers(count, "a renderer shares our namespaces")
    return Renderers(count)


def _below(pid: int, proc: Path) -> Iterator[Path]:
    """The processes that descend from `pid`."""
    parents = {}
    for entry in proc.iterdir():
        if entry.name.isdigit() and (parent := _status(entry).get("PPid")):
            parents[int(entry.name)] = int(parent)
    for each in parents:
        above = each
        while above in parents and above != pid:
            above = parents[above]
        if above == pid and each != pid:
            yield proc / str(each)


def _status(process: Path) -> dict[str, str]:
    try:
        lines = (process / "status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def _user_namespace(process: Path) -> str:
    try:
        return str((process / "ns" / "user").readlink())
    except OSError:
        return ""
