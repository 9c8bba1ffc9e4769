"""The tools, one module per family."""

from __future__ import annotations

from stockade.kernel.registry import Registry
from stockade.tools import control

__all__ = ["registry"]


def registry() -> Registry:
    """Every tool there is."""
    return Registry.of(control)
