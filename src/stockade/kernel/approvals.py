"""Approvals: questions to a person, and their answers.

A question is answered by an operator on `/v1/approvals`, the console or the command line, or by
the person behind an MCP client where the operator allowed that; never by a page, and never by a
tool. It lives in memory: what nobody answered in time, or before the server ended, is a no.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable
from typing import Any, Final, Literal

from stockade.audit.trail import Trail
from stockade.config import Settings
from stockade.errors import (
    ApprovalNotFound,
    Conflict,
    InvalidArgument,
    LimitReached,
    Refused,
)
from stockade.kernel.news import News
from stockade.kernel.questions import YES_OR_NO, Question, State
from stockade.kernel.standing import Standing
from stockade.masking.masker import Masker
from stockade.masking.scopes import SERVER, of_tenant
from stockade.policy.principal import Principal, Role
from stockade.sessions.changes import SessionEnded
from stockade.sessions.manager import Sessions
from stockade.sessions.session import Session

__all__ = ["Approvals", "Decision"]

Decision = Literal["approve", "deny", "answer"]

_MOST_PENDING: Final = 50
"""Questions of one session that wait at a time: a page must not bury a person in them."""
_MOST_KEPT: Final = 1000
_LONGEST_VALUE: Final = 10_000
_LONGEST_NOTE: Final = 1000
_LONGEST_TEXT: Final = 500


class Approvals:
    """Every question of a server."""

    def __init__(self, settings: Settings, trail: Trail, news: News, masker: Masker) -> None:
        self._settings = settings
        self._trail = trail
        self._news = news
        self._masker = masker
        self._key = secrets.token_bytes(32)
        self._questions: dict[str, Question] = {}
        self._bound: dict[tuple[str, str, str, str], Question] = {}
        self._deciding = asyncio.Lock()
        self.standing = Standing()
        self.heralds: list[Callable[[Question], None]] = []
        """Told of every question that is asked."""

    def follow(self, sessions: Sessions) -> None:
        """Take back the questions of a session that ends."""
        sessions.changes.on(SessionEnded, lambda event: self._withdraw(event.session))

    # --- asking ---------------------------------------------------------------------------------

    def binding(self, what: Any) -> str:
        """A name for exactly this; nobody else can make it, or find out what it stands for."""
        said = json.dumps(what, sort_keys=True, ensure_ascii=True, default=str)
        return hmac.new(self._key, said.encode(), hashlib.sha256).hexdigest()

    def bound(self, asker: Principal, session: str, binding: str) -> Question | None:
        """The question about exactly this that is still of use."""
        question = self._bound.get(_place(asker, session, binding))
        if question is None or not self._of_use(question):
            return None
        return question

    def _of_use(self, question: Question) -> bool:
        now = asyncio.get_running_loop().time()
        if question.state == "approved":
            return now < question.usable_until
        # A no stands as long as the question would have: nobody is asked again and again.
        return question.state in {"pending", "denied"} and now < question.due

    def put(self, question: Question) -> Question:
        """Ask; the same thing is asked once at a time."""
        known = self.bound(question.asker, question.session, question.binding)
        if known is not None and question.binding:
            return known
        waiting = sum(
            each.pending and each.session == question.session and _same(each.asker, question.asker)
            for each in self._questions.values()
        )
        if waiting >= _MOST_PENDING:
            raise LimitReached(
                f"{_MOST_PENDING} questions to a person wait already",
                hint="Wait until some have been answered.",
            )
        question.facts = self._masked(question).value(question.facts)
        self._forget_oldest()
        self._questions[question.id] = question
        if question.binding:
            place = _place(question.asker, question.session, question.binding)
            self._bound[place] = question
        loop = asyncio.get_running_loop()
        loop.call_at(question.due, self._expire, question)
        self._tell("approval.asked", question)
        for herald in self.heralds:
            herald(question)
        return question

    def _masked(self, question: Question) -> Masker:
        """Takes out what nobody is told who may see the question."""
        return self._masker.within(SERVER, of_tenant(question.owner.tenant))

    def _expire(self, question: Question) -> None:
        if question.pending:
            self._decide(question, "expired")

    def _withdraw(self, session: Session) -> None:
        for each in list(self._questions.values()):
            if each.session == session.id and each.pending:
                self._decide(each, "withdrawn")
        self.standing.forget(session.id)

    def withdraw(self, question: Question) -> None:
        """Take a question back, or a yes that nobody can make use of any more."""
        if question.state in {"pending", "approved"}:
            self._decide(question, "withdrawn")

    def _forget_oldest(self) -> None:
        over = [each for each in self._questions.values() if not self._of_use(each)]
        for old in over[: max(len(self._questions) - _MOST_KEPT, 0)]:
            del self._questions[old.id]
            place = _place(old.asker, old.session, old.binding)
            if self._bound.get(place) is old:
                del self._bound[place]

    def asked_by(self, asker: Principal, id: str) -> Question:
        """The question of that id, of the same caller; another's is as if it were not there."""
        question = self._questions.get(id)
        if question is None or not _same(question.asker, asker):
            raise _missing()
        return question

    async def wait(self, question: Question, seconds: float) -> bool:
        """Wait for an answer; whether there is one."""
        try:
            async with asyncio.timeout(seconds):
                await question.decided.wait()
        except TimeoutError:
            return not question.pending
        return True

    def use(self, question: Question) -> bool:
        """Make use of a yes: once, and not when it is too late; whether it can be."""
        if question.state != "approved" or not self._of_use(question):
            return False
        question.state = "used"
        return True

    async def ask_event(
        self,
        session: Session,
        kind: str,
        text: str,
        origin: str,
        timeout: float | None = None,
    ) -> bool:
        """Ask whether something that a page wants may be; no answer in time is a no."""
        loop = asyncio.get_running_loop()
        patience = min(timeout or self._settings.approval_timeout, self._settings.approval_timeout)
        question = self.put(
            Question(
                kind="event",
                asker=session.owner,
                owner=session.owner,
                session=session.id,
                due=loop.time() + patience,
                facts={
                    "session": session.name,
                    "tool": kind,
                    "origin": origin,
                    "prompt": text[:_LONGEST_TEXT],
                    "rules": ["ask-human"],
                },
            )
        )
        try:
            await question.decided.wait()
        except asyncio.CancelledError:
            self.withdraw(question)
            raise
        return self.use(question)

    # --- answering ------------------------------------------------------------------------------

    def listed(self, principal: Principal, state: str | None = None) -> list[Question]:
        """The questions of an operator's tenant, the oldest first."""
        principal.require(Role.OPERATOR, "to see what is to be approved")
        return [
            each
            for each in self._questions.values()
            if each.owner.tenant == principal.tenant and state in {None, each.state}
        ]

    def find(self, principal: Principal, id: str) -> Question:
        """One of them."""
        principal.require(Role.OPERATOR, "to see what is to be approved")
        question = self._questions.get(id)
        if question is None or question.owner.tenant != principal.tenant:
            raise _missing()
        return question

    async def answer(
        self,
        principal: Principal,
        id: str,
        decision: Decision,
        *,
        value: Any = None,
        note: str = "",
    ) -> Question:
        """Decide a question, as an operator; the first decision stands."""
        principal.require(Role.OPERATOR, "to approve")
        question = self.find(principal, id)
        if question.asker.id == principal.id and not principal.has_role(Role.ADMIN):
            raise Refused(
                "the key that asks cannot answer", hint="Answer with another operator's key."
            )
        return await self.decide(question, decision, by=principal.id, value=value, note=note)

    async def decide(
        self, question: Question, decision: Decision, *, by: str, value: Any = None, note: str = ""
    ) -> Question:
        """Decide a question; whoever calls this has made sure that `by` may."""
        state, value = _read(question, decision, value)
        row = {
            "approval": question.id,
            "decision": state,
            "principal": by,
            "tenant": question.owner.tenant,
            "session": question.session,
            "tool": question.facts.get("tool", question.kind),
        }
        # One at a time: the row is durable before the answer holds, and the first one wins.
        async with self._deciding:
            self._ensure_pending(question)
            await self._trail.intent(self._masker.value(row))
            self._ensure_pending(question)
            question.by, question.note = by, self._masked(question).text(note[:_LONGEST_NOTE])
            question.value = value
            self._decide(question, state)
        await self._trail.outcome(self._masker.value({**row, "outcome": state}))
        return question

    def _ensure_pending(self, question: Question) -> None:
        if not question.pending:
            raise Conflict(
                f"the question is not open any more: {question.state}",
                hint="Look at it again to see what was decided.",
                state=question.state,
                answeredBy=question.by,
            )

    def _decide(self, question: Question, state: State) -> None:
        question.state = state
        question.answered_at = time.time()
        question.usable_until = asyncio.get_running_loop().time() + self._settings.approval_timeout
        question.decided.set()
        self._tell("approval.answered", question)

    def _tell(self, kind: str, question: Question) -> None:
        facts = {name: question.facts.get(name) for name in ("tool", "origin", "rules", "session")}
        known = {name: value for name, value in facts.items() if value}
        self._news.publish(
            kind,
            question.owner,
            None,
            approval=question.id,
            state=question.state,
            kind=question.kind,
            session_id=question.session,
            **known,
        )


