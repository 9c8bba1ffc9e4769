"""What can become of a request that was allowed."""

from __future__ import annotations

from typing import Literal

__all__ = ["Failure", "Kind"]

Kind = Literal["name", "resolver", "refused", "unreachable", "timeout", "broken", "upstream"]


class Failure(Exception):
    """It could not be done, through nobody's rule."""

    def __init__(self, kind: Kind, reason: str) -> None:
        super().__init__(reason)
        self.kind: Kind = kind
        self.reason = reason
