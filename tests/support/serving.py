"""A whole server for tests: in this process with everything real, or in a process of its own."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from stockade.config import Settings
from stockade.server import Ready, serve
from stockade.telemetry.logs import quiet
from tests.support.browsers import writable_by_browser
from tests.support.levels import LEVEL
from tests.support.site import LOOPBACK

WAIT_SECONDS = 20.0


@dataclass(frozen=True)
class Served:
    """A server that answers, and ways to talk to it."""

    url: str
    login_url: str
    workspace: Path
    client: httpx.AsyncClient
    """Sends the admin's token."""
    stranger: httpx.AsyncClient
    """Sends none."""

    @property
    def token(self) -> str:
        return (self.workspace / "admin.token").read_text(encoding="utf-8").strip()

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def authority(self) -> str:
        return f"127.0.0.1:{self.port}"

    async def key(self, **wanted: Any) -> tuple[str, dict[str, str]]:
        """Make a key: its id, and the headers of who has it."""
        made = await self.client.post("/v1/keys", json=wanted)
        assert made.status_code == 201, made.text
        return made.json()["key"]["id"], {"authorization": f"Bearer {made.json()['token']}"}

    async def call(
        self, tool: str, session: str = "default", *, headers: Mapping[str, str] | None = None,
        **arguments: Any,
    ) -> httpx.Response:  # fmt: skip
        """Call a tool over REST."""
        path = f"/v1/sessions/{session}/tools/{tool}"
        return await self.client.post(path, json=arguments, headers=headers)

    async def raw(self, *pieces: bytes) -> bytes:
        """Send bytes as they are; what comes until the server closes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                for piece in pieces:
                    writer.write(piece)
                    await writer.drain()
                return await reader.read()
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


@asynccontextmanager
async def served(
    workspace: Path, *, no_auth: bool = False, host: str = "127.0.0.1", **settings: Any
) -> AsyncIterator[Served]:
    """Run `serve` in this process; leaving the block ends it."""
    ready: asyncio.Future[Ready] = asyncio.get_running_loop().create_future()
    standing = {"isolation": LEVEL, "log_format": "json", "egress_allow": LOOPBACK}
    given = {**standing, "port": 0, **settings}
    chosen = Settings(workspace=workspace, host=host, **given)
    with logging_restored():
        async with asyncio.TaskGroup() as group:
            task = group.create_task(serve(chosen, no_auth=no_auth, ready=ready.set_result))
            task.add_done_callback(lambda _: ready.cancel())
            async with asyncio.timeout(WAIT_SECONDS):
                now = await ready
            admin = {
                "authorization": f"Bearer {now.token_file.read_text(encoding='utf-8').strip()}"
            }
            async with _client(now.url, admin) as client, _client(now.url, {}) as stranger:
                yield Served(now.url, now.login_url, workspace, client, stranger)
            task.cancel()


def _client(url: str, headers: dict[str, str]) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, headers=headers, timeout=WAIT_SECONDS, trust_env=False)


@contextmanager
def logging_restored() -> Iterator[None]:
    """A server logs where it wants; afterwards the test run goes on as before."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.captureWarnings(capture=False)
        quiet()


# --- in a process of its own ----------------------------------------------------------------------

_PROGRAM = """
import sys
from stockade.config import load
from stockade.server import run
from stockade.errors import StockadeError
try:
    run(load(log_format="json", **eval(sys.argv[1])), ready=lambda now: print(now.login_url, flush=True))
except StockadeError as error:
    print(type(error).__name__, error.message, error.hint, flush=True)
    sys.exit(9)
"""


@dataclass(frozen=True)
class Program:
    """A server process."""

    process: asyncio.subprocess.Process
    workspace: Path
    first_line: str

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def url(self) -> str:
        return str(json.loads((self.workspace / "server.json").read_bytes())["url"])

    def client(self) -> httpx.AsyncClient:
        token = (self.workspace / "admin.token").read_text(encoding="utf-8").strip()
        return _client(self.url, {"authorization": f"Bearer {token}"})

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    async def ended(self) -> tuple[int, str]:
        """Wait for its end: the exit code and the log."""
        async with asyncio.timeout(WAIT_SECONDS):
            _, log = await self.process.communicate()
        assert self.process.returncode is not None
        return self.process.returncode, log.decode()


@asynccontextmanager
async def program(
    workspace: Path, scratch: Path, *, log: Path | None = None, **settings: Any
) -> AsyncIterator[Program]:
    """Start a server as a process, its throw-away files in `scratch`; it ends with the block.

    One that has much to say needs a file for its log.
    """
    writable_by_browser(scratch)
    given = {"workspace": str(workspace), "port": 0, **settings}
    with ExitStack() as stack:
        errors = stack.enter_context(log.open("wb")) if log is not None else None
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _PROGRAM,
            repr(given),
            stdout=asyncio.subprocess.PIPE,
            stderr=errors or asyncio.subprocess.PIPE,
            env={**os.environ, "TMPDIR": str(scratch)},
        )
    try:
        assert process.stdout is not None
        async with asyncio.timeout(WAIT_SECONDS):
            line = await process.stdout.readline()
        yield Program(process, workspace, line.decode().strip())
    finally:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def until(true: Callable[[], bool]) -> None:
    """Wait until something outside this process has come about."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.02)
