"""Origin rules: which pages may be opened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from stockade.errors import InvalidArgument
from stockade.urls import WEB_SCHEMES, Address, is_public_suffix, parse

__all__ = ["OriginRule"]

_EXAMPLES = "Write example.com, https://example.com:8443 or *.example.com."


@dataclass(frozen=True)
class OriginRule:
    """An entry of an allow or block list.

    `example.com` means both web schemes and their usual ports; `https://example.com` that scheme
    alone; `example.com:8443` that port alone; `*.example.com` every host below it, not itself.
    """

    schemes: frozenset[str]
    host: str
    """As `Address.machine` spells it."""
    below: bool
    port: int | None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an entry; one that could never match, or that is not plain, is an error."""
        entry = text.strip()
        if not entry or not entry.isprintable() or " " in entry:
            raise _unusable("is empty or has blanks or invisible characters in it")
        scheme, divider, rest = entry.partition("://")
        schemes = frozenset({scheme.lower()}) if divider else WEB_SCHEMES
        if not schemes <= WEB_SCHEMES:
            raise _unusable("has a scheme that no page can be opened with", "Use http or https.")
        rest = (rest if divider else entry).removesuffix("/")
        if rest == "*":
            raise _unusable("means everything", "Leave the list empty to allow every origin.")
        if "@" in rest:
            raise _unusable("names a user", "Leave out everything before the host.")
        if not {"/", "\\", "?", "#"}.isdisjoint(rest):
            raise _unusable("is more than an origin", "Leave out everything after host and port.")
        below = rest.startswith("*.")
        address, port = _host_and_port(rest.removeprefix("*."))
        if below and address.numeric:
            raise _unusable("asks for names below a number", "Name the address alone.")
        return cls(schemes, address.machine, below, port)

    @property
    def text(self) -> str:
        """The rule in its one spelling, in ASCII, so that look-alikes show."""
        scheme = "".join(f"{each}://" for each in self.schemes) if len(self.schemes) == 1 else ""
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = f":{self.port}" if self.port is not None else ""
        return f"{scheme}{'*.' if self.below else ''}{host}{port}"

    @property
    def open_to_anyone(self) -> bool:
        """Whether anyone can get a host that it matches: `*.com`, `*.github.io`."""
        return self.below and is_public_suffix(self.host)

    def matches(self, address: Address, *, any_port: bool = False) -> bool:
        """Whether `address` is of this origin; a rule without a port may mean all of them."""
        if address.scheme not in self.schemes:
            return False
        host = address.machine
        if self.below:
            if address.numeric or not host.endswith(f".{self.host}"):
                return False
        elif host != self.host:
            return False
        if self.port is not None:
            return address.port == self.port
        return any_port or address.port == {"http": 80, "https": 443}[address.scheme]


def _host_and_port(text: str) -> tuple[Address, int | None]:
    """What a browser reads there, and the port if one is written."""
    if "*" in text:
        raise _unusable("has a wildcard in it", "A wildcard stands first, alone: *.example.com")
    if "%" in text:
        raise _unusable("has escapes in it", "Write the characters themselves.")
    if text.startswith("."):
        raise _unusable("begins with a dot", "For all hosts below one write *.example.com")
    try:
        address, secure = parse(f"http://{text}"), parse(f"https://{text}")
    except InvalidArgument:
        raise _unusable("is not an origin") from None
    if "" in address.machine.split("."):
        raise _unusable("has an empty part in its host")
    if address.numeric and ":" not in address.host and not text.startswith(address.host):
        raise _unusable(
            "is an address in an unusual form", "Write four decimal numbers, as in 192.0.2.7."
        )
    # Either scheme hides its own port, never the other's.
    port = address.port if address.port == secure.port else None
    if port == 0 or text.endswith(":"):
        raise _unusable("has no usable port", "Name one, or leave out the colon.")
    return address, port


def _unusable(why: str, hint: str = _EXAMPLES) -> InvalidArgument:
    return InvalidArgument(f"an origin rule {why}", hint=hint)
