"""No call stalls another: hostile values in each argument of each tool, beside somebody who works."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import ValidationError

from stockade.errors import StockadeError
from stockade.kernel.tool import Tool
from stockade.policy.capabilities import Capability
from stockade.tools import registry
from stockade.tools.examples import SHOP, Example, examples
from tests.examples.trying import OTHER
from tests.fuzz.hostile import Attempt, attempts
from tests.support.levels import LEVEL
from tests.support.loop_stalls import LoopStalls
from tests.support.serving import Program, program
from tests.support.shop import open_shop
from tests.support.site import LOOPBACK, Site
from tests.support.soak import Soak
from tests.support.websocket import WebSocket

_TOOLS = {each.name: each for each in (*registry(), *registry().apart)}
_EXAMPLES = examples()
_DEADLINE = 2.0
_MARGIN = 8.0
"""Seconds after its deadline that a call may be answered on a machine that has much else to do."""
_LONGEST = 6.0
"""Seconds; calls that were asked to take longer are not tried."""
_PARTS = 6
_SAMPLE = 24
_OF_EACH = 4
_BETWEEN = 0.2
_AT_ONCE = 8
"""Attempts after which it is looked whether the loop was blocked."""

_LONG = "a" * 400
_TEXT = "a" * 20_000 + "!"
_HOSTILE = f"""
<section id=hostile>
<h2>{_LONG}!</h2>
<p>{_TEXT}</p><p>{"aa " * 5000}!</p><p>{"<!--" * 10}{"&lt;!--" * 2000}</p>
<ul>{"".join(f"<li><a href='/{_LONG}/{number}?{_LONG}'>{_LONG[:60]} {number}</a>" for number in range(100))}</ul>
{"<div>" * 200}deep{"</div>" * 200}
<table>{"<tr><td>a<td>aa<td>aaa" * 200}</table>
<iframe srcdoc="<p>{_LONG}</p>"></iframe>
</section>
<script>
  addEventListener("load", () => {{
    self.hostile = new WebSocket("ws://" + location.host + "/{_LONG}");
    hostile.onopen = () => hostile.send("a".repeat(5000) + "!");
    for (let number = 0; number < 200; number++) console.log("a".repeat(300) + number);
    localStorage.setItem("{_LONG[:100]}", "a".repeat(100000));
    fetch("/api/offers?{_LONG}");
  }});
