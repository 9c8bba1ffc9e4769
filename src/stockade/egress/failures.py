"""What can become of a request that was allowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Failure", "Kind"]

Kind = Literal["name", "resolver", "refused", "unreachable", "timeout", "broken", "upstream"]


@dataclass(eq=False)
class Failure(Exception):
    """It could not be done, through nobody's rule."""

    kind: Kind
    reason: str
