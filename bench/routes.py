"""Routes of the tab API: what HTTP, the keys and the translation add to the call itself.

Each row is measured twice in turn, in one process: the request over a kept connection, and the same
call of the same tool on the same kernel. What lies between their medians is the surface's own.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

import uvloop

from bench.figures import Cell
from bench.machine import end_when_told
from bench.pages import serve as serve_pages
from stockade.kernel.dispatch import Kernel
from stockade.policy.principal import Principal
from stockade.server import base_policy
from stockade.surfaces import app
from stockade.surfaces.authentication import anonymous
from tests.support.browsers import BINARIES
from tests.support.serving import served
from tests.support.site import Site

__all__ = ["BUDGET", "Figures", "run", "show"]

BUDGET = 5.0
"""Milliseconds that a route may add."""
_FRAME = 1 / 60
_USER = "bench"
_PAGE = """<title>Shop</title><h1>Shop</h1><button onclick="out.textContent = ++count">Buy</button>
<input aria-label=Name><p id=out>0</p><a href="#more">More</a><script>let count = 0</script>"""


@dataclass(frozen=True)
class Row:
    """A route and the call it makes; `fields` are the same for both."""

    method: str
    path: str
    tool: str
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"


_TAB = "/tabs/{tab}"
ROWS = (
    Row("GET", "/tabs", "camofox_list_tabs"),
    Row("GET", f"{_TAB}/stats", "camofox_stats"),
    Row("GET", f"{_TAB}/snapshot", "camofox_snapshot"),
    Row("GET", f"{_TAB}/links", "camofox_links"),
    Row("GET", f"{_TAB}/screenshot", "camofox_screenshot"),
    Row("POST", f"{_TAB}/evaluate", "camofox_evaluate", {"expression": "document.title"}),
    Row("POST", f"{_TAB}/click", "camofox_click", {"selector": "button"}),
    Row("POST", f"{_TAB}/type", "camofox_type", {"selector": "input", "text": "Ada"}),
    Row("POST", f"{_TAB}/press", "camofox_press", {"key": "Shift"}),
    Row("POST", f"{_TAB}/scroll", "camofox_scroll", {"amount": 10}),
    Row("POST", f"{_TAB}/wait", "camofox_wait", {"timeout": 1000}),
    Row("POST", f"{_TAB}/navigate", "camofox_navigate", {"url": "{url}"}),
    Row("POST", f"{_TAB}/refresh", "camofox_refresh"),
)


@dataclass
class Figures:
    """Milliseconds of every request, and of every call beside it."""

    routes: dict[str, Cell] = field(default_factory=dict)
    calls: dict[str, Cell] = field(default_factory=dict)

    def added(self, name: str) -> float:
        return self.routes[name].median - self.calls[name].median

    def summary(self) -> dict[str, Any]:
        return {
            name: {
                "added": self.added(name),
                "route": self.routes[name].summary(),
                "call": self.calls[name].summary(),
            }
            for name in self.routes
        }


class Client:
    """One connection that is kept, and nothing that would cost time of its own."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, method: str, path: str, fields: dict[str, Any]) -> bytes:
        body = b""
        if method == "GET":
            path = f"{path}?{urlencode(fields)}"
        else:
            body = json.dumps(fields).encode()
        kind = "content-type: application/json\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{kind}content-length: {len(body)}\r\n\r\n"
        self._writer.write(head.encode() + body)
        answered = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(answered.partition(b"content-length: ")[2].partition(b"\r\n")[0])
        content = await self._reader.readexactly(length)
        if not answered.startswith(b"http/1.1 200"):
            raise RuntimeError(f"{method} {path}: {content.decode(errors='replace')}")
        return content


@dataclass
class Bench:
    """A server, a tab in it, and both ways there."""

    kernel: Kernel
    principal: Principal
    client: Client
    url: str
    tab: str = ""

    async def open(self) -> None:
        fields = {"userId": _USER, "sessionKey": "s", "url": self.url}
        self.tab = json.loads(await self.client.ask("POST", "/tabs", fields))["tabId"]

    async def route(self, row: Row) -> None:
        fields = {"userId": _USER, **self._filled(row)}
        await self.client.ask(row.method, row.path.replace("{tab}", self.tab), fields)

    async def call(self, row: Row) -> None:
        arguments = {"session": _USER, **self._filled(row)}
        if "{tab}" in row.path:
            arguments["tabId"] = self.tab
        reply = await self.kernel.call(self.principal, row.tool, arguments)
        if not reply.ok:
            raise RuntimeError(f"{row.tool}: {reply.text}")

    def _filled(self, row: Row) -> dict[str, Any]:
        return {name: self.url if value == "{url}" else value for name, value in row.fields.items()}


async def measure(count: int, binary: Path, wanted: Sequence[str]) -> Figures:
    """Every row, `count` times in each way, in turn."""
    kernels: list[Kernel] = []
    made = app.web_application

    def noted(parts: app.Parts) -> Any:
        kernels.append(parts.kernel)
        return made(parts)

    figures = Figures()
    app.web_application = noted
    with TemporaryDirectory() as folder:
        async with (
            serve_pages() as site,
            served(
                Path(folder) / "workspace",
                compat=True,
                capabilities=("default", "eval", "file-io"),
                chromium=binary,
                log_level="error",
            ) as server,
        ):
            rows = [row for row in ROWS if not wanted or any(each in row.name for each in wanted)]
            await _measure(figures, kernels[0], site, server.port, rows, count)
    return figures


async def _measure(
    figures: Figures, kernel: Kernel, site: Site, port: int, rows: Sequence[Row], count: int
) -> None:
    url = site.page("/routes", _PAGE)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 26)
    bench = Bench(kernel, anonymous(base_policy(kernel.settings)), Client(reader, writer), url)
    await bench.open()
    for row in rows:
        route = figures.routes.setdefault(row.name, Cell())
        call = figures.calls.setdefault(row.name, Cell())
        for number in range(-3, count):
            for way, cell in ((bench.route, route), (bench.call, call)):
                # A picture waits for the next frame: both must meet it at any moment.
                await asyncio.sleep(random.uniform(0, _FRAME))
                start = time.perf_counter()
                await way(row)
                if number >= 0:
                    cell.runs.append((time.perf_counter() - start) * 1000)
    writer.close()


def run(count: int, binary: str, wanted: Sequence[str] = ()) -> Figures:
    """All of it, on the loop that the server runs on."""

    async def main() -> Figures:
        end_when_told()
        return await measure(count, BINARIES[binary], wanted)

    return uvloop.run(main())


def show(figures: Figures) -> Sequence[str]:
    """Print the table; the rows that are over their budget."""
    print("\nRoutes of the tab API, milliseconds above the call itself, medians")
    print(f"{'route':32}{'route':>10}{'call':>10}{'added':>10}{'budget':>10}")
    over = []
    for name in figures.routes:
        added = figures.added(name)
        print(
            f"{name:32}{figures.routes[name].median:10.1f}{figures.calls[name].median:10.1f}"
            f"{added:10.1f}{BUDGET:10.1f}{'  OVER' if added > BUDGET else ''}"
        )
        if added > BUDGET:
            over.append(f"{name}: {added:.1f} ms")
    sys.stdout.flush()
    return over
