"""Whoever is measured, behind one interface."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from bench.contenders.agent_browser import AgentBrowser
from bench.contenders.contender import Arena, Contender, ContenderFailed
from bench.contenders.devtools import DevTools
from bench.contenders.playwright import Playwright
from bench.contenders.result import Result
from bench.contenders.stockade import Stockade

__all__ = ["CONTENDERS", "Arena", "Contender", "ContenderFailed", "Result", "installed"]

CONTENDERS: dict[str, type[Contender]] = {
    kind.name: kind for kind in (Stockade, Playwright, DevTools, AgentBrowser)
}


class _Roster(Protocol):
    """Who was measured, and who could not be."""

    versions: dict[str, str]
    absent: dict[str, str]


def installed(
    kinds: Iterable[type[Contender]], arena: Arena, roster: _Roster, only: Sequence[str]
) -> list[Contender]:
    """Those of `kinds` that are wanted and installed; the roster notes versions and absences."""
    found = []
    for kind in kinds:
        if only and kind.name not in only:
            continue
        contender = kind(arena)
        try:
            roster.versions[kind.name] = contender.version
        except ContenderFailed as error:
            roster.absent[kind.name] = str(error)
        else:
            found.append(contender)
    return found
