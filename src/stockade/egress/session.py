"""A session's way out: its rules, its listener, its connections and what went through them."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any

from stockade.egress import names, upstream
from stockade.egress.control import Control
from stockade.egress.dialling import dial
from stockade.egress.failures import Failure
from stockade.egress.limits import (
    CONNECTIONS,
    CONNECTIONS_A_SECOND,
    DENIALS,
    DENIALS_A_SECOND,
)
from stockade.egress.machine import Own
from stockade.egress.pace import Pace
from stockade.egress.pool import Pool
from stockade.egress.protocol import Counters, Failed, Rules, Verdict
from stockade.egress.resolver import Memory, Resolver
from stockade.egress.rules import Judge, Target
from stockade.egress.storms import Storm
from stockade.egress.streams import Stream
from stockade.errors import EgressDenied

__all__ = ["Route", "Session", "Surroundings"]

_AT_ONCE = 32
"""Connections that are taken before anything else is looked at."""


@dataclass
class Surroundings:
    """What all sessions share: no connection and no answer of a name server."""

    control: Control
    resolver: Resolver
    own: Own
    begin: Callable[[Session, Stream], asyncio.Task[None]]
    """Starts to serve a connection."""
    run: Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]
    """Does something beside."""
    room: int
    """How many connections of clients there may be in all."""


@dataclass(frozen=True)
class Route:
    """A target that was judged, and the addresses that may be dialled for it."""

    target: Target
    addresses: tuple[str, ...]
    """None where the session's proxy looks it up: an exception's name."""


class Session:
    """One session. Whatever it is asked for is judged here before anything is dialled."""

    def __init__(self, name: str, rules: Rules, around: Surroundings) -> None:
        self.name = name
        self.upstream = rules.upstream
        self.requests = self.denied = self.off_list = self.sent = self.received = 0
        self.pool = Pool()
        self._label = rules.label
        self._around = around
        self._judge = Judge(rules, around.own)
        self._memory = Memory()
        self._storm = Storm(around.control.tell)
        self._streams: set[Stream] = set()
        self._clients: dict[Stream, asyncio.Task[None]] = {}
        self._denials = Pace(DENIALS, DENIALS_A_SECOND)
        self._arrivals = Pace(CONNECTIONS, CONNECTIONS_A_SECOND)
        self._listener: socket.socket | None = None
        self._waiting: asyncio.TimerHandle | None = None
        self._place: tuple[str, int] | None = None

    # --- its life -------------------------------------------------------------------------------

    def open(self, listener: socket.socket, *, elsewhere: bool = False) -> None:
        """Take connections from a socket, wherever that was made."""
        if listener.family != socket.AF_UNIX and not elsewhere:
            host, port = listener.getsockname()[:2]
            self._place = (host, port)
            self._around.own.add(host, port)
        self._listener = listener
        asyncio.get_running_loop().add_reader(listener, self._accept, listener)

    def close(self) -> None:
        """End it with every connection."""
        self._storm.settle()
        if self._waiting is not None:
            self._waiting.cancel()
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._listener.close()
            self._listener = None
        if self._place is not None:
            self._around.own.remove(*self._place)
            self._place = None
        for stream in tuple(self._streams):
            stream.abort()

    def admit(self, origins: tuple[str, ...]) -> None:
        """Let these through beyond the lists, and no others."""
        self._judge.admit(origins)

    def sweep(self, now: float) -> None:
        """Cut off whoever let their time pass, and tell of what was held back."""
        for stream in tuple(self._streams):
            if stream.deadline < now:
                stream.abort()
        self._storm.settle()

    @property
    def counters(self) -> Counters:
        """What went through so far."""
        self._storm.settle()
        return Counters(
            self.name, self.requests, self.denied, self.off_list, self.sent, self.received
        )

    def count_sent(self, size: int) -> None:
        """So many bytes went to a server."""
        self.sent += size

    def count_received(self, size: int) -> None:
        """So many bytes came from a server."""
        self.received += size

    # --- its connections ------------------------------------------------------------------------

    def _accept(self, listener: socket.socket) -> None:
        """Let in who waits, unless there have been too many: they wait where they are."""
        loop = asyncio.get_running_loop()
        for _ in range(_AT_ONCE):
            try:
                client, _ = listener.accept()
            except OSError:
                # Nobody is left, or there is no descriptor for them.
                return
            self._around.run(self._let_in(client))
            if wait := self._arrivals.take():
                loop.remove_reader(listener)
                self._waiting = loop.call_later(
                    wait, loop.add_reader, listener, self._accept, listener
                )
                return

    async def _let_in(self, client: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        try:
            client.settimeout(0)
            await loop.connect_accepted_socket(self._client, client)
        except OSError:
            client.close()

    def _client(self) -> Stream:
        return Stream(self._came, self._went)

    def _came(self, stream: Stream) -> None:
        closed = self._listener is None
        if closed or len(self._clients) >= CONNECTIONS or self._around.room <= 0:
            stream.abort()
            return
        self._around.room -= 1
        self._streams.add(stream)
        self._clients[stream] = self._around.begin(self, stream)

    def _went(self, stream: Stream) -> None:
        self._streams.discard(stream)
        task = self._clients.pop(stream, None)
        if task is not None:
            self._around.room += 1
            task.cancel()

    def _made(self) -> Stream:
        return Stream(self._streams.add, self._streams.discard)

    # --- judging --------------------------------------------------------------------------------

    async def route(self, target: Target, method: str) -> Route:
        """The way to a target; `EgressDenied` where there may be none."""
        self._judge.check(target)
        addresses = await self._addresses(target)
        self._judge.check_addresses(target, addresses)
        if self._judge.off_list(target):
            self.off_list += 1
            self._note(target, method, None)
        return Route(target, addresses)

    def check(self, target: Target) -> None:
        """Judge a tunnel once more, now that its scheme is known."""
        self._judge.check(target)

    async def _addresses(self, target: Target) -> tuple[str, ...]:
        if target.numeric:
            return (target.host,)
        if names.is_localhost(target.host):
            return names.LOCALHOST
        excepted = self._judge.excepted(target)
        if self.upstream is not None and excepted:
            return ()
        try:
            found = await self._around.resolver.look_up(target.host, self._memory)
        except Failure as failure:
            if self.upstream is None:
                raise
            raise EgressDenied(
                f"{failure.reason}, so where the session's proxy would go cannot be judged",
                hint="If it is meant to be reached, the operator can allow it: "
                f"`stockade serve --allow {target.place}`.",
                rule="resolve",
            ) from None
        for alias in () if excepted else found.names:
            if why := names.why_denied(alias):
                raise EgressDenied(
                    f"{target.host} is an alias of {alias}, which {why}",
                    hint="If it is meant to be reached, the operator can allow it: "
                    f"`stockade serve --allow {target.place}`.",
                    rule="name",
                )
        return found.addresses

    async def deny(self, target: Target | None, method: str, denied: EgressDenied) -> None:
        """Tell the server of a denial; when this is over, the client may learn of it."""
        self.denied += 1
        if target is not None and self._judge.off_list(target):
            self.off_list += 1
        self._note(target, method, denied)
        await self._around.control.told()
        await self._denials.next()

    def _note(self, target: Target | None, method: str, denied: EgressDenied | None) -> None:
        self._storm.note(
            Verdict(
                session=self.name,
                denied=denied is not None,
                off_list=target is not None and self._judge.off_list(target),
                rule="admitted" if denied is None else denied.details["rule"],
                reason="it was admitted beyond the lists" if denied is None else denied.message,
                remedy="" if denied is None else denied.hint,
                origin="null" if target is None else target.origin,
                host="" if target is None else target.host,
                port=0 if target is None else target.port,
                method=method,
                label=self._label,
                address="" if denied is None else denied.details.get("address", ""),
            )
        )

    async def fail(self, target: Target, failure: Failure) -> None:
        """Tell the server why something that was allowed came to nothing."""
        self._around.control.tell(
            Failed(
                self.name,
                failure.kind,
                failure.reason,
                target.origin,
                target.host,
                target.port,
                self._label,
            )
        )
        await self._around.control.told()
        await self._denials.next()

    # --- dialling -------------------------------------------------------------------------------

    def keys(self, route: Route) -> list[Hashable]:
        """What connections to that target are kept under."""
        if self.upstream is None:
            return [(address, route.target.port) for address in route.addresses]
        return ["upstream" if self.upstream.by_http else route.target.place]

    async def dial(self, route: Route, *, tunnel: bool) -> tuple[Stream, Hashable]:
        """A connection to a judged address, or through the session's proxy; and its key.

        A plain request is handed to an HTTP proxy as it is; whatever else needs a tunnel.
        """
        if self.upstream is None:
            stream, address = await dial(route.addresses, route.target.port, self._made)
            return stream, (address, route.target.port)
        secure = self.upstream.kind == "https"
        stream = await self._dial_upstream(self.upstream.host, self.upstream.port, secure=secure)
        if tunnel or not self.upstream.by_http:
            try:
                await upstream.through(stream, self.upstream, route.target)
            except BaseException:
                stream.abort()
                raise
        return stream, self.keys(route)[0]

    async def _dial_upstream(self, host: str, port: int, *, secure: bool) -> Stream:
        """The operator named it: it is looked up, and not judged."""
        found = Target.of_tunnel(f"[{host}]" if ":" in host else host, port)
        if found.numeric:
            addresses: tuple[str, ...] = (found.host,)
        elif names.is_localhost(found.host):
            addresses = names.LOCALHOST
        else:
            addresses = (await self._around.resolver.look_up(found.host, self._memory)).addresses
        try:
            tls = found.host if secure else ""
            return (await dial(addresses, port, self._made, tls=tls))[0]
        except Failure as failure:
            raise Failure("upstream", f"the session's proxy: {failure.reason}") from None
