"""A forward proxy on loopback for tests: it lets in who has the right name, and notes who came."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

_DENIED = (
    b"HTTP/1.1 407 Proxy Authentication Required\r\n"
    b'proxy-authenticate: Basic realm="way out"\r\n'
    b"content-length: 0\r\nconnection: close\r\n\r\n"
)


@dataclass(frozen=True)
class Passage:
    """One request that was let through."""

    method: str
    target: str
    """The address, or host and port of a tunnel."""
    username: str


@dataclass
class ForwardProxy:
    """Plain requests and tunnels, to whatever address is asked for."""

    credentials: dict[str, str] = field(default_factory=dict)
    """Passwords by user name; empty lets everyone in."""
    any_session_of: str = ""
    """A user name that may be followed by anything, as a back-connect gateway takes it."""
    passed: list[Passage] = field(default_factory=list)
    denied: int = 0
    port: int = 0
    _connections: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def targets(self) -> list[str]:
        return [each.target for each in self.passed]

    def users(self) -> set[str]:
        return {each.username for each in self.passed}

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                await self._serve(reader, writer)
        except asyncio.CancelledError:
            return
        finally:
            writer.close()
            self._connections.discard(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request for each connection: the client opens another for the next."""
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        named = {name.lower(): value for name, value in headers.items()}
        username = self._admitted(named.get("proxy-authorization", ""))
        if username is None:
            self.denied += 1
            writer.write(_DENIED)
            await writer.drain()
            return
        method, target, _ = first.split(" ")
        self.passed.append(Passage(method, target, username))
        authority = target if method == "CONNECT" else target.split("/")[2]
        port = authority.rpartition(":")[2]
        there, back = await asyncio.open_connection("127.0.0.1", int(port))
        try:
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                path = "/" + target.split("/", 3)[3]
                kept = {
                    name: value
                    for name, value in headers.items()
                    if not name.lower().startswith("proxy-") and name.lower() != "connection"
                }
                rows = [f"{method} {path} HTTP/1.1", "connection: close"]
                rows += [f"{name}: {value}" for name, value in kept.items()]
                back.write("\r\n".join([*rows, "", ""]).encode("latin-1"))
            async with asyncio.TaskGroup() as both:
                both.create_task(_pump(reader, back))
                both.create_task(_pump(there, writer))
        finally:
            back.close()

    def _admitted(self, authorization: str) -> str | None:
        if not self.credentials:
            return ""
        scheme, _, encoded = authorization.partition(" ")
        if scheme.lower() != "basic":
            return None
        username, _, password = base64.b64decode(encoded).decode().partition(":")
        known = username
        if self.any_session_of and username.startswith(self.any_session_of):
            known = self.any_session_of
        return username if self.credentials.get(known) == password else None


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.close()


@asynccontextmanager
async def forward_proxy(
    credentials: dict[str, str] | None = None, *, any_session_of: str = ""
) -> AsyncIterator[ForwardProxy]:
    """Run a proxy, and stop it again with everything that goes through it."""
    proxy = ForwardProxy(credentials or {}, any_session_of)
    server = await asyncio.start_server(proxy._connected, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for task in tuple(proxy._connections):
            task.cancel()
        await asyncio.gather(*proxy._connections, return_exceptions=True)
        await server.wait_closed()
