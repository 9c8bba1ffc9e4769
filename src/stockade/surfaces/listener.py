"""The listener: a socket that is ours before anyone is told of it, and requests from it."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from ipaddress import ip_address
from typing import Any

from starlette.types import ASGIApp
from uvicorn import Config
from uvicorn.server import ServerState

from stockade.errors import BadSetting, SetupError
from stockade.surfaces.connection import Connection

__all__ = ["bind", "is_loopback", "prove", "serving", "url_of"]

_KEEP_ALIVE = 75
"""Seconds that an unused connection stays open: longer than clients keep theirs, or a request may
be on its way when it closes."""
_BACKLOG = 512
_PROOF_SECONDS = 30.0
_TURNS = 3
_LAST_SECONDS = 2.0
"""How long a call that was cancelled may take to end."""


async def bind(host: str, port: int, *, loopback_only: bool = False) -> socket.socket:
    """A socket that listens on that address; port 0 takes a free one."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise BadSetting(
            "host is not an address of this machine",
            hint="127.0.0.1 is for this machine alone, 0.0.0.0 for every network it is in.",
            setting="host",
        ) from None
    family, kind, protocol, _, address = min(found, key=lambda each: each[0] != socket.AF_INET)
    # Only where the protocol is known does asyncio send small answers at once.
    listener = socket.socket(family, kind, protocol)
    try:
        _listen(listener, address, loopback_only=loopback_only)
    except OSError as error:
        listener.close()
        raise _why_not(error, port) from None
    except BadSetting:
        listener.close()
        raise
    return listener


def _listen(listener: socket.socket, address: Any, *, loopback_only: bool) -> None:
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setblocking(False)  # noqa: FBT003
    listener.bind(address)
    if loopback_only and not is_loopback(listener):
        raise BadSetting(
            "without tokens the server listens on loopback addresses alone",
            hint="Leave out --no-auth, or listen on 127.0.0.1.",
            setting="host",
        )
    listener.listen(_BACKLOG)


def _why_not(error: OSError, port: int) -> SetupError:
    if error.errno == errno.EADDRINUSE:
        return SetupError(
            f"port {port} is in use",
            hint="Stop what listens there, or choose another port with --port; 0 takes a free one.",
            port=port,
        )
    if error.errno == errno.EACCES:
        return SetupError(
            f"port {port} is for root alone", hint="Choose one above 1023 with --port.", port=port
        )
    return BadSetting(
        f"the server cannot listen there: {error.strerror}",
        hint="Choose an address of this machine with --host.",
        setting="host",
    )


def is_loopback(listener: socket.socket) -> bool:
    """Whether only this machine can reach it."""
    return ip_address(listener.getsockname()[0]).is_loopback


def url_of(listener: socket.socket) -> str:
    """Where a client on this machine finds it."""
    host, port = listener.getsockname()[:2]
    address = ip_address(host)
    if address.is_unspecified:
        address = ip_address("127.0.0.1" if address.version == 4 else "::1")  # noqa: PLR2004
    return f"http://[{address}]:{port}" if ":" in str(address) else f"http://{address}:{port}"


@asynccontextmanager
async def serving(
    app: ASGIApp, listener: socket.socket, *, grace: float, hurry: asyncio.Event
) -> AsyncIterator[None]:
    """Answer requests within; afterwards those under way have `grace` seconds, or until `hurry`."""
    config = Config(
        app,
        lifespan="off",
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=_KEEP_ALIVE,
    )
    config.load()
    state = ServerState()
    # Started below: cancelled in the middle of its start, a server is never handed to us, and the
    # loop goes on listening on a descriptor that soon is somebody else's.
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(config, state, {}), sock=listener, backlog=_BACKLOG, start_serving=False
    )
    try:
        await server.start_serving()
        yield
    finally:
        # What was accepted a moment ago is a connection only in the next turns of the loop, and
        # asyncio loses it if the server is closed before.
        asyncio.get_running_loop().remove_reader(listener.fileno())
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        server.close()
        await _end(state, grace, hurry)


async def prove(url: str) -> None:
    """Ask the server how it is, as a client would: to listen is not yet to answer."""
    authority = url.removeprefix("http://")
    host, _, port = authority.rpartition(":")
    try:
        async with asyncio.timeout(_PROOF_SECONDS):
            reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
            try:
                writer.write(f"GET /health HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
                status = await reader.readline()
            finally:
                writer.close()
                await writer.wait_closed()
    except (OSError, TimeoutError):
        status = b""
    # One that says it is not well answers, too.
    if b" 200 " not in status and b" 503 " not in status:
        raise SetupError(
            "the server listens but does not answer", hint="See its log for what went wrong."
        )


async def _end(state: ServerState, grace: float, hurry: asyncio.Event) -> None:
    for connection in list(state.connections):
        connection.shutdown()
    under_way = set(state.tasks)
    if under_way:
        await _wait(under_way, grace, hurry)
    for task in under_way:
        task.cancel()
    if under_way:
        await asyncio.wait(under_way, timeout=_LAST_SECONDS)
    for connection in list(state.connections):
        connection.transport.close()


async def _wait(tasks: set[asyncio.Task[None]], grace: float, hurry: asyncio.Event) -> None:
    """Until they are done, or time is up, or nobody wants to wait."""
    async with asyncio.TaskGroup() as group:
        done = group.create_task(asyncio.wait(tasks))
        hurried = group.create_task(hurry.wait())
        await asyncio.wait({done, hurried}, timeout=grace, return_when=asyncio.FIRST_COMPLETED)
        done.cancel()
        hurried.cancel()
