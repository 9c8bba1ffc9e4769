"""Stealth: what pages commonly look at to tell a driven browser from one with a window."""

from __future__ import annotations

from functools import cache

from stockade.engines.values import InitScript, World
from stockade.page.scripts import script

__all__ = ["stealth_script"]


@cache
def stealth_script() -> InitScript:
    """What makes up, in every document, for what a browser without a window lacks."""
    return InitScript(f"({script('stealth')}\n)()", World.MAIN)
