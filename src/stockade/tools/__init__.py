"""The tools, one module per family."""

from __future__ import annotations

from stockade.kernel.registry import Registry

__all__ = ["registry"]


def registry() -> Registry:
    """Every tool there is."""
    from stockade.tools import control

    return Registry.of(control)
