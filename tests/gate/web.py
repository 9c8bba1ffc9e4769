"""The web of a worst-case run: two sites of the operator's choice, and everybody else's.

All of it is one server on loopback. Whoever asks for what, under which name, is on record.
"""

from __future__ import annotations

import asyncio
import html
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote, unquote

from tests.egress.world import message, question_of, record
from tests.support.site import Request, Response, Site
from tests.support.websocket import WebSocket

PAGES = Path(__file__).parent / "pages"
SHOP, BANK, EVIL = "shop.localhost", "bank.localhost", "evil.test"
HOSTILE = (EVIL, f"*.{EVIL}", "*.localhost")
"""Everything that a page may name, as exceptions of the way out: only lists stand between."""
_FILLED = re.compile(r"\{\{(\w+)(?:\|(\w+))?\}\}")
_KINDS = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".vtt": "text/vtt",
    ".txt": "text/plain",
}
_WAYS: dict[str, Callable[[str], str]] = {
    "html": html.escape,
    "url": quote,
    "json": lambda text: json.dumps(text)[1:-1],
}


@dataclass(eq=False)
class Web(Site):
    """The sites, and what was asked of them."""

    values: dict[str, str] = field(default_factory=dict)
    """What stands for `{{name}}` in pages."""
    headers: dict[str, dict[str, str]] = field(default_factory=dict)
    """What pages are served with, by their names."""
    names: list[str] = field(default_factory=list)
    """The names that were looked up."""
    swapped: bool = False
    """Whether the page that waits for it may change its button now."""

    def __post_init__(self) -> None:
        super().__init__()
        self.websocket("/ws", self._talk)

    @classmethod
    @asynccontextmanager
    async def open(cls, pages: dict[str, dict[str, str]]) -> AsyncIterator[Web]:
        """Serve, and answer for names."""
        web = cls(headers=pages)
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(
            lambda: _Names(web.names), local_addr=("127.0.0.1", 0)
        )
        web.values["resolver"] = f"127.0.0.1:{transport.get_extra_info('sockname')[1]}"
        try:
            async with web._run():
                for name, host in (("shop", SHOP), ("bank", BANK), ("evil", EVIL)):
                    web.values[name] = f"http://{host}:{web.port}"
                web.values["port"] = str(web.port)
                yield web
        finally:
            transport.close()

    def at(self, page: str) -> str:
        """Where a page is: at the bank if its name says so, else in the shop."""
        return f"{self.values['bank' if page.startswith('bank') else 'shop']}/p/{page}"

    def filled(self, text: str) -> str:
        """A text of ours with what it stands for."""
        return _FILLED.sub(lambda m: _WAYS.get(m[2] or "", str)(self.values.get(m[1], m[0])), text)

    def rows(self) -> list[dict[str, Any]]:
        """What was asked, by whom it was meant for."""
        return [
            {
                "host": each.headers.get("host", "").rpartition(":")[0],
                "method": each.method,
                "target": unquote(f"{each.path}?{each.query}"),
                "body": each.body.decode("latin-1"),
                "cookie": each.headers.get("cookie", ""),
            }
            for each in self.requests
        ]

    async def _answer(self, request: Request) -> Response:
        host = request.headers.get("host", "").rpartition(":")[0]
        if host not in {SHOP, BANK}:
            return _anything(request)
        kind, _, name = request.path.removeprefix("/").partition("/")
        if kind == "p" and (PAGES / name).is_file():
            return self._page(name)
        if kind == "leave":
            return Response(status=302, headers={"location": request.params["to"]})
        if kind == "file":
            given = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
            return Response("nothing", content_type="application/octet-stream", headers=given)
        said = {"swapped": json.dumps(self.swapped), "gated": "<title>Done</title>"}
        return Response(said.get(kind, "not here"), 200 if kind in said else 404)

    def _page(self, name: str) -> Response:
        headers = {key: self.filled(text) for key, text in self.headers.get(name, {}).items()}
        kind = _KINDS.get(Path(name).suffix, "text/html; charset=utf-8")
        text = self.filled((PAGES / name).read_text(encoding="utf-8"))
        return Response(text, content_type=kind, headers=headers)

    async def _talk(self, socket: WebSocket) -> None:
        await socket.send(self.filled(self.values.get("socket", "hello")))
        while await socket.receive() is not None:
            pass


def _anything(request: Request) -> Response:
    """A stranger's answer: whatever is wanted, readable by everyone."""
    kind = _KINDS.get(Path(request.path).suffix, "text/html; charset=utf-8")
    open_to_all = {
        "access-control-allow-origin": request.headers.get("origin", "*"),
        "access-control-allow-credentials": "true",
        "access-control-allow-headers": "*",
        "access-control-allow-private-network": "true",
        "service-worker-allowed": "/",
    }
    body = "" if kind.startswith("text/html") else "/**/"
    return Response(body or "<title>Thanks</title>", content_type=kind, headers=open_to_all)


class _Names(asyncio.DatagramProtocol):
    """Every name is this machine's, and on record."""

    def __init__(self, names: list[str]) -> None:
        self._asked = names

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.DatagramTransport", transport)

    def datagram_received(self, data: bytes, sender: tuple[str, int]) -> None:
        name, kind, question = question_of(data)
        self._asked.append(name)
        records = [record(name, kind, bytes([127, 0, 0, 1]))] if kind == 1 else []
        self._transport.sendto(message(data[:2], question, records), sender)
