"""Checks of the browser: that there is one, that it starts, that its own sandbox is on."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

from stockade.cli.checks.commands import attempt
from stockade.cli.checks.finding import Finding
from stockade.config import Settings
from stockade.engines.cdp.launch import ChromiumEngine, find_binary
from stockade.engines.values import ContextOptions, LaunchOptions
from stockade.errors import LaunchFailed, StockadeError
from stockade.jails.bwrap import BwrapJail, Measures
from stockade.jails.cgroups import Groups
from stockade.jails.sandbox import renderers
from stockade.jails.support import support

__all__ = ["browser", "renderer_walls"]


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
    uid = settings.browser_uid
    room = await _room(settings)
    try:
        running = await ChromiumEngine().launch(
            LaunchOptions(binary=binary, uid=uid, scratch=scratch, room=room)
        )
    except StockadeError as error:
        yield Finding("start", "problem", _failure(error), error.hint)
        return
    try:
        context = await running.new_context(ContextOptions())
        page = await context.new_page()
        await page.navigate("about:blank")
        took = time.monotonic() - begun
        where = "starts in a jail" if room is not None else "starts"
        yield Finding("start", "ok", f"the browser {where} and opens a page ({took:.1f} s)")
        yield renderer_walls(running.pid)
    except StockadeError as error:
        yield Finding("start", "problem", f"the browser opens no page: {error.message}", error.hint)
    finally:
        await running.close()


async def _room(settings: Settings) -> BwrapJail | None:
    """The jail that a session's browser would be in, where it would be in one."""
    if settings.isolation not in {"auto", "bwrap"}:
        return None
    if not (await support(settings.browser_uid)).works:
        return None
    return BwrapJail("doctor", settings.browser_uid, Measures(), Groups.found())


def _failure(error: StockadeError) -> str:
    lines = str(error.details.get("output", "")).strip().splitlines()
    return f"{error.message}: {lines[-1][:200]}" if lines else error.message


def renderer_walls(pid: int) -> Finding:
    """Whether the renderers below `pid` run under seccomp, in namespaces of their own."""
    if not Path("/proc/self/status").is_file():
        return Finding("sandbox", "warning", "cannot be seen on this system")
    found = renderers(pid)
    if not found.count:
        return Finding("sandbox", "problem", "no renderer process was found")
    if found.fault:
        remedy = "Use an unchanged Chromium, and allow user namespaces."
        return Finding("sandbox", "problem", found.fault, remedy)
    return Finding("sandbox", "ok", "on: renderers run under seccomp in their own namespaces")
