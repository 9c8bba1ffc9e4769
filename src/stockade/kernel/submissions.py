"""Submissions: forms and requests that wait for a person at the moment they leave.

What is asked about is the request itself as it was about to go out, so nothing that a page does
after the yes changes it. A request of a script is held. A form would keep its page from answering
anything meanwhile; it is stopped, and sent byte for byte once a person says yes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from stockade.engines.events import (
    FrameNavigated,
    PageClosed,
    PageOpened,
)
from stockade.engines.port import Context, Page
from stockade.engines.routing import HeldRequest
from stockade.errors import DeadlineExceeded, EngineError, LimitReached
from stockade.kernel.approvals import Approvals
from stockade.kernel.entry_list import Sent, read_request
from stockade.kernel.line_cut import LineCut, on_arrival
from stockade.kernel.opened_tabs import BLANK, is_of_link, is_opening, pages_of
from stockade.kernel.questions import Question
from stockade.kernel.submission_facts import sent_facts
from stockade.kernel.verdicts import Verdict, verdict_by
from stockade.masking.background import run_in_background
from stockade.policy.capabilities import Capability
from stockade.policy.confirming import FORM, ConfirmRule
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.urls import origin_of

if TYPE_CHECKING:
    from stockade.kernel.approving import Wanted
    from stockade.kernel.call import Call
    from stockade.kernel.dispatch import Kernel

__all__ = ["Act", "Held", "Submissions"]

_AFTERWARDS: Final = 5.0
"""Seconds for which a page may still be acting on an input: as long as browsers think so."""
_PATIENCE: Final = 2.0
_ANSWER_PATIENCE: Final = 10.0
"""How long the rest of an answer may take: a body that no script reads is never finished."""
_MOST_REMEMBERED: Final = 100
_LARGE: Final = 1 << 20
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
_FORM: Final = "formSubmission"
_UNATTENDED: Final = frozenset({"Ping", "CSPViolationReport", "Preflight"})
"""What a page sends without waiting for an answer: nobody could be asked about it in time."""


@dataclass(eq=False)
class Act:
    """A call that gives input to a page."""

    call: Call
    want: Wanted | None
    held: list[Held] = field(default_factory=list)
    ended: float | None = None
    admitted: bool = False
    """Whether what its person agreed to beforehand has gone out."""
    on_stopped: Callable[[], None] = field(default=lambda: None)
    """Told when a form that it set off is stopped."""

    @property
    def page(self) -> Page:
        """The tab it works in."""
        return self.call.tab.page

    def is_same(self, call: Call) -> bool:
        """Whether a call is this one, made again."""
        mine = self.call
        return (
            (call.tool is mine.tool and call.given == mine.given)
            and call.caller == mine.caller
            and call.principal.tenant == mine.principal.tenant
            and call.tab_or_none is mine.tab_or_none
        )


@dataclass(eq=False)
class Held:
    """A request that may have to wait for an answer."""

    request: HeldRequest
    act: Act | None
    question: Question | None = None
    asked: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once it is known whether there is a question."""
    sent: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once a form that was stopped is sent again."""
    gone: asyncio.Future[bool] = field(default_factory=asyncio.Future)
    """Whether it went out."""
    told: bool = False
    """Whether the caller has been told what became of it."""

    @property
    def pending(self) -> bool:
        """Whether it waits for a person."""
        return self.question is not None and self.question.pending


class Submissions:
    """What the pages of one session send, where that waits for a person."""

    def __init__(self, kernel: Kernel, session: Session) -> None:
        self._approvals: Approvals = kernel.approvals
        self._masker = kernel.masker
        self._patience = kernel.settings.approval_timeout
        self._session = session
        self._acts: list[Act] = []
        self._held: list[Held] = []
        self._resent: dict[tuple[str, str], Held] = {}
        """Forms that are being sent after a yes, by frame and address."""
        self._cut = LineCut()
        self.rules = [each for each in session.policy.confirmed if each.kind in {"form", "origin"}]

    @classmethod
    def of(cls, session: Session | None) -> Submissions | None:
        """Those of a session, if any of its rules are about them."""
        return session.parts.get(cls) if session is not None else None

    def follow(self, context: Context) -> None:
        """Hear what the pages of a new browser state are about to do."""
        context.events.on(PageOpened, lambda event: self._watch(event.page))

    def _watch(self, page: Page) -> None:
        page.events.on(PageClosed, lambda _: self._withdraw(page, None))
        page.events.on(FrameNavigated, lambda event: self._left(page, event))

    def _left(self, page: Page, event: FrameNavigated) -> None:
        if not event.same_document and event.url not in BLANK:
            self._withdraw(page, event.frame.id)

    def _withdraw(self, page: Page, frame: str | None) -> None:
        """What a document that is gone wanted to send is not asked about any more."""
        for each in self._held:
            theirs = each.request.page is page and frame in {None, each.request.frame}
            if theirs and each.question is not None:
                self._approvals.withdraw(each.question)

    # --- calls ----------------------------------------------------------------------------------

    @asynccontextmanager
    async def during(self, call: Call, want: Wanted | None) -> AsyncIterator[Act]:
        """While a call gives input, and for a while after it, its pages act on that."""
        act = Act(call, want)
        self._acts.append(act)
        try:
            yield act
        finally:
            act.ended = asyncio.get_running_loop().time()
            self._acts = self._recent()

    def _recent(self) -> list[Act]:
        now = asyncio.get_running_loop().time()
        return [each for each in self._acts if each.ended is None or now < each.ended + _AFTERWARDS]

    def waiting_in(self, tab: Tab) -> Question | None:
        """The question about what a tab wants to send, if one is open."""
        mine = (each.question for each in self._held if tab.page in pages_of(each.request))
        return next((each for each in mine if each is not None and each.pending), None)

    def joined(self, call: Call) -> Held | None:
        """What a call that is made again was told to wait for."""
        return next(
            (
                each
                for each in self._held
                if each.question is not None
                and each.question.state != "withdrawn"
                and not each.told
                and each.act is not None
                and each.act.is_same(call)
                and call.approval in {"", each.question.id}
            ),
            None,
        )

    # --- requests -------------------------------------------------------------------------------

    def admit(self, request: HeldRequest) -> bool | HeldRequest | asyncio.Future[bool]:
        """Whether a request may go out; a form, or what an input made the page send, is asked."""
        address = request.url.partition("#")[0]
        again = self._resent.pop((request.frame, address), None)
        if again is not None and request.type == "Document":
            again.sent.set()
            return again.request
        act = self._act_of(request)
        if request.page is not None and self._cut.is_cut(request.page):
            return self._admit_later(request, request.page, act)
        said = self._admit_on(request, act)
        if said is True and act is not None and request.page is not None:
            self._cut.note_sent(request.page, request.url)
        return said

    def _admit_on(self, request: HeldRequest, act: Act | None) -> bool | asyncio.Future[bool]:
        """The same, for what an act set off, or nothing did."""
        address = request.url.partition("#")[0]
        is_form = self._is_form(request, address)
        if is_form is False and (request.method.upper() in _SAFE or not _gives_input(act)):
            return True
        rules = self._rules_met(request, act)
        if is_form is False and act is not None and act.want is not None:
            # Who agreed to an input on that site agreed to what its scripts do with it.
            rules = [each for each in rules if each not in act.want.rules or _is_of_forms(each)]
        if not rules:
            return True
        if request.type in _UNATTENDED or request.asker != "page":
            return not any(each.pending for each in self._held)
        return self._judge(request, act, rules, certain=is_form is not None)

    def _judge(
        self, request: HeldRequest, act: Act | None, rules: list[str], *, certain: bool
    ) -> bool | asyncio.Future[bool]:
        held = Held(request, act)
        small = sum(map(len, request.pieces)) <= _LARGE
        sent = read_request(request) if small else None
        if sent is not None and certain and self._agreed(held, sent, rules):
            return True
        self._held = [each for each in self._held if not each.told][-_MOST_REMEMBERED:]
        self._held.append(held)
        if act is not None:
            act.held.append(held)
        if request.type == "Document" and not is_opening(request):

            async def ask() -> None:
                with _concluded(held):
                    await self._ask(held, sent, rules, self._send_again)

            self._session.work.start(ask)
            if act is not None:
                act.on_stopped()
            return False

        async def decide(verdict: Verdict) -> None:
            async def release(_held: Held) -> bool:
                return verdict.give(admitted=True)

            with _concluded(held):
                if certain or not await is_of_link(self._session, request):
                    await self._ask(held, sent, rules, release)
                else:
                    await release(held)

        return verdict_by(self._session, decide)

    def _admit_later(
        self, request: HeldRequest, page: Page, act: Act | None
    ) -> bool | asyncio.Future[bool]:
        """While a person is asked, nothing else leaves: it waits, or the question is taken back."""
        if request.type in _UNATTENDED:
            return False
        if request.type == "Document":
            self._withdraw(page, None)
        leaving = self._cut.leaving(page)

        async def decide(verdict: Verdict) -> None:
            with leaving:
                await self._cut.ended(page)
                said = self._admit_on(request, act)
                if not isinstance(said, asyncio.Future):
                    verdict.give(admitted=said)
                    await _arrival(request)
                    return
            verdict.give(admitted=await said)

        return verdict_by(self._session, decide)

    def _is_form(self, request: HeldRequest, address: str) -> bool | None:
        """Whether it is a form's; nothing where only the page that opened its tab can tell."""
        if request.type != "Document" or request.redirected:
            return request.type == "Document" and request.method.upper() not in _SAFE
        if request.reason.startswith(_FORM) or request.method.upper() not in _SAFE:
            return True
        return None if is_opening(request) and "?" in address else False

    def _act_of(self, request: HeldRequest) -> Act | None:
        """The call that may have set it off: the latest in its tab, or where that was opened."""
        pages = pages_of(request)
        mine = [each for each in self._recent() if not pages or each.page in pages]
        return mine[-1] if mine else None

    def _rules_met(self, request: HeldRequest, act: Act | None) -> list[str]:
        stated = {key.lower(): value for key, value in request.headers.items()}
        origins = {origin_of(request.url), origin_of(stated.get("referer", ""))}
        origins.add(stated.get("origin", ""))
        for page in {*pages_of(request), *([act.page] if act is not None else [])}:
            origins |= {frame.origin for frame in page.frames}
        return sorted(each.text for each in self.rules if _covers(each, origins))

    # --- asking ---------------------------------------------------------------------------------

    async def _ask(
        self,
        held: Held,
        sent: Sent | None,
        rules: list[str],
        send: Callable[[Held], Awaitable[bool]],
    ) -> None:
        if sent is None:
            sent = await run_in_background(lambda: read_request(held.request))
            if self._agreed(held, sent, rules):
                held.gone.set_result(await send(held))
                return
        page = held.request.page
        async with self._cut.turn(page):
            facts = await sent_facts(self._session, held.request, sent)
            async with self._cut.around(page):
                try:
                    question = held.question = self._approvals.put(
                        self._question(held, {**facts, "rules": rules}, sent)
                    )
                except LimitReached:
                    return
                held.asked.set()
                await question.decided.wait()
            if self._approvals.use(question):
                held.gone.set_result(await send(held))
                await _arrival(held.request)

    def _agreed(self, held: Held, sent: Sent, rules: list[str]) -> bool:
        """Whether a person has said yes to exactly this, or to all of its kind, beforehand."""
        act = held.act
        asker = act.call.principal if act is not None else self._session.owner
        form = act.want.subject.facts.get("form") if act and act.want else None
        if act is not None and form and not act.admitted and sent.is_form(form):
            act.admitted = True
            return True
        return self._approvals.standing.covers(rules, asker, self._session.id)

    def _question(self, held: Held, facts: dict[str, Any], sent: Sent) -> Question:
        act = held.act
        asker = act.call.principal if act is not None else self._session.owner
        if act is not None and act.want is not None and act.want.subject.facts.get("form"):
            facts["reason"] = "changed"
        told = {"tool": "submission", **(act.call.told if act is not None else {}), **facts}
        return Question(
            kind="action",
            asker=asker,
            owner=self._session.owner,
            session=self._session.id,
            due=asyncio.get_running_loop().time() + self._patience,
            facts=self._masker.value(told),
            binding=self._approvals.binding(["sent", held.request.frame, *sent.bound]),
        )

    async def _send_again(self, held: Held) -> bool:
        """Have the document that wanted to send a form do so now; the gate puts in the bytes."""
        request = held.request
        tab = self._session.tab_of(request.page) if request.page is not None else None
        frame = next((f for f in tab.page.frames if f.id == request.frame), None) if tab else None
        if tab is None or frame is None:
            return False
        key = (request.frame, request.url.partition("#")[0])
        self._resent[key] = held
        try:
            async with asyncio.timeout(_PATIENCE):
                await tab.agent.call(
                    frame,
                    "submit_again",
                    url=request.url,
                    verb=request.method,
                    timeout=_PATIENCE,
                )
                await held.sent.wait()
        except (EngineError, DeadlineExceeded, TimeoutError):
            self._resent.pop(key, None)
        return held.sent.is_set()


@contextmanager
def _concluded(held: Held) -> Iterator[None]:
    """However it ends, nobody waits for it any longer."""
    try:
        yield
    finally:
        held.asked.set()
        if not held.gone.done():
            held.gone.set_result(False)


async def _arrival(request: HeldRequest) -> None:
    """Wait until a request that went out has been answered: the next question cuts the line."""
    page = request.page
    if page is None or request.type == "Document":
        return
    arrived = asyncio.Event()
    stop = on_arrival(page, request.url, arrived.set)
    with suppress(TimeoutError):
        async with asyncio.timeout(_ANSWER_PATIENCE):
            await arrived.wait()
    stop()


def _gives_input(act: Act | None) -> bool:
    """Whether a call does more than go to a page."""
    return act is not None and act.call.tool.capability is not Capability.NAVIGATION


def _is_of_forms(rule: str) -> bool:
    return rule.partition(":")[0] == FORM


def _covers(rule: ConfirmRule, origins: set[str]) -> bool:
    return rule.covers(each for each in origins if each and each != "null")
