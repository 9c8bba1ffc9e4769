"""Addresses: the one place that takes a URL apart to decide something about it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from ipaddress import IPv6Address
from typing import TYPE_CHECKING

import ada_url

from stockade.errors import InvalidArgument

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

__all__ = [
    "WEB_SCHEMES",
    "Address",
    "absolute",
    "is_public_suffix",
    "origin_of",
    "parse",
    "registrable",
]

WEB_SCHEMES = frozenset({"http", "https"})
"""What a page can be opened with."""

_LONGEST = 65536
_LONGEST_HOST = 255
_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_WRAPPERS = frozenset({"blob", "filesystem", "view-source"})
"""Schemes whose addresses hold another address, that of whoever made them."""


@dataclass(frozen=True)
class Address:
    """A URL as a browser would read it."""

    href: str
    scheme: str
    host: str
    """Without brackets or port, in its ASCII form; empty for schemes without one."""
    port: int | None
    """The port that is meant, the scheme's own when none is written."""
    credentials: bool
    """Whether it carries a user name or password."""
    numeric: bool = False
    """Whether the host is an IP address rather than a name."""

    @property
    def origin(self) -> str:
        """Scheme, host and any unusual port; `null` where there is no such thing."""
        if self.scheme in _WRAPPERS:
            return _inner_origin(self.href)
        if self.scheme not in _DEFAULT_PORTS or not self.host:
            return "null"
        shown = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{shown}{port}"

    @property
    def machine(self) -> str:
        """The host as rules compare it: one spelling for names and numbers that mean the same."""
        if self.numeric and ":" in self.host:
            mapped = IPv6Address(self.host).ipv4_mapped
            return str(mapped) if mapped is not None else self.host
        return self.host.rstrip(".")


def parse(text: str) -> Address:
    """Read `text` as the URL standard says; what a browser would refuse is an error."""
    if len(text) > _LONGEST:
        raise InvalidArgument("the address is too long")
    try:
        url = ada_url.URL(text)
    except ValueError:
        raise _unusable() from None
    if len(url.href) > _LONGEST:
        raise InvalidArgument("the address is too long")
    scheme = url.protocol.removesuffix(":")
    numeric = url.host_type != ada_url.HostType.DEFAULT
    host = url.hostname[1:-1] if url.host_type == ada_url.HostType.IPV6 else url.hostname
    # Chromium spells an asterisk in a host otherwise than the standard, so that the two would not
    # mean the same; and a name that no resolver takes would only make long messages.
    if scheme in _DEFAULT_PORTS and ("*" in host or len(host) > _LONGEST_HOST):
        raise _unusable()
    return Address(
        href=url.href,
        scheme=scheme,
        host=host,
        port=int(url.port) if url.port else _DEFAULT_PORTS.get(scheme),
        credentials=bool(url.username or url.password),
        numeric=numeric,
    )


def absolute(text: str, base: str) -> str:
    """The address that `text` means in a document at `base`."""
    try:
        return str(ada_url.URL(text, base=base).href)
    except ValueError:
        raise _unusable() from None


def is_public_suffix(host: str) -> bool:
    """Whether anyone can get a name below `host`: `com`, `co.uk`, `github.io`."""
    return bool(_suffixes().is_public(host))


def registrable(host: str) -> str:
    """The part of a name that somebody registered: `example.co.uk` of `www.example.co.uk`.

    Empty for an address, a single word and an ending such as `co.uk`.
    """
    name = host.rstrip(".").lower()
    labels = name.split(".")
    if len(labels) == 1 or labels[-1].isdigit() or ":" in name:
        return ""
    known = _suffixes().privatesuffix(name)
    if known is None and not _suffixes().is_public(name):
        known = ".".join(labels[-2:])
    return str(known or "")


def _unusable() -> InvalidArgument:
    return InvalidArgument(
        "that is not an address a browser can open",
        hint="Write it in full, as in https://example.com/path.",
        reason="invalid-url",
    )


def _inner_origin(href: str) -> str:
    try:
        inner = parse(href.partition(":")[2])
    except InvalidArgument:
        return "null"
    return inner.origin if inner.scheme in WEB_SCHEMES else "null"


@cache
def _suffixes() -> PublicSuffixList:
    # The list takes 50 ms and 4 MB, and only a wildcard in an allow list needs it.
    from publicsuffixlist import PublicSuffixList  # noqa: PLC0415

    return PublicSuffixList(accept_unknown=False)


def origin_of(text: str) -> str:
    """The origin of an address; `null` where it has none, or is none."""
    try:
        return parse(text).origin
    except InvalidArgument:
        return "null"
