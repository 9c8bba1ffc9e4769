"""A hostile agent at full speed in one session: what a click in another takes, and the server's health.

Alone and beside it are measured in turn, in one run, so that what else the machine does is in both.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from bench.figures import Cell
from bench.hostility import SESSION, hostile_agent
from bench.machine import end_when_told
from tests.support.browsers import BINARIES
from tests.support.serving import Program, program
from tests.support.site import LOOPBACK, Site

__all__ = ["HEALTH", "MOST", "Figures", "run", "show"]

MOST = 1.5
"""So many times as long as alone a click may take, at the 95th percentile."""
HEALTH = 100.0
"""Milliseconds in which the server says that it is well, always."""
_PAUSE = 0.03
_ROUNDS = 4
_WARM_UP = 2.0
_SECRETS = {f"SECRET_{number}": f"correct horse battery {number} staple" for number in range(6)}

_QUIET = """<title>Quiet</title><button onclick="out.textContent = ++count">Buy</button>
<p id=out>0</p><script>let count = 0</script>"""
_ESCAPES = "%2541&amp;#65;\\\\u0041=41=42<!--<b>41 42 43 "
_HOSTILE = f"""<title>Hostile</title><p id=long></p><ul id=list></ul><pre id=shown></pre><script>
long.textContent = {json.dumps(_ESCAPES)}.repeat(20000);
shown.textContent = ({json.dumps(" ".join(_SECRETS.values()))} + " ").repeat(400);
list.innerHTML = "<li><a href=#>row</a><button>press</button></li>".repeat(3000);
setInterval(() => {{ for (let n = 0; n < 50; n++) console.log("a".repeat(200) + n); }}, 50);
</script>"""


@dataclass
class Figures:
    """Milliseconds of every click and of every answer about the server's health."""

    alone: Cell = field(default_factory=Cell)
    beside: Cell = field(default_factory=Cell)
    health: Cell = field(default_factory=Cell)
    """While the hostile agent is at work."""
    calls: int = 0
    """That it got done meanwhile."""
    blocked: float = 0.0
    """Times that the event loop was kept by work."""

    @property
    def times(self) -> float:
        return self.beside.p95 / self.alone.p95

    def summary(self) -> dict[str, Any]:
        return {
            "times": self.times,
            "slowest_health": max(self.health.runs),
            "calls": self.calls,
            "blocked": self.blocked,
            "alone": self.alone.summary(),
            "beside": self.beside.summary(),
            "health": self.health.summary(),
        }


class _Agent:
    """One caller in one session, over REST."""

    def __init__(self, client: httpx.AsyncClient, session: str) -> None:
        self._client = client
        self._session = session

    async def open(self, url: str) -> None:
        await self._client.post("/v1/sessions", json={"session": self._session})
        answer = await self.call("navigate", url=url)
        if answer.status_code != httpx.codes.OK:
            raise RuntimeError(answer.text)

    async def call(self, tool: str, **arguments: Any) -> httpx.Response:
        return await self._client.post(f"/v1/sessions/{self._session}/tools/{tool}", json=arguments)


async def _clicks(agent: _Agent, cell: Cell, count: int) -> None:
    for _ in range(count):
        began = time.perf_counter()
        answer = await agent.call("click", selector="button")
        cell.runs.append((time.perf_counter() - began) * 1000)
        if answer.status_code != httpx.codes.OK:
            raise RuntimeError(answer.text)
        await asyncio.sleep(_PAUSE)


@asynccontextmanager
async def _watching(client: httpx.AsyncClient, cell: Cell) -> AsyncIterator[None]:
    async def watch() -> None:
        while True:
            began = time.perf_counter()
            await client.get("/health")
            cell.runs.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(_PAUSE)

    async with asyncio.TaskGroup() as group:
        task = group.create_task(watch())
        try:
            yield
        finally:
            task.cancel()