</script>
"""
_QUIET = """<title>Quiet</title><button onclick="out.textContent = ++count">Count</button>
<p>Count: <span id=out>0</span></p><script>let count = 0</script>"""


async def _echo(socket: WebSocket) -> None:
    while (message := await socket.receive()) is not None:
        await socket.send(message if isinstance(message, str) else "bytes")


def _open_site(site: Site) -> None:
    for each in (site, site.other):
        open_shop(each)
        each.websocket(f"/{_LONG}", _echo)
    index = Path(__file__).parent.parent / "support" / "shop" / "index.html"
    site.page("/", index.read_text(encoding="utf-8") + _HOSTILE)
    site.page("/quiet", _QUIET)


@dataclass
class _Ground:
    """A server, the site of its pages, and two who use it."""

    server: Program
    site: Site
    hostile: httpx.AsyncClient
    quiet: httpx.AsyncClient
    stalls: LoopStalls
    problems: list[str] = field(default_factory=list)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> httpx.Response:
        path = f"/v1/sessions/hostile/tools/{tool}"
        if _TOOLS[tool].reach == "server":
            path = f"/v1/tools/{tool}"
        return await self.hostile.post(
            path, content=json.dumps(arguments, ensure_ascii=False).encode("utf-8", "surrogatepass")
        )

    async def prepare(self, example: Example | None) -> dict[str, Any]:
        """Open the page anew and make the calls that come before; the arguments of one that works."""
        home = {"url": self.site.url("/"), "mode": "none"}
        if (await self.call("navigate", home)).status_code != 200:
            await self.hostile.delete("/v1/sessions/hostile")
            await self.hostile.post("/v1/sessions", json={"session": "hostile"})
            opened = await self.call("navigate", home)
            assert opened.status_code == 200, opened.text
        if example is None:
            listed = (await self.call("camofox_list_tabs", {})).json()
            return {"tabId": next((each["tabId"] for each in listed.get("tabs", ())), "")}
        given: list[Any] = []
        for tool, arguments in example.before:
            reply = (await self.call(tool, self._filled(arguments, given))).json()
            given.append(reply.get("text", reply))
        return dict(self._filled(example.arguments, given))

    def _filled(self, value: Any, given: list[Any]) -> Any:
        if isinstance(value, str):
            return value.replace(SHOP, self.site.url("")).replace(OTHER, self.site.other.url(""))
        if isinstance(value, list):
            return [self._filled(each, given) for each in value]
        if isinstance(value, dict):
            if list(value) == ["$from"]:
                found: Any = given
                for step in value["$from"]:
                    try:
                        found = found[step]
                    except (LookupError, TypeError):
                        return "e1"
                return found
            return {key: self._filled(each, given) for key, each in value.items()}
        return value

    async def try_tool(self, tool: Tool, chosen: list[Attempt]) -> int:
        """Make calls with hostile values; how many were made."""
        schema = tool.arguments.model_json_schema(by_alias=True)
        known = await self.prepare(_EXAMPLES.get(tool.name))
        made = 0
        for first in range(0, len(chosen), _AT_ONCE):
            some = chosen[first : first + _AT_ONCE]
            made += sum([await self._attempt(tool, each, known, schema) for each in some])
            if await self.stalls.new():
                # Which of them was it?
                for each in some:
                    await self._attempt(tool, each, known, schema)
                    said = f"{tool.name} {each.argument}: {each.family}"
                    self.problems += [
                        f"{said}: the loop was blocked: {told}" for told in await self.stalls.new()
                    ]
        return made

    async def _attempt(
        self, tool: Tool, attempt: Attempt, known: Mapping[str, Any], schema: Mapping[str, Any]
    ) -> bool:
        arguments = attempt.put_into(known, schema)
        expected = _expected(tool, arguments)
        if expected > _LONGEST and attempt.is_number:
            return False
        said = f"{attempt.tool} {attempt.argument}: {attempt.family}"
        began = time.monotonic()
        try:
            response = await self.call(attempt.tool, arguments)
        except httpx.TransportError as error:
            self.problems.append(f"{said}: no answer: {error!r}")
            return True
        took = time.monotonic() - began
        if took > expected + _MARGIN:
            self.problems.append(f"{said}: answered after {took:.1f} s, {expected:g} expected")
        if response.status_code == httpx.codes.INTERNAL_SERVER_ERROR:
            self.problems.append(f"{said}: {response.text[:300]}")
        return True


def _expected(tool: Tool, arguments: Mapping[str, Any]) -> float:
    """Seconds that a call may take by what it asks for."""
    try:
        given = tool.arguments.model_validate(arguments)
    except (ValidationError, StockadeError):
        return _DEADLINE
    wanted: int | None = getattr(given, "timeout_ms", None)
    return (wanted / 1000 if wanted is not None else _DEADLINE) + given.lasts


@asynccontextmanager
async def _neighbour(ground: _Ground) -> AsyncIterator[list[float]]:
    """Somebody who clicks all the while, and whose every click must arrive, once."""
    took: list[float] = []

    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
        began = time.monotonic()
        response = await ground.quiet.post(f"/v1/sessions/quiet/tools/{tool}", json=arguments)
        assert response.status_code == 200, response.text
        took.append(time.monotonic() - began)
        return dict(response.json())

    async def click() -> None:
        await ground.quiet.post("/v1/sessions", json={"session": "quiet"})
        await call("navigate", url=ground.site.url("/quiet"))
        took.clear()
        count = 0
        while True:
            await call("click", selector="button")
            count += 1
            said = str(await call("snapshot"))
            assert f"{count}" in said, said
            if len(took) > 1 and max(took[-2:]) > _MARGIN:
                ground.problems.append(f"a neighbour waited {max(took[-2:]):.1f} s")
            await asyncio.sleep(_BETWEEN)

    async with asyncio.TaskGroup() as group:
        clicking = group.create_task(click())
        try:
            yield took
        finally:
            clicking.cancel()


@asynccontextmanager
async def _grounds(place: Path) -> AsyncIterator[_Ground]:
    (place / "scratch").mkdir()
    log = place / "log"
    settings = {
        "isolation": LEVEL,
        "capabilities": ",".join(map(str, Capability)),
        "egress_allow": LOOPBACK,
        "call_deadline": _DEADLINE,
        "approval_wait": 1,
        "approval_timeout": 2,
        "queue_wait": 5,
        "tab_wait": 5,
    }
    async with Site.serve() as site:
        _open_site(site)
        async with (
            program(place / "workspace", place / "scratch", log=log, **settings) as server,
            server.client() as admin,
            server.client() as quiet,
        ):
            admin.headers["content-type"] = "application/json"
            admin.timeout = quiet.timeout = httpx.Timeout(200)
            made = await admin.post("/v1/keys", json={"name": "quiet", "role": "agent"})
            quiet.headers["authorization"] = f"Bearer {made.json()['token']}"
            stalls = LoopStalls(admin, log)
            yield _Ground(server, site, admin, quiet, stalls)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(_PARTS))
async def test_hostile_arguments_stall_nobody(tmp_path: Path, soak: Soak, part: int) -> None:
    """A sample of the tools and their arguments, all of them in a soak."""
    if part and not soak.full:
        pytest.skip("one part of a sample is enough where it is not a soak")
    names = sorted(_TOOLS)
    chosen = names[part::_PARTS] if soak.full else soak.random.sample(names, _SAMPLE)
    made = 0
    async with _grounds(tmp_path) as ground:
        async with _neighbour(ground) as took:
            for name in chosen:
                tried = attempts(_TOOLS[name], soak.random)
                if not soak.full:
                    tried = soak.random.sample(tried, min(_OF_EACH, len(tried)))
                made += await ground.try_tool(_TOOLS[name], tried)
        clicks = sorted(took)
        print(  # noqa: T201
            f"{made} hostile calls of {len(chosen)} tools; the neighbour's p95 "
            f"{clicks[int(len(clicks) * 0.95)] * 1000:.0f} ms"
        )
        assert not ground.problems, "\n".join(ground.problems)


def test_every_argument_is_tried() -> None:
    chance = random.Random(1)
    for name, tool in _TOOLS.items():
        tried = {each.path[0] for each in attempts(tool, chance)}
        schema = tool.arguments.model_json_schema(by_alias=True)
        assert tried >= set(schema.get("properties", {})), name
