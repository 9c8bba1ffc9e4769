"""A standing browser: one with a debugging port, that goes on after whoever started it."""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from stockade.engines.cdp.attached import debugger_path
from stockade.errors import LaunchFailed
from stockade.processes import spawn, unprivileged

__all__ = ["Standing", "start"]

_ANNOUNCED = "DevToolsActivePort"
_ERRORS = "errors.txt"
_LONGEST_ERRORS = 4000
_PATIENCE = 20.0
_GRACE = 5.0
_AGAIN = 0.05
"""Seconds until it is asked once more whether it listens."""
_KEPT_OPEN = 5
"""The number under which the browser holds its profile, so that nobody sweeps it away."""

_FLAGS = (
    "--remote-debugging-address=127.0.0.1",
    "--no-first-run",
    "--no-default-browser-check",
)
_INSECURE = ("--disable-web-security", "--disable-site-isolation-trials")


@dataclass(frozen=True)
class Standing:
    """One that was started."""

    pid: int
    port: int
    profile: str
    insecure: bool = False

    @classmethod
    def told(cls, about: Mapping[str, Any]) -> Self:
        """As `facts` wrote it down."""
        return cls(
            int(about["pid"]), int(about["port"]), str(about["profile"]), bool(about["insecure"])
        )

    @property
    def facts(self) -> dict[str, Any]:
        """What to remember it by."""
        return asdict(self)

    @property
    def address(self) -> str:
        """Where it is attached to."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def alive(self) -> bool:
        """Whether it still runs, and not another that has its number now."""
        try:
            command = Path(f"/proc/{self.pid}/cmdline").read_bytes()
        except OSError:
            return False
        return f"--user-data-dir={self.profile}".encode() in command.split(b"\0")

    def stop(self) -> None:
        """End it: by asking, and after a while by force."""
        if not self.alive:
            return
        descriptor = os.pidfd_open(self.pid)
        try:
            os.kill(self.pid, signal.SIGTERM)
            ended, _, _ = select.select([descriptor], [], [], _GRACE)
            with suppress(ProcessLookupError, PermissionError):
                # What it started is in its group, and goes with it.
                os.killpg(self.pid, signal.SIGKILL)
            if not ended:
                select.select([descriptor], [], [], _GRACE)
        finally:
            os.close(descriptor)


async def start(
    binary: Path,
    profile: Path,
    *,
    port: int,
    uid: int,
    insecure: bool = False,
    headless: bool = True,
    environment: Mapping[str, str] | None = None,
    hold: int | None = None,
) -> Standing:
    """Start a browser that listens on loopback, under its own sandbox; it outlives us.

    `hold` is a descriptor that it keeps open for as long as it runs.
    """
    announced = profile / _ANNOUNCED
    announced.unlink(missing_ok=True)
    chosen = [
        *(["--headless=new"] if headless else []),
        f"--remote-debugging-port={port}",
        *_FLAGS,
        *(_INSECURE if insecure else ("--site-per-process",)),
        f"--user-data-dir={profile}",
        "about:blank",
    ]
    # It says what is wrong to a file: a pipe would end with us.
    errors = profile / _ERRORS
    written = os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    given = {2: written} if hold is None else {2: written, _KEPT_OPEN: hold}
    process = spawn(
        unprivileged([str(binary), *chosen], uid, within=profile),
        environment={
            "HOME": str(profile),
            "LANG": "C.UTF-8",
            "PATH": "/usr/bin:/bin",
            # It begins in its profile; the name of a socket there could be too long in full.
            "TMPDIR": ".",
            **(environment or {}),
        },
        descriptors=given,
    )
    os.close(written)
    listens: int | None = None
    try:
        async with asyncio.timeout(_PATIENCE):
            while process.alive:
                listens = await _listening(port, announced)
                if listens is not None:
                    break
                await asyncio.sleep(_AGAIN)
    except TimeoutError:
        pass
    if listens is None:
        await process.end(0.0)
        raise LaunchFailed(
            f"{binary.name} did not open its debugging port",
            hint="Is another browser listening there? Choose another with --port.",
            output=errors.read_text(encoding="utf-8", errors="replace")[-_LONGEST_ERRORS:],
        )
    return Standing(process.pid, listens, str(profile), insecure)


async def _listening(wanted: int, announced: Path) -> int | None:
    """The port that it answers on; a file tells of it only where it chose that itself."""
    if not wanted:
        return _port(announced)
    try:
        await debugger_path(f"http://127.0.0.1:{wanted}", _PATIENCE)
    except LaunchFailed:
        return None
    return wanted


def _port(announced: Path) -> int | None:
    """The port that the browser says it listens on."""
    try:
        return int(announced.read_text(encoding="utf-8").split()[0])
    except (OSError, ValueError, IndexError):
        return None