async def _blocked(client: httpx.AsyncClient) -> float:
    name = 'stockade_loop_blocked_seconds_count{kind="busy"} '
    said = (await client.get("/metrics")).text.splitlines()
    return sum(float(each.removeprefix(name)) for each in said if each.startswith(name))


async def _measure(count: int, binary: Path, tools: frozenset[str]) -> Figures:
    end_when_told()
    figures = Figures()
    with TemporaryDirectory() as place:
        root = Path(place)
        (root / "scratch").mkdir()
        async with Site.serve() as site:
            site.page("/quiet", _QUIET)
            site.page("/hostile", _HOSTILE)
            settings = {"chromium": str(binary), "egress_allow": LOOPBACK, "isolation": "process"}
            async with program(
                root / "workspace", root / "scratch", log=root / "log", **settings
            ) as server:
                await _rounds(server, site, figures, count, tools)
    return figures


async def _rounds(
    server: Program, site: Site, figures: Figures, count: int, tools: frozenset[str]
) -> None:
    async with server.client() as admin, server.client() as other, server.client() as watcher:
        for each in (admin, other, watcher):
            each.timeout = httpx.Timeout(120)
        for name, value in _SECRETS.items():
            kept = {"value": value, "origins": [site.url("")]}
            (await admin.put(f"/v1/secrets/{name}", json=kept)).raise_for_status()
        made = await admin.post("/v1/keys", json={"name": "hostile", "role": "agent"})
        other.headers["authorization"] = f"Bearer {made.json()['token']}"
        quiet, hostile = _Agent(admin, "quiet"), _Agent(other, SESSION)
        await quiet.open(site.url("/quiet"))
        await hostile.open(site.url("/hostile"))
        await _clicks(quiet, Cell(), 5)
        before = await _blocked(admin)
        for _ in range(_ROUNDS):
            await hostile.call("navigate", url="about:blank")
            await _clicks(quiet, figures.alone, count // _ROUNDS)
            await hostile.call("navigate", url=site.url("/hostile"))
            async with hostile_agent(server.url, made.json()["token"], tools) as calls:
                await asyncio.sleep(_WARM_UP)
                async with _watching(watcher, figures.health):
                    await _clicks(quiet, figures.beside, count // _ROUNDS)
            figures.calls += sum(calls)
        figures.blocked = await _blocked(admin) - before


def run(count: int, binary: str, tools: frozenset[str] = frozenset()) -> Figures:
    """Measure, with so many clicks of each kind; the hostile agent has those tools, or all."""
    print("hostile", file=sys.stderr, flush=True)
    return asyncio.run(_measure(count, BINARIES[binary], tools))


def show(figures: Figures) -> list[str]:
    """Print the figures; what is over its budget."""
    out = sys.stdout.write
    slowest = max(figures.health.runs)
    out("\nA click beside a hostile agent at full speed in another session\n")
    out(f"{'':28}{'alone':>9}{'beside':>9}\n")
    out(f"{'median':28}{figures.alone.median:8.1f} {figures.beside.median:8.1f} ms\n")
    out(f"{'95th percentile':28}{figures.alone.p95:8.1f} {figures.beside.p95:8.1f} ms\n")
    kept = {"hostile, click": figures.times <= MOST, "hostile, health": slowest <= HEALTH}
    verdicts = ["ok" if each else "OVER" for each in kept.values()]
    out(f"{'times as long':28}{figures.times:8.2f}  ≤ {MOST:g}  {verdicts[0]}\n")
    out(f"{'slowest answer of /health':28}{slowest:8.1f} ms ≤ {HEALTH:g}  {verdicts[1]}\n")
    out(f"{'its p95':28}{figures.health.p95:8.1f} ms\n")
    out(f"{'calls of the hostile agent':28}{figures.calls:8}\n")
    out(f"{'times the loop was blocked':28}{figures.blocked:8g}\n")
    return [row for row, is_kept in kept.items() if not is_kept]
