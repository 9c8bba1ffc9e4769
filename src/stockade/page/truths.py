"""Yes and no, as people write them."""

from __future__ import annotations

from typing import Final

__all__ = ["read_truth"]

_YES: Final = frozenset({"true", "yes", "y", "on", "1", "✓", "✔", "ja", "oui", "sí", "si"})
_NO: Final = frozenset({"false", "no", "n", "off", "0", "✗", "✘", "nein", "non", "-", "–"})  # noqa: RUF001


def read_truth(text: str) -> bool | None:
    """Whether a text says yes; None where it says neither."""
    said = text.strip().casefold()
    if said in _YES or said in _NO:
        return said in _YES
    return None
