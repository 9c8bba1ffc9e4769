"""Losses: browsers that are gone though nobody meant to end them, and who has to hear of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from stockade.sessions.clock import NEVER, Agenda

__all__ = ["Losses"]


@dataclass(frozen=True)
class _Loss:
    reason: str
    untold: set[str]
    until: float
    """When it matters no longer, though somebody may not have heard."""


class Losses:
    """Each matters until all who used the browser were told, or until the next one runs."""

    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda
        self._losses: list[_Loss] = []

    def add(self, reason: str, users: Iterable[str], *, matters_for: float) -> None:
        """A browser is gone; one that nobody used would have ended anyway after `matters_for`."""
        untold = set(users)
        over = NEVER if untold or not matters_for else self._agenda.now() + matters_for
        self._losses.append(_Loss(reason, untold, over))

    def told(self, user: str) -> None:
        """A user has heard of it, or needs no browser any more."""
        for loss in list(self._losses):
            if user in loss.untold:
                loss.untold.discard(user)
                if not loss.untold:
                    self._losses.remove(loss)

    def forget(self) -> None:
        """There is a browser again, or there is meant to be none."""
        self._losses.clear()

    @property
    def reason(self) -> str:
        """Of the last one that still matters; empty when none does."""
        now = self._agenda.now()
        return next((each.reason for each in reversed(self._losses) if now < each.until), "")
