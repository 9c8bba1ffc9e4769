"""Failures: which of them may be the browser's own fault, and how many came in a row."""

from __future__ import annotations

from stockade.errors import (
    BrowserGone,
    DeadlineExceeded,
    EngineError,
    LaunchFailed,
    ProtocolFault,
    TabClosed,
    TabCrashed,
    TargetError,
)

__all__ = ["Failures"]

_SUSPICIOUS = (DeadlineExceeded, ProtocolFault, TabCrashed)
_SILENT = (BrowserGone, LaunchFailed, TabClosed)
"""Nothing was asked of the browser, or there is none."""


class Failures:
    """Of one browser, in a row.

    A site that hangs and a browser that hangs look alike to the call that waits, so these are
    suspicions: whoever hears that there are enough of them examines the browser.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._calls = 0
        self._starts = 0
        self._answers = -1

    @property
    def count(self) -> int:
        """How many there are in a row."""
        return max(self._calls, self._starts)

    @property
    def others_work(self) -> bool:
        """Whether calls come through, whatever else fails."""
        return self._calls < self._limit

    def call_ended(self, error: BaseException | None, answers: int) -> bool:
        """How a call ended, and how much the browser has answered so far; whether it is enough.

        A call that ended well tells of the browser only if that has answered something since the
        last failure: there are calls that need nothing of it.
        """
        if is_suspicious(error):
            self._calls += 1
            self._answers = answers
            return self._calls >= self._limit
        if proves_life(error) and answers != self._answers:
            self._calls = 0
        return False

    def start_ended(self, error: BaseException | None) -> bool:
        """How the making of a state or of a tab ended; whether it is enough.

        Counted apart: what runs in a browser can go on for long when nothing new can begin in it.
        """
        if is_suspicious(error):
            self._starts += 1
        elif error is None:
            self._starts = 0
        return self._starts >= self._limit

    def forget(self) -> None:
        """It was examined, and works."""
        self._calls = self._starts = 0


def is_suspicious(error: BaseException | None) -> bool:
    """Whether a working browser would hardly have come to this; what was waited for is no fault."""
    if isinstance(error, DeadlineExceeded):
        return "waitedFor" not in error.details
    return isinstance(error, _SUSPICIOUS)


def proves_life(error: BaseException | None) -> bool:
    """Whether the browser must have done its part for a call to end so."""
    if error is None or isinstance(error, TargetError):
        return True
    return isinstance(error, EngineError) and not isinstance(error, (*_SUSPICIOUS, *_SILENT))
