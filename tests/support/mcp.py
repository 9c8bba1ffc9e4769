"""Clients of the MCP surface, tools to try them with, and programs to start."""

from __future__ import annotations

import asyncio
import copy
import json
import os
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from stockade.kernel.arguments import Arguments
from stockade.kernel.call import Call
from stockade.kernel.dispatch import Kernel
from stockade.kernel.registry import Listed, Registry
from stockade.kernel.results import Link, Result
from stockade.kernel.tool import Tool, tool
from stockade.media.picture import Picture
from stockade.policy.principal import Principal
from stockade.surfaces.mcp.caller import Caller
from stockade.surfaces.mcp.connection import serve
from stockade.surfaces.mcp.http import McpEndpoint
from stockade.surfaces.mcp.wire import Wire
from tests.support.leaks import alive, descendants

ROOT = Path(__file__).parent.parent.parent
HANDSHAKE = "2025-11-25"
STATELESS = "2026-07-28"
CORE = frozenset({"core"})
_LONGEST = 64 * 1024 * 1024


def with_tools(kernel: Kernel, tools: Iterable[Tool]) -> Kernel:
    """The same kernel with other tools."""
    other = copy.copy(kernel)
    other.registry = Registry(map(Listed.of, tools))
    return other


class Nothing(Arguments):
    """No arguments."""


@dataclass
class Trial:
    """Tools that do what real ones seldom do, and what became of their calls."""

    began: asyncio.Event = field(default_factory=asyncio.Event)
    cleaned_up: asyncio.Event = field(default_factory=asyncio.Event)
    may_end: asyncio.Event = field(default_factory=asyncio.Event)

    def tools(self) -> list[Tool]:
        trial = self

        @tool(None, gives=dict, reach="server", structured=True)
        async def slow(call: Call, args: Nothing) -> dict[str, Any]:
            """Wait until told to end."""
            del call, args
            trial.began.set()
            try:
                await trial.may_end.wait()
            finally:
                # Several turns of the loop, in any of which an impatient scope could interrupt.
                for _ in range(5):
                    await asyncio.sleep(0)
                trial.cleaned_up.set()
            return {"ok": True}

        @tool(None, gives=dict, reach="server", reads=True)
        async def counting(call: Call, args: Nothing) -> dict[str, Any]:
            """Count to three."""
            del args
            for number in (1, 2, 3):
                await call.report(number, 3, f"at {number}")
            return {"ok": True}

        @tool(None, gives=dict, reach="server", structured=True)
        async def torn(call: Call, args: Nothing) -> dict[str, Any]:
            """Give back half a character."""
            del call, args
            return {"ok": True, "text": "a\ud800b"}

        @tool(None, gives=dict, reach="server", toolset="gallery")
        async def gallery(call: Call, args: Nothing) -> Result:
            """Give back a picture and a link."""
            del call, args
            return Result(
                data={"ok": True},
                images=(Picture(b"\x89PNG", "png"),),
                links=(Link("stockade://s/downloads/1", "a.csv", "text/csv", 12),),
            )

        return [slow, counting, torn, gallery]


# --- a client that speaks in lines --------------------------------------------------------------