def _read(question: Question, decision: Decision, value: Any) -> tuple[State, Any]:
    """What a decision makes of a question, and the value that goes with it."""
    if decision == "deny":
        return "denied", None
    if question.kind in YES_OR_NO:
        if decision != "approve":
            raise InvalidArgument("this is answered with approve or deny")
        return "approved", None
    if question.kind in {"acknowledge", "confirm"}:
        if decision == "answer" and value is not None and not isinstance(value, bool):
            raise InvalidArgument(f"the value of an answer to {question.kind} is true or false")
        return "answered", True if value is None else value
    if decision != "answer" or not isinstance(value, str) or len(value) > _LONGEST_VALUE:
        raise InvalidArgument(
            f"this is answered with decision=answer and a value of at most {_LONGEST_VALUE} "
            "characters"
        )
    if question.kind == "choose" and value not in question.facts.get("choices", ()):
        raise InvalidArgument("the value is none of the choices")
    return "answered", value


def _same(one: Principal, other: Principal) -> bool:
    return (one.tenant, one.id, one.client) == (other.tenant, other.id, other.client)


def _place(asker: Principal, session: str, binding: str) -> tuple[str, str, str, str]:
    return f"{asker.tenant}/{asker.id}", asker.client, session, binding


def _missing() -> ApprovalNotFound:
    return ApprovalNotFound("there is no such question, or it is long over")
