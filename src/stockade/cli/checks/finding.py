"""A finding: what one check saw, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "State"]

State = Literal["ok", "warning", "problem"]


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's report. Only a problem keeps Stockade from working."""

    name: str
    state: State
    said: str
    remedy: str = ""
