"""The real command, in a home of its own: from a cold start, or forked where that is not the point."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.site import LOOPBACK

COMMAND = Path(sys.executable).parent / "stockade"
_ASKING = Path(__file__).with_name("asking.py")
_PATIENCE = 60.0


@dataclass(frozen=True)
class Done:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """What it wrote for programs: one line of JSON."""
        assert self.out.count("\n") == 1, self
        return json.loads(self.out)


@dataclass(frozen=True)
class Home:
    """A user with a home, a workspace in it, and nothing else."""

    path: Path
    forks: Path
    """Where commands are forked."""

    @property
    def workspace(self) -> Path:
        return self.path / "workspace"

    def environment(self, **more: str) -> dict[str, str]:
        return {
            "HOME": str(self.path),
            "PATH": os.environ["PATH"],
            "TMPDIR": os.environ["TMPDIR"],
            "LANG": "C.UTF-8",
            "STOCKADE_WORKSPACE": str(self.workspace),
            "STOCKADE_EGRESS_ALLOW": LOOPBACK,
            **more,
        }

    async def start(
        self, *arguments: str, environment: Mapping[str, str] | None = None
    ) -> asyncio.subprocess.Process:
        """A command under way, started cold, with pipes to it."""
        return await self._start((str(COMMAND), *arguments), environment)

    async def fork(
        self, *arguments: str, environment: Mapping[str, str] | None = None
    ) -> asyncio.subprocess.Process:
        """The same, without the time that its imports take."""
        asking = (sys.executable, "-I", "-S", str(_ASKING), str(self.forks))
        return await self._start((*asking, *arguments), environment)

    async def _start(
        self, command: tuple[str, ...], environment: Mapping[str, str] | None
    ) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self.environment(**(environment or {})),
            cwd=self.path,
            limit=2**24,
        )

    async def run(
        self, *arguments: str, input: str = "", cold: bool = False, **environment: str
    ) -> Done:
        """A command from beginning to end."""
        begin = self.start if cold else self.fork
        process = await begin(*arguments, environment=environment)
        async with asyncio.timeout(_PATIENCE):
            out, err = await process.communicate(input.encode())
        assert process.returncode is not None
        assert b"Traceback" not in err, err.decode()
        return Done(process.returncode, out.decode(), err.decode())

    async def imports(self, *arguments: str, **environment: str) -> set[str]:
        """The top-level packages that a command imports."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-X", "importtime", "-m", "stockade", *arguments),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=self.environment(**environment),
            cwd=self.path,
        )
        async with asyncio.timeout(_PATIENCE):
            _, err = await process.communicate()
        lines = [line for line in err.decode().splitlines() if line.startswith("import time:")]
        found = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
        assert {"stockade", "typer"} <= found
        return found

    async def run_on_terminal(self, *arguments: str, **environment: str) -> str:
        """What a command writes when people watch."""
        ours, theirs = pty.openpty()
        try:
            process = await asyncio.create_subprocess_exec(
                COMMAND,
                *arguments,
                stdin=theirs,
                stdout=theirs,
                stderr=theirs,
                env=self.environment(TERM="xterm-256color", COLUMNS="200", **environment),
                cwd=self.path,
            )
        finally:
            os.close(theirs)
        try:
            async with asyncio.timeout(_PATIENCE):
                text = await asyncio.to_thread(_read_all, ours)
                await process.wait()
        finally:
            os.close(ours)
        return text

    @asynccontextmanager
    async def server(self, *arguments: str, **environment: str) -> AsyncIterator[dict[str, Any]]:
        """A server that runs, and what it said when it was ready."""
        process = await self.fork(
            "serve", "--port", "0", "--json", *arguments, environment=environment
        )
        assert process.stdout is not None
        try:
            async with asyncio.timeout(_PATIENCE):
                line = await process.stdout.readline()
            assert line, await process.communicate()
            yield json.loads(line)
        finally:
            process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(_PATIENCE):
                await process.communicate()
        assert process.returncode == 0


def _read_all(descriptor: int) -> str:
    found = b""
    while True:
        try:
            data = os.read(descriptor, 65536)
        except OSError:
            # The other end of a terminal is closed.
            break
        if not data:
            break
        found += data
    return found.decode().replace("\r\n", "\n")
