"""Checks of the jails: whether a session's browser can have one, and what limits it there."""

from __future__ import annotations

from stockade.cli.checks.finding import Finding
from stockade.config import Settings
from stockade.jails.cgroups import Groups
from stockade.jails.support import Support, support

__all__ = ["control_groups", "jails"]

_LIMITS = ("memory", "tasks", "cpu")


async def jails(settings: Settings) -> Finding:
    """Whether they work here, and whether the settings want them."""
    return _judged(await support(settings.browser_uid), settings.isolation)


def _judged(found: Support, wanted: str) -> Finding:
    if not found.works and wanted == "bwrap":
        return Finding("jails", "problem", found.reason, found.remedy)
    if not found.works:
        said = f"none: {found.reason}; sessions share this machine's namespaces"
        return Finding("jails", "warning", said, found.remedy)
    if wanted in {"auto", "bwrap"}:
        return Finding("jails", "ok", f"each session's browser gets one ({found.version})")
    return Finding(
        "jails",
        "warning",
        f"they work here, and isolation is {wanted}: browsers go without",
        "Unset STOCKADE_ISOLATION.",
    )


def control_groups() -> Finding:
    """Which limits of a jail can be kept."""
    groups = Groups.found()
    held = [each for each in _LIMITS if each in groups.holds]
    if not groups.missing:
        return Finding("cgroups", "ok", f"they limit {', '.join(held)}")
    why, _, remedy = next(iter(groups.missing.values())).partition(". ")
    said = f"they limit {', '.join(held) or 'nothing'}, not {', '.join(groups.missing)}: {why}"
    return Finding("cgroups", "warning", said, remedy)
