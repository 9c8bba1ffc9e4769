"""The tools, one module per family."""

from __future__ import annotations

from stockade.kernel.registry import Registry
from stockade.tools import (
    actions,
    batch,
    control,
    dialogs,
    files,
    forms,
    navigation,
    pictures,
    read,
    waiting,
)

__all__ = ["registry"]


def registry() -> Registry:
    """Every tool there is."""
    return Registry.of(
        control,
        navigation,
        read,
        pictures,
        actions,
        forms,
        waiting,
        dialogs,
        batch,
        files,
    )
