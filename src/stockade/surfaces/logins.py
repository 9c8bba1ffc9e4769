"""Logins of the console: a code that works once, and the browser session it opens."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable

__all__ = ["CODE_SECONDS", "SESSION_SECONDS", "Logins"]

CODE_SECONDS = 15 * 60.0
SESSION_SECONDS = 12 * 3600.0
_MOST = 1000


class Logins:
    """Codes that were given out and sessions that are open, in memory alone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._codes: dict[bytes, float] = {}
        self._sessions: dict[bytes, float] = {}

    def issue(self) -> str:
        """A new code, good for one login."""
        return self._add(self._codes, CODE_SECONDS)

    def redeem(self, code: str) -> str | None:
        """The secret of a new session, if the code is good; it is not from now on."""
        if self._codes.pop(_digest(code), 0.0) <= self._clock():
            return None
        return self._add(self._sessions, SESSION_SECONDS)

    def valid(self, secret: str) -> bool:
        """Whether a session is open."""
        return self._sessions.get(_digest(secret), 0.0) > self._clock()

    def end(self, secret: str) -> None:
        """Close a session."""
        self._sessions.pop(_digest(secret), None)

    def _add(self, kept: dict[bytes, float], seconds: float) -> str:
        now = self._clock()
        for old in [each for each, until in kept.items() if until <= now]:
            del kept[old]
        if len(kept) >= _MOST:
            del kept[next(iter(kept))]
        secret = secrets.token_urlsafe(32)
        kept[_digest(secret)] = now + seconds
        return secret


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode(errors="replace")).digest()
