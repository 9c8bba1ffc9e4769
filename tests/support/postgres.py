"""A Postgres of our own: one cluster per worker, started when first wanted, a schema per test."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import asyncpg  # type: ignore[import-untyped]
import pytest

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
START_SECONDS = 60.0
ADMIN = "stockade"


class Postgres:
    """A cluster that listens on a socket in its own directory and forgets everything at the end."""

    def __init__(self, folder: Path, password: str, server: subprocess.Popen[bytes]) -> None:
        self.folder = folder
        self.password = password
        self._server = server

    @classmethod
    def start(cls) -> Self:
        folder = Path(tempfile.mkdtemp(prefix="postgres-"))
        password = secrets.token_hex(16)
        given = folder / "password"
        given.write_text(password, encoding="utf-8")
        for path in (folder, given):
            os.chown(path, *_account())
        data = folder / "data"
        _run(
            "initdb",
            f"--pgdata={data}",
            f"--username={ADMIN}",
            f"--pwfile={given}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--no-locale",
            "--no-sync",
            "--no-instructions",
        )
        options = {
            "listen_addresses": "",
            "unix_socket_directories": str(folder),
            "fsync": "off",
            "synchronous_commit": "off",
            "full_page_writes": "off",
            "max_connections": "100",
            "shared_buffers": "16MB",
        }
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                _unprivileged(
                    "postgres",
                    f"-D{data}",
                    *(f"-c{name}={value}" for name, value in options.items()),
                ),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=folder,
            )
        cluster = cls(folder, password, server)
        try:
            cluster._wait()
        except BaseException:
            cluster.stop()
            raise
        return cluster

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        # The last line of this file says how far the server has come.
        status = self.folder / "data" / "postmaster.pid"
        while not (status.exists() and status.read_text(encoding="utf-8").endswith("ready   \n")):
            if self._server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "log").read_text(encoding="utf-8"))
            time.sleep(0.01)

    def stop(self) -> None:
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait()
        shutil.rmtree(self.folder)

    def url(self, schema: str = "public", *, password: str | None = None) -> str:
        """Where `schema` is all there is; the password can be another than the right one."""
        user = f"{ADMIN}:{password or self.password}"
        return f"postgresql://{user}@/postgres?host={self.folder}&search_path={schema}"

    async def execute(self, statement: str) -> list[tuple[Any, ...]]:
        """Run SQL as the administrator, in a connection of its own."""
        connection = await asyncpg.connect(self.url())
        try:
            return [tuple(row) for row in await connection.fetch(statement)]
        finally:
            await connection.close()

    @asynccontextmanager
    async def new_schema(self) -> AsyncIterator[str]:
        """The URL of an empty schema, for one test."""
        name = f"test_{secrets.token_hex(6)}"
        await self.execute(f"CREATE SCHEMA {name}")
        yield self.url(name)
        await self.execute(f"DROP SCHEMA {name} CASCADE")


def _account() -> tuple[int, int]:
    """Who the server runs as: it refuses to be root, and wants a name in the user database."""
    if os.geteuid() != 0:
        return os.geteuid(), os.getegid()
    account = pwd.getpwnam("postgres")
    return account.pw_uid, account.pw_gid


def _unprivileged(program: str, *arguments: str) -> Sequence[str]:
    # The signal ends the server with us, also when we are killed.
    wrapper = ["setpriv", "--pdeathsig=QUIT"]
    if os.geteuid() == 0:
        uid, gid = _account()
        wrapper += [f"--reuid={uid}", f"--regid={gid}", "--clear-groups"]
    return [*wrapper, "--", str(PROGRAMS / program), *arguments]


def _run(program: str, *arguments: str) -> None:
    done = subprocess.run(
        _unprivileged(program, *arguments),
        check=False,
        capture_output=True,
        text=True,
        cwd="/",
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise RuntimeError(f"{program}: {done.stderr}")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The cluster of this worker."""
    cluster = Postgres.start()
    yield cluster
    cluster.stop()
