"""A hostile agent: a process that makes expensive calls in its own session until it is ended.

It has a process of its own so that what it takes to read its answers does not count as the server's.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import httpx

__all__ = ["SESSION", "hostile_agent"]

SESSION = "hostile"
_EVIL = {"kind": "matches", "key": "value", "value": "^(a|aa)+$"}
_CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("snapshot", {"maxResultTokens": 20_000}),
    ("page_text", {"maxResultTokens": 20_000}),
    ("read_dom", {}),
    ("console_read", {}),
    ("network_read", {"urlPattern": "*a" * 300 + "*b"}),
    ("text_search", {"text": "row"}),
    ("find", {"query": "(a+)+" * 100}),
    ("scroll", {"selector": ":has(" * 30 + "*" + ")" * 30}),
)
_PREDICATE = {
    "predicate": {
        "kind": "or",
        "predicates": [{**_EVIL, "value": f"^(a|aa)+{n}$"} for n in range(50)],
    },
    "data": {"value": "a" * 5000 + "!"},
}


class _Agent:
    """Counts what it got done."""

    def __init__(self, client: httpx.AsyncClient, tools: frozenset[str]) -> None:
        self._client = client
        self._calls = [each for each in _CALLS if not tools or each[0] in tools]
        self._patterns = not tools or "verify_predicate" in tools
        self.done = 0

    async def _tools(self) -> None:
        while self._calls:
            for tool, arguments in self._calls:
                await self._client.post(f"/v1/sessions/{SESSION}/tools/{tool}", json=arguments)
                self.done += 1

    async def _predicates(self) -> None:
        while self._patterns:
            await self._client.post("/v1/tools/verify_predicate", json=_PREDICATE)
            self.done += 1

    async def work(self) -> None:
        async with asyncio.TaskGroup() as group:
            for each in (self._tools, self._tools, self._predicates):
                group.create_task(each())


async def _main(url: str, token: str, tools: frozenset[str]) -> None:
    os.nice(19)
    headers = {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(
        base_url=url, headers=headers, timeout=120, trust_env=False
    ) as client:
        agent = _Agent(client, tools)
        async with asyncio.timeout(None) as ending:
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGTERM, lambda: ending.reschedule(0))
            with suppress(asyncio.CancelledError):
                await agent.work()
    sys.stdout.write(json.dumps(agent.done))


@asynccontextmanager
async def hostile_agent(
    url: str, token: str, tools: frozenset[str] = frozenset()
) -> AsyncIterator[list[int]]:
    """Have one at work meanwhile, with those tools or all; the number of its calls at the end."""
    calls: list[int] = []
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bench.hostility",
        url,
        token,
        *tools,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield calls
    finally:
        process.terminate()
        said, _ = await process.communicate()
        calls.append(json.loads(said or b"0"))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], sys.argv[2], frozenset(sys.argv[3:])))
