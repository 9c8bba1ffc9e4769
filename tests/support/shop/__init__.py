"""A little shop to try tools on: a page as people make them, without test ids."""

from __future__ import annotations

from pathlib import Path

from tests.support.site import Request, Response, Site
from tests.support.websocket import WebSocket

_FOLDER = Path(__file__).parent


def open_shop(site: Site) -> str:
    """Put the shop on a site. Returns the address of its first page."""
    for path in sorted(_FOLDER.iterdir()):
        kinds = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css"}
        kinds |= {".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8"}
        if path.suffix in kinds:
            content = path.read_bytes()
            site.page(f"/{path.name}", content, content_type=kinds[path.suffix])
            if path.name == "index.html":
                site.page("/", content)
    site.route("/api/basket", _basket)
    site.route("/api/offers", _offers)
    site.websocket("/news", _news)
    return site.url("/")


async def _basket(request: Request) -> Response:
    return Response(request.body or b"{}", content_type="application/json")


async def _offers(_request: Request) -> Response:
    return Response('{"offers": ["Assam"]}', content_type="application/json")


async def _news(socket: WebSocket) -> None:
    while (message := await socket.receive()) is not None:
        await socket.send(f"news for {message!r}")
