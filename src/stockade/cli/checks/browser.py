"""Checks of the browser: that there is one, that it starts, that its own sandbox is on."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from stockade.cli.checks.commands import attempt
from stockade.cli.checks.finding import Finding
from stockade.config import Settings
from stockade.engines.cdp.launch import ChromiumEngine, find_binary
from stockade.engines.values import ContextOptions, LaunchOptions
from stockade.errors import LaunchFailed, StockadeError

__all__ = ["browser", "renderer_walls"]

_SECCOMP_FILTER = "2"


async def browser(settings: Settings, scratch: Path | None = None) -> AsyncIterator[Finding]:
    """Find the browser, start it, open a page, and look at the process that draws it."""
    try:
        binary = settings.chromium or find_binary()
    except LaunchFailed as error:
        yield Finding("browser", "problem", error.message, error.hint)
        return
    version = await attempt(str(binary), "--version", uid=settings.browser_uid)
    if version is None or not version.works:
        said = version.complaint if version is not None else "it cannot be run"
        yield Finding(
            "browser", "problem", f"{binary}: {said}", "Set STOCKADE_CHROMIUM to another."
        )
        return
    yield Finding("browser", "ok", f"{version.output.strip()} at {binary}")
    async for finding in _started(binary, settings, scratch):
        yield finding


async def _started(
    binary: Path, settings: Settings, scratch: Path | None
) -> AsyncIterator[Finding]:
    begun = time.monotonic()
    try:
        running = await ChromiumEngine().launch(
            LaunchOptions(binary=binary, uid=settings.browser_uid, scratch=scratch)
        )
    except StockadeError as error:
        yield Finding("start", "problem", _failure(error), error.hint)
        return
    try:
        context = await running.new_context(ContextOptions())
        page = await context.new_page()
        await page.navigate("about:blank")
        took = time.monotonic() - begun
        yield Finding("start", "ok", f"the browser starts and opens a page ({took:.1f} s)")
        yield renderer_walls(running.pid)
    except StockadeError as error:
        yield Finding("start", "problem", f"the browser opens no page: {error.message}", error.hint)
    finally:
        await running.close()


def _failure(error: StockadeError) -> str:
    lines = str(error.details.get("output", "")).strip().splitlines()
    return f"{error.message}: {lines[-1][:200]}" if lines else error.message


def renderer_walls(pid: int) -> Finding:
    """Whether the renderers below `pid` run under seccomp, in namespaces of their own."""
    if not Path("/proc/self/status").is_file():
        return Finding("sandbox", "warning", "cannot be seen on this system")
    renderers = [each for each in _below(pid) if b"--type=renderer" in _command(each)]
    if not renderers:
        return Finding("sandbox", "problem", "no renderer process was found")
    ours = _namespace(Path("/proc/self"))
    for each in renderers:
        status = _status(each)
        if status.get("Seccomp") != _SECCOMP_FILTER:
            return Finding(
                "sandbox",
                "problem",
                "a renderer runs without a seccomp filter",
                "Use an unchanged Chromium, and allow user namespaces.",
            )
        if len(status.get("NSpid", "").split()) < 2 and _namespace(each) == ours:  # noqa: PLR2004
            return Finding(
                "sandbox",
                "problem",
                "a renderer shares our namespaces",
                "Allow user namespaces; see jails.",
            )
    return Finding("sandbox", "ok", "on: renderers run under seccomp in their own namespaces")


def _below(pid: int) -> Iterator[Path]:
    """The processes that descend from `pid`."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (parent := _status(entry).get("PPid")):
            parents[int(entry.name)] = int(parent)
    for each in parents:
        above = each
        while above in parents and above != pid:
            above = parents[above]
        if above == pid and each != pid:
            yield Path("/proc") / str(each)


def _status(process: Path) -> dict[str, str]:
    try:
        lines = (process / "status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _command(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


def _namespace(process: Path) -> str:
    try:
        return str((process / "ns" / "pid").readlink())
    except OSError:
        return ""
