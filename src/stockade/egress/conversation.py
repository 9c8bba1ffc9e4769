"""A conversation with a client: each of its requests judged, then passed on."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Literal

from stockade.egress import tunnels, upstream
from stockade.egress.exchange import Exchange, Unanswered
from stockade.egress.failures import Failure
from stockade.egress.framing import BadBody
from stockade.egress.heads import Malformed, Request, end_of_request
from stockade.egress.limits import UNUSED_SECONDS
from stockade.egress.rules import Target
from stockade.egress.session import Route, Session
from stockade.egress.streams import Gone, Stream
from stockade.errors import EgressDenied, InvalidArgument

__all__ = ["Conversation"]

_AUTHORITY = re.compile(rb"([0-9A-Za-z._~-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})")
_LARGEST_PORT = 65535


def _answer(status: str, lengths: str) -> bytes:
    return f"HTTP/1.1 {status}\r\n{lengths}Connection: close\r\n\r\n".encode()


_EMPTY = "Content-Length: 0\r\n"
_CONTRADICTION = "Content-Length: 0\r\nContent-Length: 1\r\n"
"""Browsers take this for a network error. Where a connection just ends they ask again, and
anything else could pass for a page."""
_BAD = _answer("400 Bad Request", _EMPTY)
_FORBIDDEN = "403 Forbidden"
_UNREACHABLE = "502 Bad Gateway"
_CONNECTED = b"HTTP/1.1 200 Connection established\r\n\r\n"


class Conversation:
    """One connection of a client, from its first request to its last."""

    def __init__(self, session: Session, client: Stream) -> None:
        self._session = session
        self._client = client
        self._method = ""
        self._target: Target | None = None
        self._stage: Literal["page", "connect", "tunnel"] = "page"

    async def run(self) -> None:
        """Serve it to its end; nothing that happens to it concerns anyone else."""
        try:
            while await self._next():
                self._method, self._target = "", None
            self._client.close()
        except (Malformed, BadBody) as malformed:
            await self._refuse(
                EgressDenied(str(malformed), hint="No browser sends such a thing.", rule="syntax")
            )
        except EgressDenied as denied:
            await self._refuse(denied)
        except Failure as failure:
            if self._target is not None:
                await self._session.fail(self._target, failure)
            self._end(_UNREACHABLE)
        except (Gone, ValueError):
            self._client.abort()
        except Exception as error:  # noqa: BLE001 - one connection's fault is no other's
            sys.stderr.write(f"egress: {type(error).__name__} in a connection\n")
            self._client.abort()

    async def _refuse(self, denied: EgressDenied) -> None:
        """The server hears of it first."""
        await self._session.deny(self._target, self._method, denied)
        if denied.details["rule"] == "syntax":
            self._client.write(_BAD)
            self._client.close()
        else:
            self._end(_FORBIDDEN)

    def _end(self, status: str) -> None:
        """Within a tunnel only its end can be seen."""
        if self._stage != "tunnel":
            lengths = _EMPTY if self._stage == "connect" else _CONTRADICTION
            self._client.write(_answer(status, lengths))
        self._client.close()

    async def _next(self) -> bool:
        end = await self._client.until(end_of_request, UNUSED_SECONDS)
        if end is None:
            return False
        self._session.requests += 1
        request = Request.parse(self._client.take(end))
        self._method = request.method
        if request.method == "CONNECT":
            await self._tunnel(request)
            return False
        authority, path = request.absolute()
        target = self._target = _target(lambda: Target.of_page(authority))
        route = await self._session.route(target, request.method)
        return await self._page(request, path, route)

    # --- plain requests -------------------------------------------------------------------------

    async def _page(self, request: Request, path: bytes, route: Route) -> bool:
        """Pass on a request and its answer; whether the client may go on with another."""
        origin = route.target.origin
        host = origin.partition("://")[2]
        proxy = self._session.upstream
        if proxy is not None and proxy.by_http and not request.upgrade:
            head = request.written(origin.encode() + path, host, upstream.authorization(proxy))
        else:
            head = request.written(path, host)
        if request.repeatable:
            kept = self._session.pool.take(self._session.keys(route))
            if kept is not None:
                with suppress(Unanswered):
                    return await self._exchange(request, head, *kept)
        server, key = await self._session.dial(route, tunnel=request.upgrade)
        return await self._exchange(request, head, server, key)

    async def _exchange(self, request: Request, head: bytes, server: Stream, key: Hashable) -> bool:
        again = False
        try:
            again = await Exchange(self._session, self._client, server, request, head).run()
        finally:
            if again:
                self._session.pool.keep(key, server)
            else:
                server.abort()
        return again and not request.last

    # --- tunnels --------------------------------------------------------------------------------

    async def _tunnel(self, request: Request) -> None:
        """A tunnel is judged when it is asked for, and by what it begins with; then dialled."""
        found = _AUTHORITY.fullmatch(request.target)
        if found is None or request.framing is not None:
            raise Malformed("a tunnel leads to a host and a port")
        host, port = found[1].decode(), int(found[2])
        if not 0 < port <= _LARGEST_PORT:
            raise Malformed("that is no port")
        target = self._target = _target(lambda: Target.of_tunnel(host, port))
        self._stage = "connect"
        route = await self._session.route(target, request.method)
        self._stage = "tunnel"
        self._client.write(_CONNECTED)
        begun = await tunnels.opening(self._client, target)
        if begun is None:
            return
        scheme = "https" if isinstance(begun, str) else "http"
        target = self._target = target.known_as(scheme)
        self._session.check(target)
        if isinstance(begun, str):
            tunnels.check_name(target, begun)
            await self._relay(route)
        else:
            server, key = await self._session.dial(route, tunnel=True)
            head = begun.written(begun.target, target.origin.partition("://")[2])
            await self._exchange(begun, head, server, key)

    async def _relay(self, route: Route) -> None:
        server, _ = await self._session.dial(route, tunnel=True)
        try:
            await tunnels.relay(self._client, server, self._session)
            server.close()
        except BaseException:
            server.abort()
            raise


def _target(made: Callable[[], Target]) -> Target:
    try:
        return made()
    except InvalidArgument as error:
        raise Malformed(error.message) from None
