"""A tab: one page with everything a caller can do to it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from stockade.engines.events import DialogOpened
from stockade.engines.port import Page
from stockade.errors import DeadlineExceeded, DialogOpen, EngineError, TabClosed
from stockade.page.actions import Actions
from stockade.page.agent import PageAgent
from stockade.page.snapshot import Snapshots
from stockade.sessions.happenings import Recorder
from stockade.sessions.lease import Lease
from stockade.sessions.options import DialogPolicy

if TYPE_CHECKING:
    from stockade.sessions.session import Session

__all__ = ["Tab"]

_TITLE_PATIENCE = 2.0


class Tab:
    """One tab of a session; a caller holds its lease while it works in it."""

    def __init__(self, id: str, session: Session, page: Page) -> None:
        self.id = id
        self.session = session
        self.page = page
        self.agent = PageAgent(page)
        self.actions = Actions(self.agent)
        self.snapshots = Snapshots(self.agent)
        self.recorder = Recorder(page)
        self.lease = Lease(f"tab {id}")
        self.opened_at = time.time()
        self.last_used = time.monotonic()

    @property
    def url(self) -> str:
        """The address of what it shows."""
        return self.page.main_frame.url or "about:blank"

    async def title(self) -> str:
        """The document's title; empty while the page cannot be asked."""
        if self.page.dialog is not None or self.page.crashed:
            return ""
        try:
            return await self.page.title(timeout=_TITLE_PATIENCE)
        except (EngineError, DeadlineExceeded):
            return ""

    def touch(self) -> None:
        """The tab is in use."""
        self.last_used = time.monotonic()

    def ensure_open(self) -> None:
        """Refuse to work in a tab that is gone."""
        if self.page.closed:
            raise TabClosed(f"tab {self.id} is closed", tab=self.id)

    # --- dialogs --------------------------------------------------------------------------------

    async def clear_dialog(self, *, timeout: float) -> None:
        """Answer an open dialog as the session's policy says, or refuse to go on."""
        dialog = self.page.dialog
        if dialog is None:
            return
        if not await self.settle_dialog(dialog, timeout=timeout):
            raise DialogOpen(
                f"a {dialog.kind} is open",
                hint="Answer it with answer_dialog, or choose a policy with set_dialog_policy.",
                kind=dialog.kind,
                text=dialog.message,
            )

    async def settle_dialog(self, dialog: DialogOpened, *, timeout: float) -> bool:
        """Answer `dialog` if the policy has an answer; whether it had."""
        answer = _answer(self.session.dialogs, dialog)
        if answer is None:
            return False
        accept, text = answer
        await self.page.answer_dialog(accept=accept, text=text, timeout=timeout)
        self.recorder.answered(dialog, "accepted" if accept else "dismissed")
        return True

    async def answer_dialog(
        self, *, accept: bool, text: str | None, timeout: float
    ) -> DialogOpened:
        """Answer the open dialog as the caller says."""
        dialog = self.page.dialog
        if dialog is None:
            raise DialogOpen("no dialog is open", hint="Go on with the page.")
        await self.page.answer_dialog(accept=accept, text=text, timeout=timeout)
        self.recorder.answered(dialog, "accepted" if accept else "dismissed")
        return dialog

    async def close(self) -> None:
        """Close it; one that is gone is no error."""
        self.recorder.close()
        if not self.page.closed and self.page.context.browser.alive:
            await self.page.close()


def _answer(policy: DialogPolicy, dialog: DialogOpened) -> tuple[bool, str | None] | None:
    if dialog.kind == "alert" or policy.mode == "accept":
        return True, dialog.default_value if dialog.kind == "prompt" else None
    if policy.mode == "dismiss":
        return False, None
    if policy.mode == "accept-prompt-with":
        return True, policy.text if dialog.kind == "prompt" else None
    return None
