"""Checks of the setup: settings, workspace, database and address."""

from __future__ import annotations

import os
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from stockade.cli.checks.finding import Finding
from stockade.cli.posture import line, unused, warnings
from stockade.cli.remote import Server
from stockade.config import Settings
from stockade.errors import StockadeError
from stockade.scratch import reaches
from stockade.workspace import Workspace

__all__ = ["address", "database", "policy", "scratch", "variables", "workspace"]

_PRIVATE = 0o700


def variables(settings: Settings) -> Finding:
    """Whether the environment holds what looks like a setting and is none."""
    found = unused(settings)
    if not found:
        return Finding("settings", "ok", "all are known")
    return Finding("settings", "warning", "; ".join(found), "docs/settings.md lists what there is.")


def policy(settings: Settings) -> Iterator[Finding]:
    """How much agents may do."""
    try:
        said = line(settings)
        loud = warnings(settings)
    except StockadeError as error:
        yield Finding("policy", "problem", error.message, error.hint)
        return
    yield Finding("policy", "ok", said)
    for each in loud:
        yield Finding("policy", "warning", each, "Turn it off where no agent needs it.")


def workspace(settings: Settings) -> Finding:
    """Whether the directory is private, whole, and can be written."""
    path = settings.workspace
    place = next(each for each in (path, *path.parents) if each.exists())
    if not os.access(place, os.W_OK | os.X_OK):
        return Finding(
            "workspace",
            "problem",
            f"nothing can be written in {place}",
            "Choose another workspace with STOCKADE_WORKSPACE.",
        )
    if place != path:
        return Finding("workspace", "ok", f"{path} is made when a server first starts")
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        if Workspace(path).read("key") is not None:
            _ = Workspace(path).key
    except (OSError, StockadeError) as error:
        remedy = error.hint if isinstance(error, StockadeError) else "Run as its owner."
        return Finding("workspace", "problem", str(error), remedy)
    if mode != _PRIVATE:
        return Finding(
            "workspace", "warning", f"{path} is open to others ({mode:04o})", f"chmod 700 {path}"
        )
    return Finding("workspace", "ok", f"{path}, private")


@asynccontextmanager
async def scratch(settings: Settings) -> AsyncIterator[tuple[Path | None, Finding]]:
    """Where a server would make throw-away directories; what is made for a look goes again."""
    path = settings.workspace
    made = [each for each in (path / "scratch", path, *path.parents) if not each.exists()]
    try:
        yield await _let_in(settings)
    finally:
        for each in made:
            with suppress(OSError):
                each.rmdir()


async def _let_in(settings: Settings) -> tuple[Path | None, Finding]:
    uid = settings.browser_uid
    try:
        place = Workspace.open(settings.workspace).scratch()
        if await reaches(uid, place):
            return place, Finding("scratch", "ok", f"profiles and downloads lie in {place}")
    except StockadeError as error:
        return None, Finding("scratch", "problem", error.message, error.hint)
    return None, Finding(
        "scratch",
        "warning",
        f"uid {uid} cannot be let into the workspace: profiles and downloads are temporary files",
        "Do not run as root, or let root mount (CAP_SYS_ADMIN).",
    )


async def database(settings: Settings) -> Finding:
    """Whether the database can be reached and has our tables."""
    from stockade.store.database import Database
    from stockade.store.keys import Keys

    if not settings.database_url and not (settings.workspace / "stockade.db").exists():
        return Finding("database", "ok", "it is made when a server first starts")
    try:
        async with await Database.open(settings.database) as found:
            keys = len(await Keys(found).list())
    except StockadeError as error:
        return Finding("database", "problem", error.message, error.hint)
    kind = "the database" if settings.database_url else "SQLite in the workspace"
    return Finding("database", "ok", f"{kind}, its schema up to date; keys: {keys}")


async def address(settings: Settings) -> Finding:
    """Whether our server answers, or another could listen."""
    from stockade.surfaces.listener import bind

    try:
        server = Server.find(settings.workspace)
        if server is not None:
            health = server.health()
            return Finding(
                "server", "ok", f"version {health.get('version')} answers at {server.url}"
            )
        (await bind(settings.host, settings.port)).close()
    except StockadeError as error:
        return Finding("server", "problem", error.message, error.hint)
    return Finding("server", "ok", f"none runs; {settings.host} port {settings.port} is free")
