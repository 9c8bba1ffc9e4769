"""A web site on loopback for tests: pages given in code, handlers, and a log of what was asked."""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from http.cookies import SimpleCookie
from pathlib import Path
from typing import TypeAlias
from urllib.parse import parse_qsl, quote, unquote

import h11

from tests.support.websocket import WebSocket

WAIT_SECONDS = 10.0
LOOPBACK = "127.0.0.1:*,localhost:*,*.localhost:*,[::1]:*"
"""What has to be allowed so that pages reach such sites."""
ABSENT = "not here"
"""What an address without a page answers."""

Body: TypeAlias = "str | bytes | AsyncIterator[bytes]"
Handler: TypeAlias = "Callable[[Request], Awaitable[Response]]"
SocketHandler: TypeAlias = "Callable[[WebSocket], Awaitable[None]]"


@dataclass(frozen=True)
class Request:
    """One request as it came in; header names are in lower case."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes = b""

    @cached_property
    def params(self) -> dict[str, str]:
        return dict(parse_qsl(self.query, keep_blank_values=True))

    @cached_property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))

    @cached_property
    def cookies(self) -> dict[str, str]:
        jar = SimpleCookie(self.headers.get("cookie", ""))
        return {name: morsel.value for name, morsel in jar.items()}


@dataclass(frozen=True)
class Response:
    """What a handler answers; an asynchronous iterator as body is sent piece by piece."""

    body: Body = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


class Site:
    """An HTTP/1.1 server on a port of its own; `other` is a second one, for a second origin."""

    def __init__(self) -> None:
        self.port = 0
        self.requests: list[Request] = []
        self.errors: list[Exception] = []
        self._routes: dict[str, Handler] = {}
        self._sockets: dict[str, SocketHandler] = {}
        self._folders: dict[str, Path] = {}
        self._connections: set[asyncio.Task[None]] = set()
        self._stopping = False
        self._news = asyncio.Condition()
        self._other: Site | None = None

    @classmethod
    @asynccontextmanager
    async def serve(cls) -> AsyncIterator[Site]:
        """Run two sites that know each other, and stop them again."""
        async with cls()._run() as site, cls()._run() as other:
            site._other, other._other = other, site
            yield site

    @property
    def other(self) -> Site:
        """The neighbour: the same host, another port, hence another origin."""
        assert self._other is not None
        return self._other

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        """Where a path is found; `localhost` and `a.localhost` are other sites than the address."""
        return f"http://{host}:{self.port}{path}"

    def ws_url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"ws://{host}:{self.port}{path}"

    def page(
        self,
        path: str,
        html: str | bytes,
        *,
        headers: Mapping[str, str] | None = None,
        status: int = 200,
        content_type: str = "text/html; charset=utf-8",
        delay: asyncio.Event | None = None,
    ) -> str:
        """Serve fixed content, held back until `delay` is set. Returns its address."""
        response = Response(html, status, content_type, headers or {})

        async def answer(_request: Request) -> Response:
            if delay is not None:
                await delay.wait()
            return response

        return self.route(path, answer)

    def route(self, path: str, handler: Handler) -> str:
        """Answer a path by calling `handler`. Returns its address."""
        self._routes[path] = handler
        return self.url(path)

    def websocket(self, path: str, handler: SocketHandler) -> str:
        """Hand WebSockets opened on a path to `handler`. Returns the `ws:` address."""
        self._sockets[path] = handler
        return self.ws_url(path)

    def files(self, prefix: str, folder: Path) -> str:
        """Serve a folder's files below `prefix`. Returns the address of the prefix."""
        self._folders[prefix.rstrip("/")] = folder
        return self.url(quote(prefix))

    def asked(self, path: str) -> list[Request]:
        """The requests for a path so far."""
        return [request for request in self.requests if request.path == path]

    async def wait_asked(self, path: str, count: int = 1) -> Request:
        """Wait until a path was asked for `count` times; the request that made the number full."""
        async with asyncio.timeout(WAIT_SECONDS), self._news:
            await self._news.wait_for(lambda: len(self.asked(path)) >= count)
        return self.asked(path)[count - 1]

    @asynccontextmanager
    async def _run(self) -> AsyncIterator[Site]:
        server = await asyncio.start_server(self._begin, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            self._stopping = True
            server.close()
            for connection in self._connections:
                connection.cancel()
            await asyncio.gather(*self._connections, return_exceptions=True)
            await server.wait_closed()
        if self.errors:
            raise ExceptionGroup("handlers of the test site failed", self.errors)

    def _begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._stopping:
            # It was accepted before the site stopped, and is told of only now.
            writer.transport.abort()
            return
        # Known before it has run for the first time, so that none is left when the site stops.
        task = asyncio.get_running_loop().create_task(self._connected(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        # One that is cancelled before it has begun does not get to its own end.
        task.add_done_callback(lambda _: writer.transport.abort())

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # The browser went away, or the site is stopping: nobody is left to answer.
        with suppress(ConnectionError, h11.RemoteProtocolError, asyncio.CancelledError):
            await _Connection(self, reader, writer).run()

    async def _log(self, request: Request) -> None:
        if request.path == "/favicon.ico" and request.path not in self._routes:
            return
        async with self._news:
            self.requests.append(request)
            self._news.notify_all()

    async def _answer(self, request: Request) -> Response:
        handler = self._routes.get(request.path)
        try:
            if handler is not None:
                return await handler(request)
            return self._file(request.path) or Response(ABSENT, 404)
        except Exception as error:  # noqa: BLE001 - kept, and raised when the site stops
            self.errors.append(error)
            return Response("the handler failed", 500)

    def _file(self, path: str) -> Response | None:
        for prefix, folder in self._folders.items():
            if not path.startswith(prefix + "/"):
                continue
            root = folder.absolute()
            wanted = root / unquote(path[len(prefix) + 1 :])
            if ".." in wanted.parts or not wanted.is_relative_to(root) or not wanted.is_file():
                return None
            kind = mimetypes.guess_type(wanted.name)[0] or "application/octet-stream"
            return Response(wanted.read_bytes(), content_type=kind)
        return None


class _Connection:
    """One client's connection: requests in turn, or a WebSocket once it upgraded."""

    def __init__(
        self, site: Site, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._site = site
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER)

    async def run(self) -> None:
        while (request := await self._request()) is not None:
            await self._site._log(request)
            if request.headers.get("upgrade", "").lower() == "websocket":
                await self._upgrade(request)
                return
            await self._respond(request, await self._site._answer(request))
            if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
                return
            self._http.start_next_cycle()

    async def _request(self) -> Request | None:
        head: h11.Request | None = None
        body = bytearray()
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                self._http.receive_data(await self._reader.read(65536))
            elif isinstance(event, h11.Request):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                path, _, query = head.target.decode().partition("?")
                headers = {name.decode(): value.decode("latin-1") for name, value in head.headers}
                return Request(head.method.decode(), path, query, headers, bytes(body))
            else:
                return None

    async def _respond(self, request: Request, response: Response) -> None:
        headers = {
            "content-type": response.content_type,
            "cache-control": "no-store",
            **{name.lower(): value for name, value in response.headers.items()},
        }
        if isinstance(response.body, (str, bytes)):
            data = response.body.encode() if isinstance(response.body, str) else response.body
            headers.setdefault("content-length", str(len(data)))
            await self._send(h11.Response(status_code=response.status, headers=_encoded(headers)))
            if data and request.method != "HEAD":
                await self._send(h11.Data(data=data))
        else:
            await self._send(h11.Response(status_code=response.status, headers=_encoded(headers)))
            async for piece in response.body:
                await self._send(h11.Data(data=piece))
        await self._send(h11.EndOfMessage())

    async def _upgrade(self, request: Request) -> None:
        handler = self._site._sockets.get(request.path)
        if handler is None:
            await self._respond(request, Response("no such socket", 404))
            return
        accept = WebSocket.accept_key(request.headers["sec-websocket-key"])
        headers = [
            ("upgrade", "websocket"),
            ("connection", "upgrade"),
            ("sec-websocket-accept", accept),
        ]
        await self._send(h11.InformationalResponse(status_code=101, headers=headers))
        early, _ = self._http.trailing_data
        socket = WebSocket(self._reader, self._writer, early)
        try:
            await handler(socket)
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        except Exception as error:  # noqa: BLE001 - kept, and raised when the site stops
            self._site.errors.append(error)
        await socket.close()

    async def _send(self, event: h11.Event) -> None:
        data = self._http.send(event)
        if data:
            self._writer.write(data)
            await self._writer.drain()


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]
