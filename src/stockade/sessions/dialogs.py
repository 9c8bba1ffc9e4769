"""The JavaScript dialogs of a tab: by policy, caller or person, each is answered in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from stockade.engines.events import DialogClosed, DialogOpened
from stockade.errors import DeadlineExceeded, DialogOpen, EngineError, Missing
from stockade.sessions.asked import Person, dialog_asked, raise_in
from stockade.sessions.options import DialogPolicy
from stockade.sessions.work import Job
from stockade.urls import origin_of

if TYPE_CHECKING:
    from stockade.sessions.tab import Tab

__all__ = ["HINT", "Dialogs"]

_ANSWER_PATIENCE = 5.0
_HELD_PATIENCE = 1.0
"""How long a page may be silent while a dialog is open elsewhere in the session."""
_MOST_ANSWERED = 20
"""Dialogs that one call answers."""
_HELD_FOR: Final = 30.0
"""Seconds that a question waits for the caller that was told of it."""
_STORM = 50
"""Dialogs in a row, from which on the scripts that open them are ended."""
_CALM_AFTER = 1.0
"""Seconds without a dialog that end a row of them."""
_FAST = 1000
"""Dialogs in a row that are answered at once; the rest have to wait their turn."""
_TURN = 0.25
HINT: Final = "Answer it with `answer_dialog`: another action dismisses it. Or `set_dialog_policy`."


class Dialogs:
    """Answers the dialogs of one tab, one at a time."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._page = tab.page
        self._answering = asyncio.Lock()
        self._told: DialogOpened | None = None
        """The open dialog, if a caller has been told of it."""
        self._asking: DialogOpened | None = None
        """The open dialog, if a person is being asked."""
        self._row = 0
        self._last = -_CALM_AFTER
        self._timer: asyncio.TimerHandle | None = None
        self._person: Job[None] | None = None
        self._offs = (
            self._page.events.on(DialogOpened, self._opened),
            self._page.events.on(DialogClosed, lambda _: self._stop_timer()),
        )

    def close(self) -> None:
        """The tab is gone."""
        self._stop_timer()
        if self._person is not None:
            self._person.give_up()
        for off in self._offs:
            off()

    # --- when nobody answers --------------------------------------------------------------------

    def _opened(self, dialog: DialogOpened) -> None:
        if self._a_persons:
            return
        now = asyncio.get_running_loop().time()
        self._row = 1 if self.calm else self._row + 1
        self._last = now
        self._stop_timer()
        if self._row > _STORM:
            self._later(0.0 if self._row <= _FAST else _TURN, self._cut_off)
        elif self._policy.mode == "ask-human" and dialog.kind != "alert":
            self._ask(dialog)
        elif not self._attended:
            # Nobody works here who could answer, but the page (or its neighbour) must go on.
            self._settle_soon()

    @property
    def _attended(self) -> bool:
        """Whether a call is at work that will see it; whoever uses the tab API never answers."""
        return bool(self._tab.lease.users) and not self._tab.group

    @property
    def _a_persons(self) -> bool:
        """Whether somebody sits before it who answers by themselves."""
        return self._tab.session.isolation == "attached" and not self._tab.lease.users

    @property
    def _policy(self) -> DialogPolicy:
        return self._tab.session.dialogs

    def left_alone(self) -> None:
        """A call has ended: what is open is answered now, or once its caller had time to."""
        if self._page.dialog is None or self._page.closed or self._tab.lease.users:
            return
        if self._a_persons:
            return
        if self._page.dialog is self._asking:
            return
        waits = self._page.dialog is self._told and self._answer(self._page.dialog) is None
        self._later(_HELD_FOR if waits else 0.0, self._settle_soon)

    def _settle_soon(self) -> None:
        dialog = self._page.dialog
        if dialog is not None:
            self._tab.session.work.start(lambda: self._dismiss(dialog))

    async def _dismiss(self, dialog: DialogOpened, *, cut: bool = False) -> None:
        """Answer by the policy; where that has none, no."""
        answer = self._answer(dialog) or (self._leaves(dialog), None)
        await self._give(dialog, answer, _ANSWER_PATIENCE, cut=cut)

    def _later(self, delay: float, what: Callable[[], None]) -> None:
        self._stop_timer()
        if delay:
            self._timer = asyncio.get_running_loop().call_later(delay, what)
        else:
            what()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _cut_off(self) -> None:
        """One of too many: the script that asks is ended."""
        dialog = self._page.dialog
        if dialog is not None:
            self._tab.session.work.start(lambda: self._dismiss(dialog, cut=True))

    # --- a person -------------------------------------------------------------------------------

    def _ask(self, dialog: DialogOpened) -> None:
        self._asking = dialog

        async def asked() -> None:
            session, origin = self._tab.session, origin_of(dialog.url or self._tab.url)
            person = session.parts.of(Person, Person)
            yes = await person.ask(dialog.kind, dialog.message, origin)
            self._asking = None
            text = dialog.default_value if yes and dialog.kind == "prompt" else None
            await self._give(dialog, (yes, text), _ANSWER_PATIENCE)

        self._person = self._tab.session.work.start(asked)

    # --- answers --------------------------------------------------------------------------------

    def told(self) -> None:
        """A caller has been told of the open dialog."""
        self._told = self._page.dialog

    @property
    def calm(self) -> bool:
        """Whether no dialog has opened for a while."""
        return asyncio.get_running_loop().time() - self._last > _CALM_AFTER

    @property
    def untold(self) -> DialogOpened | None:
        """The open dialog, unless a caller has been told of it."""
        dialog = self._page.dialog
        return dialog if dialog is not self._told else None

    def _leaves(self, dialog: DialogOpened) -> bool:
        """As the original of the tab API does: its clients cannot answer, and mean to go on."""
        return bool(self._tab.group) and dialog.kind == "beforeunload"

    def _answer(self, dialog: DialogOpened) -> tuple[bool, str | None] | None:
        """What the policy says; nothing where it says that somebody is to decide."""
        policy = self._policy
        if dialog.kind == "alert" or policy.mode == "accept":
            return True, dialog.default_value if dialog.kind == "prompt" else None
        if policy.mode == "dismiss":
            return False, None
        if policy.mode == "accept-prompt-with":
            return True, policy.text if dialog.kind == "prompt" else None
        return None

    async def settle(self, dialog: DialogOpened, *, timeout: float, reads: bool = False) -> bool:
        """Answer `dialog` if there is an answer to it by now; whether it is out of the way."""
        answer = self._answer(dialog)
        if answer is None and dialog is not self._asking:
            # Who was told of it and does something else does not want it; who looks says nothing.
            decided = self._tab.group or (dialog is self._told and not reads)
            answer = (self._leaves(dialog), None) if decided else None
        if answer is None:
            return False
        await self._give(dialog, answer, timeout)
        return True

    async def _give(
        self,
        dialog: DialogOpened,
        answer: tuple[bool, str | None],
        timeout: float,
        *,
        cut: bool = False,
    ) -> None:
        accept, text = answer
        # One at a time: an answer that comes late would be taken for the next dialog's.
        async with self._answering:
            if self._page.dialog is dialog:
                await self._page.answer_dialog(accept=accept, text=text, cut=cut, timeout=timeout)
                self._note(dialog, "accepted" if accept else "dismissed")

    def _note(self, dialog: DialogOpened, how: str) -> None:
        tab = self._tab
        tab.recorder.answered(dialog, how)
        known = dialog is self._told or (how == "accepted" and self._leaves(dialog))
        if self._policy.mode == "raise" and not known:
            raise_in(tab, dialog_asked(tab, dialog, how))
        self._told = None
        tab.session.agenda.expect(tab.rest_at)

    async def answer(self, *, accept: bool, text: str | None, timeout: float) -> DialogOpened:
        """Answer the open dialog as the caller says."""
        async with self._answering:
            dialog = self._page.dialog
            if dialog is None:
                raise Missing(
                    "no dialog is open",
                    hint="What nobody answers is dismissed; see `set_dialog_policy`.",
                )
            if dialog is self._asking:
                raise DialogOpen("a person is being asked", hint="Wait for the answer.")
            await self._page.answer_dialog(accept=accept, text=text, timeout=timeout)
            self._told = dialog
            self._note(dialog, "accepted" if accept else "dismissed")
        return dialog

    # --- before a call --------------------------------------------------------------------------

    async def clear(self, *, timeout: float, reads: bool = False) -> None:
        """Answer what is open as the policy says, or refuse to go on. Who reads dismisses none."""
        ends = asyncio.get_running_loop().time() + timeout
        for _ in range(_MOST_ANSWERED):
            dialog = self._page.dialog
            if dialog is None:
                await self._clear_others(ends, reads=reads)
                return
            left = ends - asyncio.get_running_loop().time()
            if not await self.settle(dialog, timeout=left, reads=reads):
                asking = dialog is self._asking
                raise DialogOpen(
                    f"a {dialog.kind} is open"
                    + (", and a person is being asked" if asking else ""),
                    hint="Wait for the person." if asking else HINT,
                    kind=dialog.kind,
                    text=dialog.message,
                )
        raise DialogOpen("the page opens one dialog after another", hint="Close the tab.")

    async def _clear_others(self, ends: float, *, reads: bool) -> None:
        """Tabs that opened each other share a process, and a dialog in one holds them all."""
        for other in self._tab.session.tabs:
            dialog = other.page.dialog
            if other is self._tab or dialog is None:
                continue
            left = ends - asyncio.get_running_loop().time()
            if other.lease.users or not await other.dialogs.settle(
                dialog, timeout=left, reads=reads
            ):
                await self._ensure_not_held(other, dialog, min(_HELD_PATIENCE, left))

    async def _ensure_not_held(self, other: Tab, dialog: DialogOpened, patience: float) -> None:
        try:
            await self._page.main_frame.call("() => null", timeout=patience)
        except DeadlineExceeded:
            raise DialogOpen(
                f"a {dialog.kind} is open in tab {other.id}, and this page does not answer",
                hint=f"Answer it with `answer_dialog` in tab {other.id}.",
                kind=dialog.kind,
                text=dialog.message,
                tab=other.id,
            ) from None
        except EngineError:
            # Whatever else is the matter, the call itself will meet it.
            return
