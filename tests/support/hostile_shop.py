"""The shop as an attacker would run it: all it says, sends and keeps has invisible characters in it.

`Heard` listens to what tools say of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mcp.types.version import LATEST_HANDSHAKE_VERSION

from stockade.kernel.results import Reply
from stockade.surfaces.mcp.content import result_of
from stockade.surfaces.v1.calls import told
from tests.support.shop import open_shop
from tests.support.site import Request, Response, Site
from tests.support.unseen import HOSTILE, unseen_in
from tests.support.websocket import WebSocket

__all__ = ["Heard", "open_hostile_shop", "spoilt"]

FOLDER = Path(__file__).with_name("shop")
SCRIPT = Path(__file__).with_name("unseen.js").read_text(encoding="utf-8")


def spoilt(text: str) -> str:
    return f"{text[0]}{HOSTILE}{text[1:]}"


def open_hostile_shop(site: Site) -> None:
    """The shop, which puts invisible characters into whatever it says, sends and keeps."""
    open_shop(site)
    script = SCRIPT.replace("__HOSTILE__", json.dumps(HOSTILE))
    for path in FOLDER.glob("*.html"):
        html = path.read_text(encoding="utf-8")
        html = html.replace("<head>", f"<head><script>{script}</script>", 1)
        headers = {"x-said": spoilt("header")}
        for address in ("/", "/index.html") if path.name == "index.html" else (f"/{path.name}",):
            site.page(address, html, headers=headers)
    named = f"attachment; filename*=UTF-8''{quote(spoilt('list'))}.txt"
    site.page(
        "/price-list.txt",
        spoilt("Assam 4.20"),
        content_type="text/plain; charset=utf-8",
        headers={"content-disposition": named},
    )

    async def offers(_request: Request) -> Response:
        said = {"offers": [spoilt("Assam")], spoilt("key"): spoilt("value")}
        return Response(json.dumps(said, ensure_ascii=False), content_type="application/json")

    async def news(socket: WebSocket) -> None:
        while (message := await socket.receive()) is not None:
            await socket.send(spoilt(f"news for {message!r}"))

    site.route("/api/offers", offers)
    site.websocket("/news", news)


def texts(value: Any) -> Iterator[str]:
    """Every text of a value, its keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from texts(key)
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


def unseen_of(reply: Reply) -> dict[str, str]:
    """What does not show in a reply, as MCP and REST give it: each with what is around it."""
    over_mcp = result_of(reply, LATEST_HANDSHAKE_VERSION).model_dump(mode="json")
    over_rest = json.loads(bytes(told(reply).body))
    within = [reply.text, reply.aside, reply.data, reply.failure]
    return {
        f"U+{ord(character):04X}": ascii(text[max(text.index(character) - 60, 0) :][:90])
        for text in texts([over_mcp, over_rest, within])
        for character in unseen_in(text)
    }


class Heard:
    """What tools said that does not show."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, str]] = {}

    def __call__(self, tool: str, reply: Reply) -> None:
        if unseen := unseen_of(reply):
            self.found.setdefault(tool, {}).update(unseen)
