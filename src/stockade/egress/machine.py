"""This machine: which addresses are its own, and which of its ports are ours."""

from __future__ import annotations

import socket
from collections.abc import Iterable

from stockade.egress.addresses import embedded, is_loopback
from stockade.urls import parse

__all__ = ["Own", "is_local"]

_NOWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that no machine has."""


def is_local(address: str) -> bool:
    """Whether packets to that address stay on this machine; the kernel is asked each time."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
        if not _binds(family, _NOWHERE[family]):
            return True
    # Where anything can be bound, the route tells: a machine speaks to itself from that address.
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((address, 9))
        except OSError:
            return False
        return bool(probe.getsockname()[0] == address)


def _binds(family: socket.AddressFamily, address: str) -> bool:
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
        return True


class Own:
    """Our own listeners: the server's, and those of every session's way out."""

    def __init__(self, places: Iterable[str] = ()) -> None:
        self._places: dict[int, list[str]] = {}
        for place in places:
            found = parse(f"ws://{place}/")
            self.add(found.host, found.port or 0)

    def add(self, address: str, port: int) -> None:
        """Something of ours listens there."""
        self._places.setdefault(port, []).append(address)

    def remove(self, address: str, port: int) -> None:
        """It no longer does."""
        places = self._places.get(port, [])
        if address in places:
            places.remove(address)
        if not places:
            self._places.pop(port, None)

    def holds(self, address: str, port: int) -> bool:
        """Whether who dials that may reach us: any address of this machine counts."""
        places = self._places.get(port)
        if not places:
            return False
        inner = embedded(address) or address
        return address in places or inner in places or is_loopback(address) or is_local(address)
