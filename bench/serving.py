"""`stockade serve`: what the server costs until it is ready, and after its first MCP call."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import httpx2
from mcp import ClientSession, MCPError
from mcp.client.streamable_http import streamable_http_client

from bench.contenders import Arena, ContenderFailed
from bench.contenders.stockade import Stockade
from bench.figures import Table
from bench.machine import Tree
from bench.stage import Stage

__all__ = ["serving"]

_PATIENCE = 30.0
READY = "serve, start to ready"


async def serving(arena: Arena, stage: Stage, table: Table, count: int) -> None:
    """Start and end the server `count` times."""
    for turn in range(1, count + 1):
        print(f"serve {turn}", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="stockade-bench-home-") as home:
            try:
                await _serve(Stockade(arena), Path(home), stage, table)
            except ContenderFailed as error:
                table.cell(READY, Stockade.name).failure = str(error)
                return


async def _serve(stockade: Stockade, home: Path, stage: Stage, table: Table) -> None:
    mark = secrets.token_hex(8)
    tree = Tree(f"BENCH_CONTENDER={mark}", stockade.arena.browser)
    log = home / "errors.txt"
    with log.open("wb") as errors:
        start = time.perf_counter()
        process = await asyncio.create_subprocess_exec(
            stockade.arena.stockade,
            "serve",
            "--port=0",
            "--json",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            env={
                "PATH": os.defpath,
                "HOME": str(home),
                "BENCH_CONTENDER": mark,
                **stockade.settings(home),
            },
            cwd=home,
            start_new_session=True,
        )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(_PATIENCE):
            said = await process.stdout.readline()
        if not said:
            raise ContenderFailed(log.read_text(encoding="utf-8", errors="replace")[-500:])
        idle = tree.usage()
        name = stockade.name
        table.put(READY, name, "ms", (time.perf_counter() - start) * 1000)
        table.put("serve, CPU to ready", name, "s", idle.cpu)
        table.put_memory("serve, PSS before a browser", name, idle)
        ready = json.loads(said)
        await _first_call(ready, stage.url("/form", who="serve", visit="serve"))
        table.put_memory("serve, PSS after the first MCP call", name, tree.usage())
    except TimeoutError:
        raise ContenderFailed("it was not ready in time") from None
    except (MCPError, httpx2.HTTPError) as error:
        raise ContenderFailed(f"the first MCP call: {error}") from error
    finally:
        # Not by a method of the process: that reaps it behind the event loop's back.
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)
        tree.end()
        await process.wait()


async def _first_call(ready: dict[str, str], page: str) -> None:
    token = Path(ready["token_file"]).read_text(encoding="ascii").strip()
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=_PATIENCE) as http,
        streamable_http_client(ready["mcp_url"], http_client=http) as (read, write),
        ClientSession(read, write, read_timeout_seconds=_PATIENCE) as session,
    ):
        await session.initialize()
        answer = await session.call_tool("navigate", {"url": page})
        if answer.is_error:
            raise ContenderFailed(f"the first MCP call: {str(answer.content)[:300]}")
