"""Releases: downloads that a person has to agree to before anybody gets what is in them.

A download that begins is asked about at once, and goes on meanwhile where only the browser can
reach it. Without a yes in time it is cancelled, and what came of it deleted.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from stockade.engines.events import Download, DownloadStarted
from stockade.engines.port import Context
from stockade.errors import (
    ApprovalDenied,
    ApprovalPending,
    DeadlineExceeded,
    EngineError,
    LimitReached,
)
from stockade.kernel.holding import set_down
from stockade.kernel.questions import Question
from stockade.policy.confirming import ConfirmRule
from stockade.sessions.changes import SessionOpened
from stockade.sessions.session import Session
from stockade.urls import origin_of

if TYPE_CHECKING:
    from stockade.kernel.call import Call
    from stockade.kernel.dispatch import Kernel

__all__ = ["Releases", "follow", "released"]

_RULE: Final = ConfirmRule("item", "file_download")
_LONGEST: Final = 500
_PATIENCE: Final = 5.0


class Releases:
    """Those of one session; a part of it."""

    def __init__(self, kernel: Kernel, session: Session) -> None:
        self._kernel = kernel
        self._session = session
        self._asked: dict[str, Question] = {}
        self._free: set[str] = set()

    async def watch(self, context: Context) -> None:
        """Ask about every download that begins."""
        context.events.on(DownloadStarted, lambda event: self._began(context, event))

    def _began(self, context: Context, event: DownloadStarted) -> None:
        session, approvals, download = self._session, self._kernel.approvals, event.download
        if approvals.standing.covers([_RULE.text], session.owner, session.id):
            self._free.add(download.id)
            return
        tab = session.tab_of(event.page) if event.page is not None else None
        now = asyncio.get_running_loop().time()
        try:
            question = approvals.put(
                Question(
                    kind="download",
                    asker=session.owner,
                    owner=session.owner,
                    session=session.id,
                    due=now + self._kernel.settings.approval_timeout,
                    facts={
                        "tool": "download",
                        "session": session.name,
                        "origin": origin_of(tab.url if tab is not None else download.url),
                        "prompt": f"{download.filename[:_LONGEST]} from {download.url[:_LONGEST]}",
                        "rules": [_RULE.text],
                        **({"tab": tab.id} if tab is not None else {}),
                    },
                )
            )
        except LimitReached:
            session.work.start(lambda: self._cancel(context, download))
            return
        self._asked[download.id] = question
        session.work.start(lambda: self._decided(context, download, question))

    async def _decided(self, context: Context, download: Download, question: Question) -> None:
        await question.decided.wait()
        if self._kernel.approvals.use(question):
            self._free.add(download.id)
        elif not self._session.closed:
            await self._cancel(context, download)

    async def _cancel(self, context: Context, download: Download) -> None:
        with suppress(EngineError, DeadlineExceeded):
            if download.state == "running":
                await context.cancel_download(download.id, timeout=_PATIENCE)
        self._session.discard_download(download.id)

    async def of(self, call: Call, id: str, *, wait: bool) -> None:
        """Go on once a download may be had; otherwise say why not."""
        question = self._asked.get(id)
        if id in self._free or (question is not None and question.state in {"approved", "used"}):
            return
        if question is None:
            raise ApprovalDenied("a person was not asked about this download", reason="limit")
        approvals = self._kernel.approvals
        if question.pending and wait:
            async with set_down(call):
                await approvals.wait(question, self._kernel.settings.approval_wait)
        if question.pending:
            raise ApprovalPending(
                "a person has been asked whether this may be downloaded, and has not answered yet",
                hint="Get it with `download_get` once they have.",
                approval=question.id,
            )
        if question.state not in {"approved", "used"}:
            reason = {"denied": "denied", "expired": "timeout"}.get(question.state, "withdrawn")
            raise ApprovalDenied(
                "the download was cancelled: nobody agreed to it",
                reason=reason,
                approval=question.id,
            )


def follow(kernel: Kernel) -> None:
    """Hear of the downloads of every session whose policy wants that."""

    def opened(event: SessionOpened) -> None:
        session = event.session
        if _RULE in session.policy.confirmed:
            releases = session.parts.of(Releases, lambda: Releases(kernel, session))
            session.after_start.append(releases.watch)

    kernel.sessions.changes.on(SessionOpened, opened)


async def released(call: Call, id: str, *, wait: bool = True) -> None:
    """Make sure that a download may be had."""
    releases = call.session.parts.get(Releases)
    if releases is not None:
        await releases.of(call, id, wait=wait)
