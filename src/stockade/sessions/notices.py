"""Notices: what became of a session behind its caller's back, to be told with the next result."""

from __future__ import annotations

from collections import deque

__all__ = ["Notices", "after_loss", "closed_tab", "lost_browser", "replaced_session"]

_MOST = 5


class Notices:
    """The last things that a session's owner has not heard of yet."""

    def __init__(self) -> None:
        self._texts: deque[str] = deque(maxlen=_MOST)

    def add(self, text: str) -> None:
        """Have something told, once."""
        if text not in self._texts:
            self._texts.append(text)

    def discard(self, text: str) -> None:
        """It was told in another way."""
        if text in self._texts:
            self._texts.remove(text)

    def take(self) -> list[str]:
        """All of them, which thereby are told."""
        texts = list(self._texts)
        self._texts.clear()
        return texts


def replaced_session(name: str, reason: str, profile: str | None) -> str:
    """What is told to whoever finds a new session under a name that it used before."""
    return (
        f"session {name} is a new one: the one before it ended, because {reason}. {_rest(profile)}"
    )


def lost_browser(name: str, profile: str | None) -> str:
    """What is told when the browser of a session ended unexpectedly."""
    return f"the browser of session {name} ended unexpectedly. {_rest(profile)}"


def after_loss(profile: str | None, *, attached: bool) -> str:
    """What is left, and what the next call does."""
    if attached:
        return "Its tabs are gone; the next call attaches anew, if it runs again."
    return f"{_rest(profile)}. The next call starts a new browser."


def closed_tab(tab: str, url: str, reason: str) -> str:
    """What is told when a tab was closed for its session."""
    return f"tab {tab} ({url}) was closed, because {reason}"


def _rest(profile: str | None) -> str:
    if profile is None:
        return "Its tabs, logins and refs are gone"
    return f"Its tabs and refs are gone; cookies and storage come from profile {profile}"
