"""Checks of families of tools that need something of the operator, where they are on."""

from __future__ import annotations

from collections.abc import Iterator

from stockade.cli.checks.finding import Finding
from stockade.config import Settings
from stockade.engines.cdp.launch import find_full_binary, is_headless_shell
from stockade.errors import LaunchFailed, StockadeError
from stockade.files.unpacked import read_unpacked
from stockade.policy.capabilities import Capability, parse_capabilities

__all__ = ["diagnostics", "extensions"]

_MOST_SHOWN = 20


def extensions(settings: Settings) -> Iterator[Finding]:
    """Whether there is a browser for them, and whether each that is offered can be read."""
    if Capability.EXTENSIONS not in parse_capabilities(settings.capabilities):
        return
    if settings.chromium is None or is_headless_shell(settings.chromium):
        try:
            find_full_binary()
        except LaunchFailed as error:
            yield Finding("extensions", "problem", error.message, error.hint)
    place = settings.workspace / "extensions"
    offered = sorted(each.name for each in place.iterdir()) if place.is_dir() else []
    if not offered:
        yield Finding(
            "extensions", "warning", "none is offered", f"Put unpacked extensions into {place}."
        )
    for name in offered[:_MOST_SHOWN]:
        try:
            found = read_unpacked(lambda: place, name)
        except StockadeError as error:
            yield Finding("extensions", "warning", f"{name}: {error.message}", error.hint)
        else:
            yield Finding("extensions", "ok", f"{name}: {found.name} {found.version}")


def diagnostics(settings: Settings) -> Finding | None:
    """For how long lines about calls are kept; nothing where none are written."""
    if Capability.DIAGNOSTICS not in parse_capabilities(settings.capabilities):
        return None
    days = settings.diagnostics_retention_days
    place = settings.workspace / "diagnostics"
    size = sum(each.stat().st_size for each in place.rglob("*.jsonl")) if place.is_dir() else 0
    return Finding("diagnostics", "ok", f"{size / 2**20:,.1f} MB, kept for {days} days")
