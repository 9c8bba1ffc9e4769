"""What the machine's own files say about names: `/etc/resolv.conf` and `/etc/hosts`."""

from __future__ import annotations

from pathlib import Path

from stockade.egress.addresses import packed, text_of

__all__ = ["File", "NameFiles", "hosts_of", "servers_of"]

_LARGEST = 4 << 20


class File:
    """A file that is read again whenever it has changed; one that is not there is empty."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[int, int, int] | None = None
        self._content = ""

    @property
    def content(self) -> str:
        """What it says now."""
        try:
            about = self._path.stat()
            seen = (about.st_mtime_ns, about.st_size, about.st_ino)
            if seen != self._seen:
                with self._path.open(encoding="utf-8", errors="replace") as file:
                    self._content = file.read(_LARGEST)
                self._seen = seen
        except OSError:
            self._seen, self._content = None, ""
        return self._content


class NameFiles:
    """What the two say together."""

    def __init__(
        self, hosts: Path = Path("/etc/hosts"), conf: Path = Path("/etc/resolv.conf")
    ) -> None:
        self._hosts = File(hosts)
        self._conf = File(conf)

    @property
    def content(self) -> tuple[str, str]:
        """What they say now."""
        return self._hosts.content, self._conf.content


def servers_of(text: str) -> tuple[str, ...]:
    """The name servers of a `resolv.conf`; this machine where it names none."""
    found = []
    for line in text.splitlines():
        words = line.split()
        if len(words) > 1 and words[0] == "nameserver" and _is_address(words[1]):
            found.append(words[1])
    return tuple(found[:3]) or ("127.0.0.1",)


def hosts_of(text: str) -> dict[str, tuple[str, ...]]:
    """The addresses of each name in a `hosts` file."""
    found: dict[str, tuple[str, ...]] = {}
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if len(words) > 1 and _is_address(words[0]):
            address = text_of(packed(words[0]))
            for name in words[1:]:
                plain = name.lower().rstrip(".")
                found[plain] = (*found.get(plain, ()), address)
    return found


def _is_address(text: str) -> bool:
    try:
        packed(text)
    except OSError:
        return False
    return True
