"""Applications from PyPI: installed into an environment of their own, run on a loopback port."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import venv
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import ClassVar

import httpx

from bench.apps.applications.flow import FlowSuite
from bench.npm import cache_folder

__all__ = ["SERVERS", "ServerApplication"]

SERVERS = Path(__file__).with_name("servers")
_START_SECONDS = 90.0
_END_SECONDS = 10.0
_PAUSE = 0.1


class ServerApplication(FlowSuite, ABC):
    """A web application that runs in a process group of its own, in a folder that is removed."""

    package: ClassVar[str]

    def __init__(self) -> None:
        self.port = 0
        self.folder = Path()

    # --- what each one says of itself -------------------------------------------------------------

    @abstractmethod
    def command(self) -> Sequence[str | Path]:
        """The command line, for its port and its folder."""

    @property
    def ready(self) -> str:
        """The path that answers when it is ready."""
        return "/"

    @property
    def environment(self) -> Mapping[str, str]:
        return {}

    # --- what all have in common ------------------------------------------------------------------

    def install(self, *, fresh: bool) -> str | None:
        folder = self._environment
        if fresh:
            shutil.rmtree(folder, ignore_errors=True)
        if (folder / "installed").is_file():
            return None
        print(f"installing {self.package} with pip", file=sys.stderr, flush=True)
        venv.create(folder, clear=True, with_pip=True)
        done = subprocess.run(
            [
                self.bin("python"),
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                self.package,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            print(done.stderr.strip()[-500:], file=sys.stderr)
            return f"{self.package} is not to be had from PyPI"
        (folder / "installed").touch()
        return None

    def bin(self, name: str) -> Path:
        """A command of its environment."""
        return self._environment / "bin" / name

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[None]:
        self.port = _free_port()
        with tempfile.TemporaryDirectory(prefix=f"stockade-bench-{self.name}-") as folder:
            self.folder = Path(folder)
            log = self.folder / "log.txt"
            with log.open("w", encoding="utf-8") as output:
                process = subprocess.Popen(  # noqa: ASYNC220 - nothing else runs meanwhile
                    [str(part) for part in self.command()],
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd=self.folder,
                    env={
                        "PATH": os.environ["PATH"],
                        "HOME": folder,
                        "TMPDIR": folder,
                        "LANG": "C.UTF-8",
                        **self.environment,
                    },
                    start_new_session=True,
                )
            try:
                await self._wait(process, log)
                yield
            finally:
                _end(process)

    @property
    def _environment(self) -> Path:
        return cache_folder() / "apps" / self.name

    async def _wait(self, process: subprocess.Popen[bytes], log: Path) -> None:
        deadline = time.monotonic() + _START_SECONDS
        async with httpx.AsyncClient(trust_env=False) as client:
            while time.monotonic() < deadline and process.poll() is None:
                with suppress(httpx.HTTPError):
                    if (await client.get(self.url(self.ready), follow_redirects=True)).is_success:
                        return
                await asyncio.sleep(_PAUSE)
        raise RuntimeError(
            f"{self.name} does not answer: {log.read_text(errors='replace')[-1000:]}"
        )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process group, which what it started belongs to as well."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_END_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