class Speaker:
    """A client that can say anything, and expects one line for each thing it asked."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._numbers = count(1)

    async def say(self, line: bytes) -> None:
        """Send a line as it is."""
        self._writer.write(line + b"\n")
        await self._writer.drain()

    async def tell(self, method: str, **params: Any) -> None:
        """Send a notification."""
        await self.say(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    async def begin(self, method: str, **params: Any) -> int:
        """Send a request without waiting for its answer."""
        number = next(self._numbers)
        body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        await self.say(json.dumps(body).encode())
        return number

    async def hear(self) -> dict[str, Any]:
        """The next message from the server."""
        line = await self._reader.readline()
        assert line, "the connection has ended"
        message: dict[str, Any] = json.loads(line)
        return message

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request; the message that answers it."""
        number = await self.begin(method, **params)
        while True:
            message = await self.hear()
            if message.get("id") == number:
                return message

    async def shake_hands(self, version: str = HANDSHAKE) -> dict[str, Any]:
        """Begin as clients of the handshake era do."""
        about = {"name": "speaker", "version": "1"}
        answer = await self.ask(
            "initialize", protocolVersion=version, capabilities={}, clientInfo=about
        )
        await self.tell("notifications/initialized")
        result: dict[str, Any] = answer["result"]
        return result

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its result."""
        answer = await self.ask("tools/call", name=name, arguments=arguments)
        result: dict[str, Any] = answer["result"]
        return result

    def finish(self) -> None:
        """Say no more, but go on listening."""
        self._writer.write_eof()

    async def rest(self) -> list[dict[str, Any]]:
        """Everything that is still said, until the end."""
        lines = (await self._reader.read()).splitlines()
        return [json.loads(line) for line in lines]

    def hang_up(self) -> None:
        """Leave."""
        self._writer.close()


def stateless(**given: Any) -> dict[str, Any]:
    """Parameters of a request in the era without handshakes."""
    prefix = "io.modelcontextprotocol"
    meta = {f"{prefix}/protocolVersion": STATELESS, f"{prefix}/clientCapabilities": {}}
    return {**given, "_meta": meta}


@asynccontextmanager
async def speaking(kernel: Kernel, caller: Caller) -> AsyncIterator[Speaker]:
    """A client on one end of a socket, the surface on the other."""
    ours, theirs = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=ours, limit=_LONGEST)
    with theirs:
        wire = Wire(theirs.fileno(), theirs.fileno())
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(serve(kernel, caller, wire))
            serving.add_done_callback(lambda _: theirs.shutdown(socket.SHUT_RDWR))
            try:
                yield Speaker(reader, writer)
            finally:
                writer.close()
    await writer.wait_closed()


# --- programs -----------------------------------------------------------------------------------


def program(*arguments: str) -> list[str]:
    """How to start a module of the tests as a program."""
    return [sys.executable, "-m", *arguments]


def environment() -> dict[str, str]:
    """What such a program needs to find its parts."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src")])
    return {**os.environ, "PYTHONPATH": path}


@asynccontextmanager
async def started(*arguments: str, **given: Any) -> AsyncIterator[Process]:
    """A module of the tests as a program with pipes, killed at the end if it still runs."""
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), asyncio.subprocess.PIPE)
    options: dict[str, Any] = {"cwd": ROOT, "env": environment(), **pipes, **given}
    process = await asyncio.create_subprocess_exec(*program(*arguments), limit=_LONGEST, **options)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


def speaker_to(process: Process) -> Speaker:
    """The client of a program."""
    assert process.stdout is not None
    assert process.stdin is not None
    return Speaker(process.stdout, process.stdin)


def browsers_below(pid: int) -> set[int]:
    """The browser processes that a program has, directly or not."""
    return {each.pid for each in descendants(pid) if each.name.startswith("chrom")}


async def all_gone(pids: Iterable[int]) -> None:
    """Wait until none of them runs."""
    async with asyncio.timeout(20):
        while any(alive(pid) for pid in pids):  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def without_sessions(kernel: Kernel) -> None:
    """Wait until no session is open."""
    async with asyncio.timeout(20):
        while kernel.sessions.all():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def started_by_client(*arguments: str) -> StdioServerParameters:
    """The same, for the SDK's client to start."""
    command, *rest = program(*arguments)
    return StdioServerParameters(command=command, args=rest, env=environment(), cwd=ROOT)


# --- over HTTP ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Web:
    """An MCP endpoint behind the thinnest of doors: the token is the name of its principal."""

    url: str
    endpoint: McpEndpoint

    def transport(self, token: str, query: str = "") -> Any:
        """How the SDK's client reaches it, for `Client(...)`."""
        return self._connected(token, query)

    @asynccontextmanager
    async def _connected(self, token: str, query: str) -> AsyncIterator[Any]:
        http = httpx2.AsyncClient(headers={"authorization": token}, timeout=30)
        async with http, streamable_http_client(f"{self.url}{query}", http_client=http) as streams:
            yield streams


@asynccontextmanager
async def on_the_web(kernel: Kernel, principals: Mapping[str, Principal]) -> AsyncIterator[Web]:
    """Serve MCP over HTTP on loopback."""
    async with McpEndpoint(kernel) as endpoint:

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            token = Headers(scope=scope).get("authorization", "")
            await endpoint({**scope, "stockade.principal": principals[token]}, receive, send)

        config = uvicorn.Config(app, lifespan="off", ws="none", log_config=None)
        server = uvicorn.Server(config)
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            async with asyncio.TaskGroup() as group:
                group.create_task(server.serve(sockets=[listener]))
                while not server.started:  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
                port = listener.getsockname()[1]
                try:
                    yield Web(f"http://127.0.0.1:{port}/mcp", endpoint)
                finally:
                    server.should_exit = True
