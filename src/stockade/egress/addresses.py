"""Addresses: which of them belong to the public Internet.

The table is ours, since what the standard library says of an address changed from one Python to the
next. It allows rather than denies: of IPv6 the block that is given out for the Internet, of IPv4
what is unicast, both without anything in the registries of special addresses.
"""

from __future__ import annotations

import socket

__all__ = ["embedded", "is_loopback", "packed", "text_of", "why_not_public"]

_V4_LENGTH = 4

_SPECIAL_V4 = (
    ("0.0.0.0", 8, "means this machine"),  # noqa: S104 - nothing is bound to it
    ("10.0.0.0", 8, "is private"),
    ("100.64.0.0", 10, "is shared within a provider's network"),
    ("127.0.0.0", 8, "is this machine"),
    ("168.63.129.16", 32, "is a cloud's own service for its machines"),
    ("169.254.0.0", 16, "is link-local, where clouds keep their metadata"),
    ("172.16.0.0", 12, "is private"),
    ("192.0.0.0", 24, "is reserved for protocols"),
    ("192.0.2.0", 24, "is for documentation"),
    ("192.31.196.0", 24, "is reserved for protocols"),
    ("192.52.193.0", 24, "is reserved for protocols"),
    ("192.88.99.0", 24, "is a relay between IPv4 and IPv6"),
    ("192.168.0.0", 16, "is private"),
    ("192.175.48.0", 24, "is reserved for protocols"),
    ("198.18.0.0", 15, "is for benchmarks"),
    ("198.51.100.0", 24, "is for documentation"),
    ("203.0.113.0", 24, "is for documentation"),
    ("224.0.0.0", 4, "is multicast"),
    ("240.0.0.0", 4, "is reserved"),
)
_SPECIAL_V6 = (
    ("::", 128, "means this machine"),
    ("::1", 128, "is this machine"),
    ("fc00::", 7, "is private"),
    ("fe80::", 10, "is link-local"),
    ("ff00::", 8, "is multicast"),
    ("::", 3, "is outside the public Internet"),
    ("2001::", 23, "is reserved for protocols and tunnels"),
    ("2001:db8::", 32, "is for documentation"),
    ("2002::", 16, "is a tunnel to an IPv4 address"),
    ("2620:4f:8000::", 48, "is reserved for protocols"),
    ("3fff::", 20, "is for documentation"),
    ("4000::", 2, "is outside the public Internet"),
    ("8000::", 1, "is outside the public Internet"),
)

_Range = tuple[int, int, str]


def _ranges(rows: tuple[tuple[str, int, str], ...], bits: int) -> tuple[_Range, ...]:
    found = []
    for network, prefix, why in rows:
        first = int.from_bytes(packed(network), "big")
        found.append((first, first + (1 << (bits - prefix)) - 1, why))
    return tuple(found)


def packed(address: str) -> bytes:
    """An address as its 4 or 16 bytes; `OSError` if it is none."""
    return socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)


def text_of(data: bytes) -> str:
    """4 or 16 bytes as an address in its one spelling."""
    return socket.inet_ntop(socket.AF_INET if len(data) == _V4_LENGTH else socket.AF_INET6, data)


_V4 = _ranges(_SPECIAL_V4, 32)
_V6 = _ranges(_SPECIAL_V6, 128)

_PREFIXED = (
    # Where an IPv4 address stands in an IPv6 address that begins so.
    (packed("::ffff:0:0")[:12], 12),
    (packed("::ffff:0:0:0")[:12], 12),
    (packed("64:ff9b::")[:12], 12),
    (packed("64:ff9b:1::")[:6], 12),
    (packed("2002::")[:2], 2),
    (bytes(12), 12),
)
_TEREDO = packed("2001::")[:4]
_ISATAP = (bytes.fromhex("00005efe"), bytes.fromhex("02005efe"))


def embedded(address: str) -> str:
    """The IPv4 address that an IPv6 address stands for, or leads to through a tunnel; or none."""
    data = packed(address)
    if len(data) == _V4_LENGTH or int.from_bytes(data, "big") <= 1:
        return ""
    if data[:4] == _TEREDO:
        return text_of(bytes(each ^ 0xFF for each in data[12:]))
    for prefix, place in _PREFIXED:
        if data.startswith(prefix):
            return text_of(data[place : place + 4])
    return text_of(data[12:]) if data[8:12] in _ISATAP else ""


def why_not_public(address: str) -> str:
    """What an address is instead of public; empty for one that is."""
    data = packed(address)
    value = int.from_bytes(data, "big")
    inner = embedded(address)
    if inner:
        # Even a public one: who is reached through a relay or tunnel, nobody can tell.
        what = why_not_public(inner) or "does not belong into such a form"
        return f"leads to {inner}, which {what}"
    table = _V4 if len(data) == _V4_LENGTH else _V6
    return next((why for first, last, why in table if first <= value <= last), "")


def is_loopback(address: str) -> bool:
    """Whether it means this machine by itself, in any of its forms."""
    data = packed(embedded(address) or address)
    if len(data) == _V4_LENGTH:
        return data[0] in {0, 127}
    return int.from_bytes(data, "big") <= 1
