"""The guard: who a request must be meant for and may come from, before anything is done with it.

A page in some browser can make requests to this server too. It can choose neither the Host header
nor the Origin header of them, and those two tell it from our own pages and from programs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import formatdate
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stockade.errors import BadRequest, BadSetting, Refused, StockadeError, WrongHost
from stockade.surfaces.answers import SAFE_HEADERS, refused

__all__ = ["Authority", "Guard", "Hosts"]

_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(?::([0-9]{1,5}))?")
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Authority:
    """A host and the port that is written after it, if one is."""

    host: str
    port: int | None

    @classmethod
    def parse(cls, text: str) -> Authority | None:
        """Read `name`, `name:port` or `[address]:port`; nothing else is one."""
        match = _AUTHORITY.fullmatch(text)
        if match is None:
            return None
        try:
            host = str(ip_address(match[1].strip("[]")))
        except ValueError:
            if match[1].startswith("["):
                return None
            host = match[1].lower()
        return cls(host, int(match[2]) if match[2] else None)


class Hosts:
    """The names this server goes by."""

    def __init__(self, bound: str, public: Sequence[str] = ()) -> None:
        self._bound = bound.lower()
        self._public = []
        for text in public:
            authority = Authority.parse(text)
            if authority is None:
                raise BadSetting(
                    "public_hosts holds something that is not a host name",
                    hint="Write names without a scheme: stockade.example.com or name:8443.",
                    setting="public_hosts",
                )
            self._public.append(authority)

    def are(self, named: Authority, local: tuple[str, int]) -> bool:
        """Whether a request that came in at `local` may call the server that."""
        if named.host in _LOOPBACK or self.are_public(named):
            # With any port: it may have been forwarded. No foreign page goes by these names.
            return True
        here = named.host in {self._bound, local[0].lower()} and not _is_everywhere(named.host)
        return here and (named.port or _PORTS["http"]) == local[1]

    def are_public(self, named: Authority) -> bool:
        """Whether it is one of the operator's own names."""
        return any(
            each.host == named.host and each.port in {None, named.port} for each in self._public
        )


def _is_everywhere(host: str) -> bool:
    return host in {"0.0.0.0", "::"}  # noqa: S104


class Guard:
    """Lets requests through that are meant for us and come from no foreign page."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, then pass on; every answer gets the headers that keep browsers strict."""

        async def hardened(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SAFE_HEADERS.items():
                    headers.setdefault(name, value)
                headers["date"] = formatdate(usegmt=True)
            await send(message)

        try:
            self._check(scope)
        except StockadeError as error:
            await refused(scope, error)(scope, receive, hardened)
            return
        await self._app(scope, receive, hardened)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        named = self._host(headers, scope["server"])
        origins = headers.getlist("origin")
        if origins and (len(origins) > 1 or not self._same_origin(origins[0], named)):
            raise Refused(
                "requests from other web pages are refused",
                hint="Programs send no Origin header; the console is at this server's own address.",
            )
        if headers.get("sec-fetch-site") in {"cross-site", "same-site"} and not _visit(
            scope["method"], headers
        ):
            raise Refused("requests from other web pages are refused")

    def _host(self, headers: Headers, local: tuple[str, int]) -> Authority:
        given = headers.getlist("host")
        named = Authority.parse(given[0]) if len(given) == 1 else None
        if named is None:
            raise BadRequest("a request has one Host header, with a name or an address")
        if not self._hosts.are(named, local):
            raise WrongHost(
                "this server does not go by the name in the Host header",
                hint="Use the address it printed at its start; the operator can add names with "
                "STOCKADE_PUBLIC_HOSTS.",
            )
        return named

    def _same_origin(self, origin: str, named: Authority) -> bool:
        scheme, divider, rest = origin.partition("://")
        theirs = Authority.parse(rest)
        if not divider or theirs is None or scheme not in _PORTS:
            return False
        if scheme == "https" and not self._hosts.are_public(named):
            return False
        default = _PORTS[scheme]
        return theirs.host == named.host and (theirs.port or default) == (named.port or default)


def _visit(method: str, headers: Headers) -> bool:
    """Whether a person follows a link to here."""
    return (
        method in {"GET", "HEAD"}
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
    )
