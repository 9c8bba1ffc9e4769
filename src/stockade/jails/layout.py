"""The layout of a jail: what of the machine its browser sees, and nothing else.

All of it is read-only but for what lies in memory, and that is limited in size.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

__all__ = ["DOWNLOADS", "HOME", "UPLOADS", "bubblewrap"]

HOME = Path("/tmp/home")  # noqa: S108  # in the jail's own tmpfs
DOWNLOADS = Path("/tmp/dl")  # noqa: S108
UPLOADS = Path("/tmp/up")  # noqa: S108

_UID = 1000
_SHARED_MEMORY = 256 << 20

_LIBRARIES = (
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
)
_DATA = (
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/usr/lib/locale/C.utf8",
    "/usr/share/fontconfig",
    "/usr/share/fonts",
    "/usr/share/glib-2.0",
    "/usr/share/mime",
    "/usr/share/zoneinfo",
    "/var/cache/fontconfig",
)
_LINKS = {"/bin": "usr/bin", "/lib": "usr/lib", "/lib64": "usr/lib64"}


def bubblewrap(
    program: Path, argv: Iterable[str], environment: Mapping[str, str], disk: int, command: Path
) -> list[str]:
    """The whole command line of a jail in which `command` runs."""
    chosen = [
        str(program),
        "--unshare-user",
        "--unshare-pid",
        "--unshare-ipc",
        "--unshare-uts",
        "--unshare-cgroup-try",
        *("--uid", str(_UID), "--gid", str(_UID)),
        "--die-with-parent",
        "--new-session",
        *("--hostname", "jail"),
        *("--cap-drop", "ALL"),
    ]
    for place in _seen(command):
        chosen += ("--ro-bind", place, place)
    for link, target in _LINKS.items():
        # Where it is a directory of its own it is bound as such.
        if Path(link).is_symlink():
            chosen += ("--symlink", target, link)
        elif Path(link).is_dir():
            chosen += ("--ro-bind", link, link)
    chosen += ("--proc", "/proc", "--dev", "/dev")
    chosen += ("--size", str(_SHARED_MEMORY), "--perms", "1777", "--tmpfs", "/dev/shm")  # noqa: S108
    chosen += ("--size", str(disk), "--perms", "0700", "--tmpfs", "/tmp")  # noqa: S108
    chosen += ("--perms", "0700", "--dir", str(HOME))
    chosen += ("--ro-bind", str(UPLOADS), str(UPLOADS), "--bind", str(DOWNLOADS), str(DOWNLOADS))
    chosen += ("--remount-ro", "/dev", "--remount-ro", "/", "--clearenv", "--chdir", str(HOME))
    for name, value in environment.items():
        chosen += ("--setenv", name, value)
    return [*chosen, "--", *argv]


def _seen(command: Path) -> list[str]:
    """What a browser needs of the machine, as far as it is there."""
    libraries = [place for place in _LIBRARIES if Path(place).is_dir()]
    if not any(place.endswith("-gnu") for place in libraries):
        libraries.append("/usr/lib")
    wanted = (*libraries, *_DATA, str(command.resolve().parent))
    return [place for place in dict.fromkeys(wanted) if Path(place).exists()]
