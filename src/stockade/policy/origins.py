"""Origin rules: which pages may be opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from stockade.errors import BadSetting, InvalidArgument
from stockade.urls import Address, parse

__all__ = ["OriginRule"]


@dataclass(frozen=True)
class OriginRule:
    """An entry of an allow or block list.

    `example.com` means both web schemes and their usual ports; `https://example.com` that scheme
    alone; `example.com:8443` that port alone; `*.example.com` every host below it, not itself.
    """

    text: str
    schemes: frozenset[str]
    host: str
    below: bool
    port: int | None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an entry; one that could never match is an error, not a rule."""
        entry = text.strip()
        written, divider, rest = entry.partition("://")
        schemes = frozenset({written.lower()}) if divider else frozenset({"http", "https"})
        if not schemes <= {"http", "https"}:
            raise BadSetting(f"{text[:80]!r}: only http and https pages can be opened")
        rest = rest if divider else entry
        below = rest.startswith("*.")
        try:
            address = parse(f"http://{rest.removeprefix('*.')}")
        except InvalidArgument:
            raise BadSetting(f"{text[:80]!r} is not an origin") from None
        if not address.host or "*" in address.host or "%2a" in address.host:
            raise BadSetting(
                f"{text[:80]!r} is not an origin", hint="A wildcard stands first: *.example.com"
            )
        if address.credentials or not address.href.endswith("/") or address.href.count("/") != 3:  # noqa: PLR2004
            raise BadSetting(f"{text[:80]!r} is more than an origin")
        tail = rest.rpartition("]")[2]
        port = int(tail.rpartition(":")[2]) if ":" in tail else None
        return cls(entry, schemes, address.host, below, port)

    def matches(self, address: Address, *, any_port: bool = False) -> bool:
        """Whether `address` is of this origin; a rule without a port may mean all of them."""
        if address.scheme not in self.schemes:
            return False
        host = address.host.removesuffix(".")
        if self.below:
            if not host.endswith(f".{self.host}"):
                return False
        elif host != self.host:
            return False
        if self.port is not None:
            return address.port == self.port
        return any_port or address.port == {"http": 80, "https": 443}[address.scheme]
