"""Settling: when the effect of an input is there, judged on evidence and never on a fixed wait.

The window opens before the input. Evidence is navigation (N), requests the input began (R), what
the page asks on a stream (S), changes the agent in each frame sees (M), and marks that say the page
is busy (B). The wait ends when two frames in a row bring no change and nothing of the rest is under
way; at once when a dialog opens, a tab opens, a request is held, or the page crashes; and at a cap,
with what is still pending. A new document is waited for until it has loaded, and until it shows
something to read.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from stockade.engines.events import (
    ConsoleMessage,
    DialogOpened,
    DownloadStarted,
    Event,
    FileChooserOpened,
    FrameDetached,
    FrameNavigated,
    LifecycleReached,
    NavigationRequested,
    PageClosed,
    PageCrashed,
    PageError,
    PageOpened,
    PopupRequested,
    Request,
    RequestAnswered,
    RequestFinished,
    RequestHeld,
    RequestReleased,
    RequestStarted,
    StreamFrame,
)
from stockade.engines.port import Frame, Page
from stockade.errors import (
    DeadlineExceeded,
)
from stockade.page.agent import PageAgent, ask_all
from stockade.page.loading import Loading
from stockade.page.streams import Conversations
from stockade.page.traffic import EFFECTS, path_of

__all__ = ["Settled", "Window"]

QUIET_CAP = 2.0
NAVIGATION_CAP = 5.0
LEAST_QUIET = 0.25
FIRST_EVIDENCE = 0.15
FIRST_EVIDENCE_SEARCH = 0.4
_WATCHED_FRAMES = 16
_POLLS = 3
"""How often the same address is asked for before it counts as polling."""
_CLOSING = "closing animation"
_UNREAD_BODY = 0.25
"""How long an answered request may go on: a body that no script reads is never finished."""

Effect = Literal["none", "changed", "navigated", "dialog", "opened", "download", "chooser", "gone"]


@dataclass(frozen=True)
class Settled:
    """How a wait ended."""

    settled: bool
    effect: Effect
    pending: tuple[str, ...] = ()


@dataclass
class Facts:
    """What happened while a window was open."""

    navigations: list[FrameNavigated] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    dialogs: list[DialogOpened] = field(default_factory=list)
    opened: list[Page] = field(default_factory=list)
    downloads: list[DownloadStarted] = field(default_factory=list)
    choosers: list[FileChooserOpened] = field(default_factory=list)
    console: list[ConsoleMessage] = field(default_factory=list)
    errors: list[PageError] = field(default_factory=list)


class Window:
    """Collects evidence from just before an input until its effect is there."""

    def __init__(self, agent: PageAgent, *, search: bool = False) -> None:
        self.facts = Facts()
        self.search = search
        self.seen = False
        """Whether whoever acts has seen an effect that shows in no document, such as a scroll."""
        self.ignored: set[str] = set()
        """Frames that do not answer, and so cannot be watched."""
        self._agent = agent
        self._page = agent.page
        self._polled: frozenset[str] = frozenset()
        self._held = ExitStack()
        self._moved = asyncio.Event()
        self._pending: dict[str, Request] = {}
        self._lapses: dict[str, float] = {}
        self._navigating: dict[str, tuple[Frame, str]] = {}
        self._loading = Loading(agent, self)
        self._addresses: Counter[str] = Counter()
        self._conversations = Conversations(agent.traffic, self._moved)
        self._changes = 0
        self._awaited = 0
        self._popups = 0
        self._gone = False
        self._request_waits = False

    def __enter__(self) -> Self:
        events, context = self._page.events, self._page.context.events
        facts = self.facts
        self._polled = self._held.enter_context(self._agent.traffic.window())
        for off in (
            events.on(NavigationRequested, self._navigation_requested),
            events.on(FrameNavigated, self._navigated),
            events.on(FrameDetached, self._detached),
            events.on(LifecycleReached, self._note),
            events.on(RequestStarted, self._request_started),
            events.on(RequestAnswered, self._request_answered),
            events.on(RequestFinished, self._request_finished),
            events.on(RequestHeld, self._request_held),
            events.on(RequestReleased, self._request_released),
            events.on(StreamFrame, self._conversations.note_frame),
            events.on(DialogOpened, lambda e: self._note(e, facts.dialogs)),
            events.on(FileChooserOpened, lambda e: self._note(e, facts.choosers)),
            events.on(ConsoleMessage, facts.console.append),
            events.on(PageError, facts.errors.append),
            events.on(PageCrashed, self._ended),
            events.on(PageClosed, self._ended),
            events.on(PopupRequested, self._popup_requested),
            context.on(PageOpened, self._opened),
            context.on(DownloadStarted, lambda e: self._note(e, facts.downloads)),
        ):
            self._held.callback(off)
        return self

    def __exit__(self, *exc: object) -> None:
        self._held.close()

    # --- evidence -------------------------------------------------------------------------------

    def _note(self, event: Event, kept: list[Any] | None = None) -> None:
        if kept is not None:
            kept.append(event)
        self._moved.set()

    def _navigation_requested(self, event: NavigationRequested) -> None:
        self._navigating[event.frame.id] = (event.frame, event.frame.document)
        self._moved.set()

    def _navigated(self, event: FrameNavigated) -> None:
        if event.same_document:
            self._navigating.pop(event.frame.id, None)
        else:
            self._loading.note(event)
            self._navigating.setdefault(event.frame.id, (event.frame, ""))
        self._note(event, self.facts.navigations)

    def _detached(self, event: FrameDetached) -> None:
        self._navigating.pop(event.frame.id, None)
        self._moved.set()

    def _popup_requested(self, event: PopupRequested) -> None:
        self._popups += 1
        self._note(event)

    def _opened(self, event: PageOpened) -> None:
        if event.opener is self._page:
            self.facts.opened.append(event.page)
            self._moved.set()

    def _ended(self, event: Event) -> None:
        self._gone = True
        self._note(event)

    def _request_started(self, event: RequestStarted) -> None:
        request = event.request
        self.facts.requests.append(request)
        self._conversations.note_request(request)
        if request.type in EFFECTS and not self._is_poll(request):
            self._pending[request.id] = request
            self._awaited += 1
            self._moved.set()

    def _is_poll(self, request: Request) -> bool:
        """Whether the page asks for this again and again by itself."""
        if request.method == "GET":
            self._addresses[request.url] += 1
        return path_of(request) in self._polled or self._addresses[request.url] > _POLLS

    def _request_answered(self, event: RequestAnswered) -> None:
        if event.request.id in self._pending:
            loop = asyncio.get_running_loop()
            self._lapses[event.request.id] = loop.time() + _UNREAD_BODY
            loop.call_later(_UNREAD_BODY, self._moved.set)

    def _awaiting(self) -> list[Request]:
        """The requests whose answers are still worth waiting for."""
        now = asyncio.get_running_loop().time()
        return [
            request
            for request in self._pending.values()
            if self._lapses.get(request.id, now) >= now
        ]

    def _request_finished(self, event: RequestFinished) -> None:
        request = event.request
        self._pending.pop(request.id, None)
        if request.type == "Document" and (request.failure or request.canceled):
            # A download, a stop or an empty answer: the frame stays where it is.
            self._navigating.pop(request.frame, None)
        self._moved.set()

    def _request_held(self, event: RequestHeld) -> None:
        # How long a person takes to decide is no time of the page's.
        self._request_waits = True
        self._note(event)

    def _request_released(self, event: RequestReleased) -> None:
        self._request_waits = False
        frame = next((each for each in self._page.frames if each.id == event.frame), None)
        if event.type == "Document" and frame is not None:
            self._navigating[frame.id] = (frame, frame.document)
        elif event.request is not None and event.request.ended is None:
            self._pending[event.request.id] = event.request
            self._awaited += 1
        self._moved.set()

    def _interrupted(self) -> bool:
        return bool(
            self._gone
            or self._request_waits
            or self._page.closed
            or self._page.crashed
            or self._page.dialog is not None
            or self.facts.opened
            or self.facts.choosers
        )

    def _arriving(self) -> list[Frame]:
        """Frames on their way to another document that is not parsed yet."""
        still = []
        for frame_id, (frame, document) in tuple(self._navigating.items()):
            there = frame.document != document and frame.reached("DOMContentLoaded")
            if there or frame.detached:
                del self._navigating[frame_id]
            else:
                still.append(frame)
        return still

    def _any_evidence(self) -> bool:
        facts = self.facts
        return bool(
            self.seen
            or self._changes
            or self._awaited
            or self._interrupted()
            or facts.navigations
            or facts.downloads
            or facts.dialogs
            or self._navigating
            or self._popups
        )

    # --- waiting --------------------------------------------------------------------------------

    async def settle(self, *, timeout: float, patience: float = NAVIGATION_CAP) -> Settled:
        """Wait until the effect is there; `patience` is for a document to be parsed."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        deadline = start + timeout
        asked_for_first = False
        pending: tuple[str, ...] = ()
        while not self._interrupted():
            if self._arriving() or self._loading.unloaded():
                end = min(start + patience, deadline)
                if not await self.until(lambda: not self._arriving(), end):
                    return self._capped(())
                pending = await self._loading.load(deadline)
                # The new document gets a full wait of its own.
                start = loop.time()
                continue
            end = min(
                start + (NAVIGATION_CAP if self._loading.is_new_page else QUIET_CAP), deadline
            )
            if await self._popup(end):
                continue
            quiet_by = min(max(start + QUIET_CAP, loop.time() + LEAST_QUIET), deadline)
            busy = await self._quiet(quiet_by)
            if self._is_moving():
                continue
            if loop.time() >= min(quiet_by, end):
                if not await self._loading.is_blank(deadline):
                    return self._capped((*pending, *busy))
                start = loop.time()
                continue
            if await self._answers(end) or await self._loading.first_content(end):
                continue
            pending += tuple(each for each in busy if each == _CLOSING)
            if self._any_evidence() or asked_for_first:
                break
            asked_for_first = True
            first = FIRST_EVIDENCE_SEARCH if self.search else FIRST_EVIDENCE
            await self._first_evidence(min(start + first, deadline))
            start = loop.time()
        return self._settled(pending)

    def _settled(self, pending: tuple[str, ...]) -> Settled:
        if pending and not self._interrupted():
            return self._capped(pending)
        return Settled(settled=True, effect=self._effect())

    def _is_moving(self) -> bool:
        return bool(
            self._interrupted() or self._arriving() or self._loading.unloaded() or self._popups
        )

    async def _popup(self, end: float) -> bool:
        """Wait for a tab that the page asked for; whether it did.

        Its opener tells of it before the browser has made it; a blocked one never comes.
        """
        if not self._popups:
            return False
        await self.until(self._interrupted, end)
        self._popups = 0
        return True

    async def _answers(self, end: float) -> bool:
        """Wait for an answer that is still to come; whether there was one to wait for."""
        if waiting := len(self._awaiting()):
            await self.until(lambda: self._fewer(waiting), end)
        elif self._conversations.is_open():
            await self.until(lambda: not self._conversations.is_open(), end)
        else:
            return False
        return True

    def _fewer(self, waiting: int) -> bool:
        return len(self._awaiting()) < waiting or bool(self._arriving())

    def _capped(self, busy: tuple[str, ...]) -> Settled:
        pending = [
            *(f"navigation of {frame.url or 'a frame'}" for frame in self._arriving()),
            *(f"{request.method} {request.url}" for request in self._awaiting()),
            *busy,
        ]
        pending = list(dict.fromkeys(pending))
        return Settled(settled=False, effect=self._effect(), pending=tuple(pending) or ("changes",))

    def _effect(self) -> Effect:
        facts = self.facts
        signs: tuple[tuple[Effect, object], ...] = (
            ("gone", self._gone or self._page.crashed or self._page.closed),
            ("dialog", self._page.dialog or facts.dialogs),
            ("opened", facts.opened),
            ("chooser", facts.choosers),
            ("download", facts.downloads),
            ("navigated", any(event.frame.parent is None for event in facts.navigations)),
            ("changed", self._changes or facts.navigations or self._awaited),
        )
        return next((effect for effect, sign in signs if sign), "none")

    async def until(self, predicate: Callable[[], bool], end: float) -> bool:
        """Wait for `predicate`; the wait ends early when the window is interrupted."""
        try:
            async with asyncio.timeout_at(end):
                while not predicate() and not self._interrupted():
                    self._moved.clear()
                    await self._moved.wait()
        except TimeoutError:
            return False
        return True

    def requests(self) -> list[Request]:
        """Everything that was asked for since the window opened."""
        return self.facts.requests

    def is_arriving(self) -> bool:
        """Whether a frame is on its way to another document."""
        return bool(self._arriving())

    def frames(self) -> list[Frame]:
        """The frames that are watched."""
        frames = [frame for frame in self._agent.frames() if frame.id not in self.ignored]
        return frames[:_WATCHED_FRAMES]

    async def _quiet(self, end: float) -> tuple[str, ...]:
        """Two frames without change everywhere; the answer is what still says it is busy."""
        left = max(end - asyncio.get_running_loop().time(), 0.05)
        reports = await ask_all(
            self.frames(),
            lambda frame: self._agent.call(frame, "quiet", cap=left * 1000, timeout=left + 1.0),
        )
        busy: list[str] = []
        changes = 0
        for report in reports:
            if isinstance(report, DeadlineExceeded):
                busy.append("a script that does not yield")
            elif isinstance(report, dict):
                changes += report["changes"]
                busy += report["busy"]
        self._changes = max(self._changes, changes)
        return tuple(busy)

    async def _first_evidence(self, end: float) -> None:
        """Wait for the first sign of an effect, wherever it shows."""
        left = max(end - asyncio.get_running_loop().time(), 0.0)

        async def ask(frame: Frame) -> dict[str, Any]:
            report: dict[str, Any] = await self._agent.call(
                frame, "evidence", cap=left * 1000, timeout=left + 1.0
            )
            self._changes += report["changes"]
            if report["changes"]:
                self._moved.set()
            return report

        async with asyncio.TaskGroup() as group:
            watching = group.create_task(ask_all(self.frames(), ask))
            await self.until(self._any_evidence, end)
            watching.cancel()
