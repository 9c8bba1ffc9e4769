"""Loopback: the ports of this machine that something listens on, for who develops what is there."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

__all__ = ["exceptions", "listening"]

_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
_LISTENS = "0A"
_NAMES = ("localhost", "127.0.0.1", "[::1]")


def listening(tables: Iterable[Path] = _TABLES) -> list[int]:
    """The ports that can be reached by way of loopback now."""
    found = set()
    for table in tables:
        try:
            rows = table.read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for row in rows:
            _, local, _, state = row.split()[:4]
            host, _, port = local.partition(":")
            if state == _LISTENS and _by_loopback(host):
                found.add(int(port, 16))
    return sorted(found)


def _by_loopback(host: str) -> bool:
    """Whether who asks loopback gets there; the kernel writes each four bytes the wrong way."""
    data = b"".join(bytes.fromhex(host[at : at + 8])[::-1] for at in range(0, len(host), 8))
    if len(data) == 4:  # noqa: PLR2004
        address: IPv4Address | IPv6Address = IPv4Address(data)
    else:
        address = IPv6Address(data)
        address = address.ipv4_mapped or address
    return address.is_loopback or address.is_unspecified


def exceptions(ports: Iterable[int]) -> list[str]:
    """What opens these ports to pages, whichever way they write loopback."""
    return [f"{name}:{port}" for port in ports for name in _NAMES]
