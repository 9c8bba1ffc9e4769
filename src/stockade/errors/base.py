"""The root of the tree, and what any call can meet."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

__all__ = [
    "DeadlineExceeded",
    "InvalidArgument",
    "Source",
    "StockadeError",
]

Source = Literal["app", "stockade", "caller", "unknown"]
"""Whose doing an error is: the page's, ours, or the caller's."""


class StockadeError(Exception):
    """Base of the tree: a stable code, a message, what to do, and facts for programs."""

    code: ClassVar[str] = "error"
    retryable: bool = False
    """Whether the same call may be made again: not if some of it has reached the page."""
    source: Source = "unknown"
    """Whose doing it is."""
    default_hint: ClassVar[str] = ""
    """Names tools in backticks, like every hint: whoever tells it knows which its reader has."""

    def __init__(self, message: str, *, hint: str = "", **details: Any) -> None:
        """`retryable` and `source` among the details are those of this one error."""
        super().__init__(message)
        self.message = message
        for known in ("retryable", "source"):
            if details.get(known) is not None:
                setattr(self, known, details[known])
            details.pop(known, None)
        self.hint: str = hint or self.default_hint
        self.details = details

    def blame(self, source: Source) -> None:
        """Say whose doing it is, for one who knows better than its kind."""
        self.source = source

    def as_dict(self) -> dict[str, Any]:
        """The one shape in which every surface shows an error."""
        shown: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "retryable": self.retryable,
        }
        if self.hint:
            shown["hint"] = self.hint
        if self.details:
            shown["details"] = self.details
        return shown


class InvalidArgument(StockadeError):
    """The caller's input cannot be used; the message says which part."""

    code = "invalid_argument"
    source: Source = "caller"


class DeadlineExceeded(StockadeError):
    """The call did not finish within its deadline."""

    code = "timeout"
    retryable = True
    source: Source = "app"
    default_hint = "Look at the page before you repeat the call: it may have taken effect."
