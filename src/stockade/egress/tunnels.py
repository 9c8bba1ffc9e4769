"""Tunnels: what a client wants to send through one, and the passing on of bytes."""

from __future__ import annotations

import asyncio

from stockade.egress.framing import Unframed
from stockade.egress.heads import Malformed, Request, end_of_request
from stockade.egress.hello import NotTls, server_name
from stockade.egress.limits import HEAD_SECONDS, HELLO_BYTES
from stockade.egress.rules import Target
from stockade.egress.session import Session
from stockade.egress.streams import Stream
from stockade.errors import EgressDenied

__all__ = ["check_name", "opening", "relay"]

_HANDSHAKE = 22
_GET = b"GET "
_REMEDY = "A tunnel carries TLS for the host it was asked for, or a WebSocket where the port is no "
_REMEDY += "TLS port; nothing else."


def _refused(reason: str) -> EgressDenied:
    """What a tunnel carries is not what it may."""
    return EgressDenied(reason, hint=_REMEDY, rule="tls")


async def opening(client: Stream, target: Target) -> Request | str | None:
    """What a client begins with: the request of a WebSocket, or the name that TLS asks for.

    `None` where it ended instead. Nothing is taken in the case of TLS: it all goes on.
    """
    found: int | str | None = await client.until(_recognised, HEAD_SECONDS)
    if not isinstance(found, int):
        return found
    try:
        request = Request.parse(client.take(found))
    except Malformed as malformed:
        raise _refused(str(malformed)) from None
    if not request.upgrade or not request.target.startswith(b"/"):
        raise _refused("a tunnel without TLS is for WebSockets alone")
    if not _same_place(request, target):
        raise _refused("the WebSocket is meant for another host than the tunnel")
    return request


def _recognised(buffer: bytearray) -> int | str | None:
    try:
        if buffer[0] == _HANDSHAKE:
            name = server_name(buffer)
            if name is None and len(buffer) > 2 * HELLO_BYTES:
                raise _refused("the ClientHello is too long")
            return name
        if not _GET.startswith(bytes(buffer[:4])) and not buffer.startswith(_GET):
            raise _refused("what comes through the tunnel is neither TLS nor a WebSocket")
        return end_of_request(buffer)
    except (NotTls, Malformed) as error:
        raise _refused(str(error)) from None


def check_name(target: Target, name: str) -> None:
    """The name that TLS asks for is the host of the tunnel; an address asks for none."""
    if name != ("" if target.numeric else target.host):
        asked = "another host than the tunnel" if name else "no host"
        raise _refused(f"TLS asks for {asked}")


def _same_place(request: Request, target: Target) -> bool:
    try:
        found = Target.of_page(request.all(b"host")[0].decode("ascii"))
    except (IndexError, ValueError):
        return False
    return (found.host, found.port) == (target.host, target.port)


async def relay(client: Stream, server: Stream, session: Session) -> None:
    """Pass on everything in both directions until both have ended."""
    up = client.pass_on(server, Unframed(), session.count_sent)
    down = server.pass_on(client, Unframed(), session.count_received)
    waiting = {up, down}
    while waiting:
        done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for each in done:
            each.result()
            (server if each is up else client).write_end()
