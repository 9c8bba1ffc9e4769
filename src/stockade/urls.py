"""Addresses: the one place that takes a URL apart to decide something about it."""

from __future__ import annotations

from dataclasses import dataclass

import ada_url

from stockade.errors import InvalidArgument

__all__ = ["Address", "parse"]

_LONGEST = 65536
_DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}


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

    @property
    def origin(self) -> str:
        """Scheme, host and any unusual port; `null` where there is no such thing."""
        if self.scheme not in _DEFAULT_PORTS or not self.host:
            return "null"
        shown = f"[{self.host}]" if ":" in self.host else self.host
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{shown}{port}"


def parse(text: str) -> Address:
    """Read `text` as the URL standard says; what a browser would refuse is an error."""
    if len(text) > _LONGEST:
        raise InvalidArgument("the address is too long")
    try:
        url = ada_url.URL(text)
    except ValueError:
        raise InvalidArgument(
            "that is not an address a browser can open",
            hint="Write it in full, as in https://example.com/path.",
        ) from None
    scheme = url.protocol.removesuffix(":")
    port = int(url.port) if url.port else _DEFAULT_PORTS.get(scheme)
    host = url.hostname.removeprefix("[").removesuffix("]")
    return Address(url.href, scheme, host, port, bool(url.username or url.password))
