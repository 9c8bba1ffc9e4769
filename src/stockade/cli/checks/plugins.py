"""Checks of the plugins: which of those that are wanted would be loaded."""

from __future__ import annotations

from collections.abc import Iterator

from stockade.cli.checks.finding import Finding
from stockade.config import Settings
from stockade.errors import StockadeError
from stockade.flows.plugins import Plugins
from stockade.policy.capabilities import parse_capabilities

__all__ = ["plugins"]

_REMEDIES = {
    "not-installed": "pip install it where the server runs, or take it off STOCKADE_PLUGINS.",
    "disabled-by-capability-mismatch": "Turn the capability on: STOCKADE_CAPABILITIES.",
    "disabled-by-cycle": "Take one of them off STOCKADE_PLUGINS.",
    "disabled-by-dep-missing": "Name what it depends on in STOCKADE_PLUGINS too.",
    "disabled-by-namespace-conflict": "Keep one of the two in STOCKADE_PLUGINS.",
}


def plugins(settings: Settings) -> Iterator[Finding]:
    """Whether each plugin that a setting names can be used; nothing where there is none."""
    if not settings.plugins:
        return
    try:
        found = Plugins.load(settings.plugins, parse_capabilities(settings.capabilities))
    except StockadeError as error:
        yield Finding("plugins", "problem", error.message, error.hint)
        return
    for each in found:
        if each.status == "loaded":
            shown = f"{each.name} {each.version} answers as {each.namespace}"
            yield Finding("plugins", "ok", shown)
        elif each.status != "disabled":
            said = f"{each.name}: {each.problem}"
            remedy = _REMEDIES.get(each.status, "Ask whoever wrote it.")
            yield Finding("plugins", "warning", said, remedy)
