"""What a browser engine must cope with, ready to be put on a `Site`."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator
from urllib.parse import quote

from tests.support.site import Request, Response, Site
from tests.support.websocket import WebSocket

USER, PASSWORD = "alice", "open sesame"


def install(site: Site) -> None:
    """Add the standing endpoints: /ws, /basic-auth, /never, /download, /cookies, /redirect, ..."""
    site.websocket("/ws", _echo)
    site.route("/basic-auth", _basic_auth)
    site.route("/never", _never)
    site.route("/trickle", _trickle)
    site.route("/download", _download)
    site.route("/set-cookie", _set_cookie)
    site.route("/cookies", _cookies)
    site.route("/headers", _headers)
    site.route("/redirect", _redirect)


class EventStream:
    """A server-sent event stream: what the test sends reaches every listener."""

    def __init__(self, site: Site, path: str) -> None:
        self.url = site.route(path, self._listen)
        self.listening = asyncio.Event()
        self._listeners: set[asyncio.Queue[bytes | None]] = set()

    def send(self, data: str, *, event: str | None = None, event_id: str | None = None) -> None:
        """Send one event, its data split over lines as the format demands."""
        lines = [f"data: {line}" for line in data.split("\n")]
        if event is not None:
            lines.insert(0, f"event: {event}")
        if event_id is not None:
            lines.insert(0, f"id: {event_id}")
        self._put(("\n".join(lines) + "\n\n").encode())

    def close(self) -> None:
        """End the streams that are open now."""
        self._put(None)

    def _put(self, piece: bytes | None) -> None:
        for queue in self._listeners:
            queue.put_nowait(piece)

    async def _listen(self, _request: Request) -> Response:
        return Response(self._pieces(), content_type="text/event-stream")

    async def _pieces(self) -> AsyncIterator[bytes]:
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._listeners.add(queue)
        try:
            yield b": listening\n\n"
            self.listening.set()
            while (piece := await queue.get()) is not None:
                yield piece
        finally:
            self._listeners.discard(queue)


async def _echo(socket: WebSocket) -> None:
    """Answer each message with itself; `close 4001 why` closes with that code and reason."""
    while (message := await socket.receive()) is not None:
        if isinstance(message, str) and message.startswith("close "):
            _, code, reason = message.split(" ", 2)
            await socket.close(int(code), reason)
            return
        await socket.send(message)


async def _basic_auth(request: Request) -> Response:
    secret = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
    if request.headers.get("authorization") == f"Basic {secret}":
        return Response("<h1>Welcome</h1>")
    challenge = {"www-authenticate": 'Basic realm="test"'}
    return Response("<h1>Who are you?</h1>", 401, headers=challenge)


async def _never(_request: Request) -> Response:
    """Not even a status line, for ever."""
    await asyncio.Event().wait()
    return Response()


async def _trickle(_request: Request) -> Response:
    """A page that begins and never ends."""

    async def pieces() -> AsyncIterator[bytes]:
        yield b"<!doctype html><title>Trickle</title><h1>Begun</h1>"
        await asyncio.Event().wait()

    return Response(pieces())


async def _download(request: Request) -> Response:
    """An attachment; `?name=` and `?size=` shape it."""
    name = quote(request.params.get("name", "report.txt"))
    size = int(request.params.get("size", "11"))
    disposition = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
    content = (b"hello world" * (size // 11 + 1))[:size]
    return Response(content, content_type="application/octet-stream", headers=disposition)


async def _set_cookie(request: Request) -> Response:
    """`?cookie=a%3Db%3B%20HttpOnly` sets that cookie, and shows what came in."""
    cookie = request.params.get("cookie", "flavour=oat; Path=/")
    return Response("<h1>Baked</h1>", headers={"set-cookie": cookie})


async def _cookies(request: Request) -> Response:
    return Response(request.headers.get("cookie", ""), content_type="text/plain")


async def _headers(request: Request) -> Response:
    lines = "".join(f"{name}: {value}\n" for name, value in request.headers.items())
    return Response(lines, content_type="text/plain")


async def _redirect(request: Request) -> Response:
    """`?to=` is where to; `?status=` another kind than 302."""
    status = int(request.params.get("status", "302"))
    return Response(status=status, headers={"location": request.params.get("to", "/")})
