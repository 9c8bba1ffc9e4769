"""How many bytes each session may take, counted while they are taken."""

from __future__ import annotations

from collections import Counter
from threading import Lock

from stockade.errors import QuotaExceeded

__all__ = ["Quota"]


class Quota:
    """One limit for every session; files are written in threads, so that it may be used there."""

    def __init__(self, limit: int, what: str) -> None:
        self.limit = limit
        self._what = what
        self._used: Counter[str] = Counter()
        self._counting = Lock()

    def used(self, session: str) -> int:
        """What a session has taken."""
        return self._used[session]

    def take(self, session: str, size: int) -> None:
        """Count `size` more bytes, or refuse and count none."""
        with self._counting:
            if self._used[session] + size > self.limit:
                raise QuotaExceeded(
                    f"the {self._what} of this session would take more than {self.limit} bytes",
                    limit=self.limit,
                )
            self._used[session] += size

    def give_back(self, session: str, size: int) -> None:
        """Count `size` bytes less."""
        with self._counting:
            self._used[session] -= size

    def forget(self, session: str) -> None:
        """A session is gone."""
        with self._counting:
            del self._used[session]
