"""Outgoing: the way that everything of a session takes to the world, and what was refused on it."""

from __future__ import annotations

import asyncio
import re
import socket
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from stockade.config import Settings
from stockade.egress.gateway import Gateway, Way
from stockade.egress.protocol import Failed, Rules, Verdict
from stockade.engines.events import Request
from stockade.engines.values import Explained, Proxy
from stockade.errors import EgressDenied, InvalidArgument
from stockade.policy.policy import Policy
from stockade.sessions.ways_out import WayOut
from stockade.urls import Address, parse

__all__ = ["Exits", "Outgoing"]

_Place = tuple[str, int]
"""A host as rules compare it, and a port."""

_FRESH = 5.0
"""Seconds in which a failure is still the doing of a verdict that came before it."""
_MOST_PLACES = 500
_JAILED = "/jail"
_ELSEWHERE: _Place = ("", 0)
_FAILURES = {
    "name": "net::ERR_NAME_NOT_RESOLVED",
    "resolver": "net::ERR_NAME_RESOLUTION_FAILED",
    "refused": "net::ERR_CONNECTION_REFUSED",
    "unreachable": "net::ERR_ADDRESS_UNREACHABLE",
    "timeout": "net::ERR_CONNECTION_TIMED_OUT",
    "broken": "net::ERR_CONNECTION_CLOSED",
    "upstream": "net::ERR_PROXY_CONNECTION_FAILED",
}
"""What a browser would have said itself."""
_NOT_OURS = re.compile(r"ERR_(?:ABORTED|BLOCKED|CACHE|CERT|FILE|INVALID|UNSAFE|TOO_MANY)")
"""Failures that a browser comes to by itself."""


@dataclass(frozen=True)
class Exits:
    """What the ways of all sessions of a server have in common."""

    gateway: Gateway
    ports: tuple[int, ...] = ()
    exceptions: tuple[str, ...] = ()

    @classmethod
    def of(cls, gateway: Gateway, settings: Settings) -> Exits:
        """As the operator has set them."""
        return cls(gateway, settings.egress_ports, settings.egress_allow)

    def of_session(self, id: str, policy: Policy, way_out: WayOut | None) -> Outgoing:
        """The way of a session, which is opened when it is first needed."""
        rules = Rules(
            allowed=tuple(tuple(rule.text for rule in rules) for rules in policy.allowed),
            blocked=tuple(rule.text for rule in policy.blocked),
            ports=self.ports,
            exceptions=self.exceptions,
            upstream=way_out.upstream if way_out is not None else None,
        )
        return Outgoing(self.gateway, id, policy, rules)


@dataclass(frozen=True)
class _Heard:
    at: float
    said: Verdict | Failed


