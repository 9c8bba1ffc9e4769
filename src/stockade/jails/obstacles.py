"""Obstacles: what keeps a machine from making jails, and what to do about it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Facts", "Failure", "remedy"]

_SWITCHES = (
    "kernel/unprivileged_userns_clone",
    "kernel/apparmor_restrict_unprivileged_userns",
    "user/max_user_namespaces",
    "user/max_net_namespaces",
    "user/max_mnt_namespaces",
)
_FILTER = "2"
_CONTAINERS = ("/.dockerenv", "/run/.containerenv")

_SECCOMP = "docs/jails/seccomp.json"
_APPARMOR = "docs/jails/apparmor-stockade"
_ELSE = "See docs/jails.md for what a jail needs."
_WHAT = {
    "start": "the launcher does not start",
    "rights": "root may not become another user here",
    "namespaces": "no user, network and mount namespaces can be made",
    "identity": "a user namespace can be made, and nobody may be anybody in it",
    "loopback": "a network namespace can be made, and its loopback not raised",
    "listener": "nothing can listen in a network namespace",
    "mounts": "nothing can be mounted in a mount namespace",
    "folders": "no memory can be mounted as a folder in a mount namespace",
    "filter": "no system call can be kept from a jail",
    "bubblewrap": "bubblewrap makes no jail",
    "sandbox": "no user namespace can be made in a jail, and the browser's own sandbox needs one",
}


@dataclass(frozen=True)
class Facts:
    """What the kernel and whoever started us say about namespaces."""

    switches: Mapping[str, str] = field(default_factory=dict)
    """Settings of the kernel by their name, as far as it has them."""
    filtered: bool = False
    """Whether a seccomp filter is on us: a container's, or the service manager's."""
    profile: str = ""
    """The AppArmor profile that we run under, if any."""
    container: bool = False

    @classmethod
    def read(cls) -> Facts:
        """Those of this machine."""
        found = {each.replace("/", "."): _text(f"/proc/sys/{each}") for each in _SWITCHES}
        status = dict(line.split(":\t", 1) for line in _text("/proc/self/status").splitlines())
        profile = _text("/proc/self/attr/apparmor/current")
        return cls(
            switches={name: value for name, value in found.items() if value},
            filtered=status.get("Seccomp") == _FILTER,
            profile="" if profile == "unconfined" else profile.partition(" ")[0],
            container=any(Path(each).exists() for each in _CONTAINERS),
        )


@dataclass(frozen=True)
class Failure:
    """A step on the way to a jail that did not work."""

    step: str
    said: str
    number: int = 0
    """The error of the kernel, where it is known."""

    @classmethod
    def told(cls, step: str, said: str) -> Failure:
        """One of which only the text is known; it ends with that of the kernel."""
        known = (each for each in errno.errorcode if said.endswith(os.strerror(each)))
        return cls(step, said, next(known, 0))

    @property
    def reason(self) -> str:
        """In a sentence."""
        return f"{_WHAT.get(self.step, self.step)}: {self.said}"


def remedy(failure: Failure, facts: Facts) -> str:
    """What to do about it."""
    return next(_remedies(failure, facts), _ELSE)


def _remedies(failure: Failure, facts: Facts) -> Iterator[str]:
    """What fits, the surest first."""
    switches = facts.switches
    if failure.step == "rights":
        yield "Give root CAP_SETUID and CAP_SETGID, or run the server as an ordinary user."
    if failure.step in {"start", "listener"}:
        return
    if "Unknown option" in failure.said:
        yield "Install bubblewrap 0.8 or newer."
    if switches.get("kernel.unprivileged_userns_clone") == "0":
        yield "sysctl -w kernel.unprivileged_userns_clone=1"
    if failure.number == errno.ENOSPC:
        yield _room(switches)
    if switches.get("kernel.apparmor_restrict_unprivileged_userns") == "1":
        yield f"Install the AppArmor profile {_APPARMOR} (docs/jails.md says how)."
    if failure.number in {errno.EPERM, errno.EACCES}:
        yield _permission(failure, facts)
    if failure.step == "filter" and failure.number in {errno.EINVAL, errno.ENOSYS}:
        yield "Use a kernel with CONFIG_SECCOMP_FILTER, on x86_64 or aarch64."
    if failure.step == "namespaces" and failure.number in {errno.EINVAL, errno.ENOSYS}:
        yield "Use a kernel with CONFIG_USER_NS and CONFIG_NET_NS."


def _room(switches: Mapping[str, str]) -> str:
    """The kernel counts namespaces, and there are no more to be had."""
    closed = [name for name, value in switches.items() if name.startswith("user.") and value == "0"]
    if closed:
        return "sysctl -w " + " ".join(f"{name}=15000" for name in closed)
    return "Raise user.max_user_namespaces, user.max_net_namespaces or user.max_mnt_namespaces."


def _permission(failure: Failure, facts: Facts) -> str:
    if failure.step == "bubblewrap" and "mount proc" in failure.said:
        return (
            "Parts of /proc are hidden here: in Docker use --security-opt systempaths=unconfined, "
            "in Podman --security-opt unmask=ALL, in Kubernetes procMount: Unmasked."
        )
    profiled = failure.step != "namespaces" and facts.profile
    if facts.container:
        said = f"In Docker use --security-opt seccomp={_SECCOMP}"
        return f"{said} --security-opt apparmor=stockade." if profiled else f"{said}."
    if profiled:
        return f"The AppArmor profile {facts.profile} forbids it: see {_APPARMOR}."
    if facts.filtered:
        return (
            "A seccomp filter forbids it: in a container use "
            f"{_SECCOMP}, in a systemd unit no RestrictNamespaces= and SystemCallFilter=."
        )
    return f"Something forbids it that is none of the kernel's switches, as a chroot does. {_ELSE}"


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
