"""Instruments that follow a tab into every process it runs in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.devtools import ChromiumDevTools

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Probes"]

Watch = Callable[[ChromiumDevTools], None]


class Probes:
    """What each process of a tab is told beside the rest, while an instrument is in use."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page
        self._probes: list[tuple[Watch, Sequence[Command]]] = []

    def watch(self, session: Session) -> None:
        """Let the instruments listen to a new session."""
        for watch, _ in self._probes:
            watch(ChromiumDevTools(session))

    def setup(self, session: Session) -> Sequence[Command]:
        """What they want to be sent first."""
        del session
        return [command for _, commands in self._probes for command in commands]

    def add(self, watch: Watch, commands: Sequence[Command]) -> Callable[[], None]:
        """Follow the tab from now on, in the processes there are and in those to come."""
        probe = (watch, commands)
        self._probes.append(probe)
        for session in self._page.sessions:
            watch(ChromiumDevTools(session))
            session.post(*commands)

        def remove() -> None:
            if probe in self._probes:
                self._probes.remove(probe)

        return remove