class Outgoing:
    """One session's way out."""

    def __init__(self, gateway: Gateway, session: str, policy: Policy, rules: Rules) -> None:
        self._gateway = gateway
        self._session = session
        self._policy = policy
        self._rules = rules
        self._ways: dict[str, Way] = {}
        """The one of its browser where that is in a jail, and the one of everything else."""
        self._opening = asyncio.Lock()
        self._admitted: Counter[str] = Counter()
        self._last: dict[_Place, _Heard] = {}
        self._off_list: Counter[_Place] = Counter()
        self._closed = False

    # --- the way --------------------------------------------------------------------------------

    async def proxy(self, listener: socket.socket | None = None) -> Proxy:
        """What a browser, or another program of this session, is told to go through.

        With `listener`, what is in a network namespace of its own, where that listens.
        """
        async with self._opening:
            name = self._session if listener is None else f"{self._session}{_JAILED}"
            way = self._ways.get(name)
            if way is None or (listener is not None and way.listener is not listener):
                if way is not None:
                    await way.close()
                way = await self._gateway.open(name, self._rules, self._hear, listener)
                self._ways[name] = way
                if self._admitted:
                    await way.admit(+self._admitted)
        return Proxy(way.address, self.explain)

    def inside(self, port: int) -> Proxy:
        """The way of a browser that is not there yet, in a jail where that port is it."""
        return Proxy(f"http://127.0.0.1:{port}", self.explain)

    async def admit(self, origin: str) -> None:
        """Let an origin through that is on no list, until it is withdrawn as often."""
        self._admitted[origin] += 1
        await self._tell()

    async def withdraw(self, origin: str) -> None:
        """Take back one admission."""
        if self._admitted[origin] > 0:
            self._admitted[origin] -= 1
            await self._tell()

    async def _tell(self) -> None:
        for way in self._ways.values():
            await way.admit(+self._admitted)

    async def close(self) -> None:
        """End it, with every connection on it."""
        async with self._opening:
            for way in self._ways.values():
                await way.close()

    # --- what was refused -----------------------------------------------------------------------

    def _hear(self, said: Verdict | Failed) -> None:
        place = said.host, said.port
        if isinstance(said, Failed) or said.denied:
            self._last.pop(place, None)
            self._last[place] = _Heard(asyncio.get_running_loop().time(), said)
            if len(self._last) > _MOST_PLACES:
                del self._last[next(iter(self._last))]
        if isinstance(said, Verdict) and said.off_list:
            self._off_list[place if len(self._off_list) < _MOST_PLACES else _ELSEWHERE] += (
                said.times
            )

    def explain(self, url: str, failure: str) -> Explained:
        """Why the browser did not get an address, where that was decided on the way."""
        said = None if _NOT_OURS.search(failure) else self._said(url)
        if said is None:
            return Explained(failure)
        if isinstance(said, Failed):
            return Explained(_FAILURES[said.kind])
        # Of a tunnel the process may not have known what it was to carry.
        address = _address(url)
        origin = address.origin if address is not None else said.origin
        reason = said.reason.replace(said.origin, origin)
        error = EgressDenied(
            f"{origin} was not reached: {reason}",
            hint=said.remedy.replace(said.origin, origin),
            rule=said.rule,
            origin=origin,
        )
        return Explained(f"{error.code}: {reason}", error)

    def refused(self, url: str) -> EgressDenied | None:
        """The refusal that a page at that address, which is not there, just met."""
        error = self.explain(url, "").error
        return error if isinstance(error, EgressDenied) else None

    def _said(self, url: str) -> Verdict | Failed | None:
        place = _place(url)
        if place is None:
            return None
        self._catch_up()
        heard = self._last.get(place)
        if heard is None or asyncio.get_running_loop().time() - heard.at > _FRESH:
            return None
        return heard.said

    def _catch_up(self) -> None:
        for way in self._ways.values():
            way.catch_up()

    def off_list(self, requests: Iterable[Request]) -> int | None:
        """How many attempts went to origins on no allow list, since somebody last asked.

        `requests` are those that a tab tells of; what no tab tells of is known from the way.
        """
        if not self._policy.allowed:
            return None
        self._catch_up()
        told, self._off_list = self._off_list, Counter()
        seen = Counter(
            place
            for each in requests
            if (address := _address(each.url)) is not None
            and (place := _place(each.url)) is not None
            and not self._listed(address)
        )
        # A browser may try a place more often than it is asked to.
        return sum({**told, **seen}.values())

    def _listed(self, address: Address) -> bool:
        return all(any(rule.matches(address) for rule in rules) for rules in self._policy.allowed)


def _address(url: str) -> Address | None:
    """An address that is asked for over the net; a WebSocket's as rules see it."""
    scheme, colon, rest = url.partition(":")
    web = {"ws": "http", "wss": "https"}.get(scheme, scheme)
    if web not in {"http", "https"}:
        return None
    try:
        return parse(f"{web}{colon}{rest}")
    except InvalidArgument:
        return None


def _place(url: str) -> _Place | None:
    address = _address(url)
    return (address.machine, address.port) if address is not None and address.port else None
