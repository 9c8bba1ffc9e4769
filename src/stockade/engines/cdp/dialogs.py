"""JavaScript dialogs: while one is open nothing else of the page answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.events import DialogClosed, DialogOpened
from stockade.errors import (
    DeadlineExceeded,
    DialogOpen,
    EngineError,
    InvalidArgument,
    ProtocolFault,
)

if TYPE_CHECKING:
    from stockade.engines.cdp.page import ChromiumPage

__all__ = ["Dialogs"]

_STAY_PATIENCE = 1.0


class _Opening(msgspec.Struct):
    type: Literal["alert", "confirm", "prompt", "beforeunload"]
    message: str = ""
    url: str = ""
    defaultPrompt: str = ""


class _Closed(msgspec.Struct):
    result: bool = False


class Dialogs:
    """The open dialog of a page, if any."""

    def __init__(self, page: ChromiumPage) -> None:
        self._page = page
        self._session: Session | None = None
        self._leaving = False
        self.current: DialogOpened | None = None

    def setup(self, session: Session) -> Sequence[Command]:
        """Nothing to send: `Page.enable` is enough."""
        del session
        return ()

    def watch(self, session: Session) -> None:
        """Hear of dialogs."""
        session.on("Page.javascriptDialogOpening", lambda e: self._opening(session, e), _Opening)
        session.on("Page.javascriptDialogClosed", self._closed, _Closed)

    def error(self) -> DialogOpen | None:
        """What a call that the dialog blocks is told."""
        return _blocked(self.current) if self.current is not None else None

    def forget(self) -> None:
        """The renderer died, and its dialog with it."""
        self.current = None

    def leave(self) -> None:
        """The tab is being closed: nothing may ask whether that is meant."""
        self._leaving = True
        if self.current is not None and self._session is not None:
            _get_out_of_the_way(self._session, self.current.kind)

    def _opening(self, session: Session, event: _Opening) -> None:
        if self._leaving:
            _get_out_of_the_way(session, event.type)
            return
        self._session = session
        self.current = DialogOpened(
            self._page, event.type, event.message, event.defaultPrompt, event.url
        )
        error = _blocked(self.current)
        for other in self._page.sessions:
            other.interrupted(error)
        self._page.changed()
        self._page.events.emit(self.current)

    def _closed(self, event: _Closed) -> None:
        self.current = None
        self._page.events.emit(DialogClosed(self._page, event.result))
        self._page.changed()

    async def answer(
        self,
        accept: bool,  # noqa: FBT001
        text: str | None,
        timeout: float,
        *,
        cut: bool = False,
    ) -> None:
        """Accept or dismiss the dialog."""
        if self.current is None or self._session is None:
            raise InvalidArgument("no dialog is open")
        params: dict[str, object] = {"accept": accept}
        if text is not None:
            params["promptText"] = text
        opened = self.current
        if cut:
            # It ends as soon as it looks up, which a loop does after some hundred rounds.
            self._session.post(("Runtime.terminateExecution", {}))
        try:
            await self._session.send("Page.handleJavaScriptDialog", params, timeout=timeout)
        except ProtocolFault:
            # It went by itself between our look and our answer.
            if self.current is opened:
                self.current = None
            return
        if self.current is opened:
            self._closed(_Closed(accept))
        if opened.kind == "beforeunload" and not accept:
            await self._stay(self._session)

    async def _stay(self, session: Session) -> None:
        """Wait until the page is no longer being left: what ends that would end what comes next."""
        with suppress(EngineError, DeadlineExceeded):
            await self._page.until(
                lambda: not self._page.main_frame.leaving, timeout=_STAY_PATIENCE
            )
            # The renderer's own no is under way yet, and would be taken for one to whatever comes
            # next. What it answers after that has been sent after that.
            await session.send("Runtime.evaluate", {"expression": "0"}, timeout=_STAY_PATIENCE)


def _blocked(dialog: DialogOpened) -> DialogOpen:
    return DialogOpen(f"a JavaScript {dialog.kind} is open", kind=dialog.kind, text=dialog.message)


def _get_out_of_the_way(session: Session, kind: str) -> None:
    """Leave the page where it asks that, and say no to anything else."""
    if session.connection.gone is None:
        answer = {"accept": kind == "beforeunload"}
        session.connection.post(session, [("Page.handleJavaScriptDialog", answer)])
