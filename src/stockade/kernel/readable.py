"""Readable: values as a person is shown them, cut where they are long."""

from __future__ import annotations

import hashlib
from typing import Any, Final

__all__ = ["SECRET", "readable"]

SECRET: Final = "(secret)"  # noqa: S105
"""What stands for a value that nobody is shown."""
_LONGEST_SHOWN: Final = 500
_MOST_SHOWN: Final = 40


def readable(value: Any) -> Any:
    """Arguments as a person can read them: a long one is cut, and says so."""
    if isinstance(value, str) and len(value) > _LONGEST_SHOWN:
        digest = hashlib.sha256(value.encode("utf-8", "backslashreplace")).hexdigest()
        return f"{value[:_LONGEST_SHOWN]}… ({len(value)} characters, SHA-256 {digest})"
    if isinstance(value, dict):
        return {key: readable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        rest = [f"… and {len(value) - _MOST_SHOWN} more"] if len(value) > _MOST_SHOWN else []
        return [*map(readable, value[:_MOST_SHOWN]), *rest]
    return value
