"""Joining a running server: bytes from our client to its socket, and back.

A client starts one of these per conversation, so it imports next to nothing.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import Mapping, Sequence
from enum import Enum, auto
from pathlib import Path

from stockade.surfaces.mcp.address import short
from stockade.surfaces.mcp.wire import Wire

__all__ = ["join"]

_STARTING_SECONDS = 5.0
"""How long a server that holds the workspace may take until it listens."""
_STEP = 0.05
_LEAVING_SECONDS = 10.0
_LONGEST_ANSWER = 1 << 16


class _End(Enum):
    SOURCE = auto()
    SINK = auto()


async def join(socket_path: Path, wishes: Mapping[str, Sequence[str]]) -> int:
    """Connect our standard streams to a server; the answer is the exit code.

    `wishes` are toolsets, and what the server's policy is to be narrowed to.
    It is 0 when our client has left, and 1 with a line on the error stream when the server has,
    or would not have us.
    """
    try:
        connection = await _connected(socket_path)
    except OSError as error:
        return _failed(f"the server cannot be reached: {error.strerror or error}")
    with connection:
        server = Wire(connection.fileno(), connection.fileno())
        refusal = await _refusal(server, wishes)
        if refusal is not None:
            return _failed(refusal)
        return await _pump(Wire(0, 1), server)


def _failed(reason: str) -> int:
    print(f"stockade mcp: {reason}", file=sys.stderr)  # noqa: T201
    return 1


async def _connected(path: Path) -> socket.socket:
    loop = asyncio.get_running_loop()
    patience = loop.time() + _STARTING_SECONDS
    while True:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.setblocking(False)  # noqa: FBT003
        try:
            with short(path) as address:
                await loop.sock_connect(connection, address)
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            if loop.time() > patience:
                raise
            await asyncio.sleep(_STEP)
        except BaseException:
            connection.close()
            raise
        else:
            return connection


async def _refusal(server: Wire, wishes: Mapping[str, Sequence[str]]) -> str | None:
    """Say hello; why the server does not want us, if it does not."""
    hello = {"stockade": 1, **{name: list(wanted) for name, wanted in wishes.items()}}
    try:
        await server.write(json.dumps(hello).encode() + b"\n")
        answer = json.loads(await server.read_line(_LONGEST_ANSWER) or b"")
    except (OSError, ValueError):
        return "the server went away before it answered"
    if not isinstance(answer, dict):
        return "the server's answer makes no sense"
    if answer.get("ok") is True:
        for note in answer.get("notes", ()):
            print(f"stockade mcp: {note}", file=sys.stderr)  # noqa: T201
        return None
    return " ".join(str(answer[name]) for name in ("error", "hint") if answer.get(name))


async def _pump(client: Wire, server: Wire) -> int:
    async with asyncio.TaskGroup() as group:
        up = group.create_task(_copy(client, server))
        down = group.create_task(_copy(server, client))
        await asyncio.wait([up, down], return_when=asyncio.FIRST_COMPLETED)
        left = up.done() and up.result() is _End.SOURCE
        if left:
            server.end()
            await _last_answers(down, client)
        elif down.done():
            left = down.result() is _End.SINK
        up.cancel()
        down.cancel()
    return 0 if left else _failed("the server has gone away")


async def _copy(source: Wire, sink: Wire) -> _End:
    """Pass on what comes, until there is no more of it or nobody wants it."""
    while data := await source.read():
        try:
            await sink.write(data)
        except OSError:
            return _End.SINK
    return _End.SOURCE


async def _last_answers(down: asyncio.Task[_End], client: Wire) -> None:
    """Our client has no more to say, but may still be listening."""
    loop = asyncio.get_running_loop()
    patience = loop.time() + _LEAVING_SECONDS
    while not down.done() and not client.gone and loop.time() < patience:
        await asyncio.wait([down], timeout=2 * _STEP)
