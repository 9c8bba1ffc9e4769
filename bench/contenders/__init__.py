"""Whoever is measured, behind one interface."""

from __future__ import annotations

from bench.contenders.agent_browser import AgentBrowser
from bench.contenders.contender import Arena, Contender, ContenderFailed
from bench.contenders.devtools import DevTools
from bench.contenders.playwright import Playwright
from bench.contenders.result import Result
from bench.contenders.stockade import Stockade

__all__ = ["CONTENDERS", "Arena", "Contender", "ContenderFailed", "Result"]

CONTENDERS: dict[str, type[Contender]] = {
    kind.name: kind for kind in (Stockade, Playwright, DevTools, AgentBrowser)
}
