"""Approving: the stage of a call at which a person is asked, where the policy wants that.

What is asked about is the call as it would be made now: the tool, its arguments, the origin and
the element as it is shown. The yes holds for exactly that, and once.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from stockade.errors import (
    ApprovalDenied,
    ApprovalNotFound,
    ApprovalPending,
    DeadlineExceeded,
    EngineError,
    StockadeError,
)
from stockade.kernel.approvals import Approvals
from stockade.kernel.call import Call
from stockade.kernel.holding import set_down
from stockade.kernel.portrait import portrait
from stockade.kernel.questions import Question
from stockade.kernel.secrets import in_other_field
from stockade.kernel.subjects import Subject, bound, files_of, shown_form, subject_of
from stockade.kernel.submissions import Submissions
from stockade.kernel.submitting import hows
from stockade.policy.capabilities import Capability
from stockade.policy.confirming import OFF_LIST, ConfirmRule

__all__ = [
    "SECRET_FIELD",
    "Wanted",
    "agreed",
    "denied",
    "elicited",
    "heard",
    "refuse_meanwhile",
    "wanted",
]

SECRET_FIELD: Final = "secret_field"  # noqa: S105
"""Asked whatever the policy says: a kept secret would go into a field that shows it."""
_BYOB: Final = "byob_action"
_STANDING: Final = "standing"
_UPLOAD: Final = "file_upload"
_ATTACHED: Final = "attached"
_CHANGED: Final = "changed"
_WITHOUT_EFFECT: Final = frozenset(
    {None, Capability.READ, Capability.HUMAN, Capability.DIAGNOSTICS}
)


@dataclass
class Wanted:
    """What a person has to be asked about a call, and why."""

    rules: list[str]
    subject: Subject
    binding: str
    approval: str = ""
    """The question that was answered with yes, or that there was none to ask."""


def _changes(call: Call) -> bool:
    """Whether a call does something to a page or its site."""
    tool = call.tool
    listing = getattr(call.arguments, "action", "") == "list"
    if tool.reads or listing or tool.effect != "acts":
        return False
    return tool.capability not in _WITHOUT_EFFECT


async def wanted(call: Call, approvals: Approvals) -> Wanted | None:
    """What has to be asked before the call may go on; the target has been found."""
    rules = call.policy.confirmed
    possible = [each for each in rules if _possible(call, each)]
    other_field = await in_other_field(call)
    if not possible and not other_field:
        return None
    forms = any(each.kind == "form" for each in possible)
    subject = await subject_of(call, forms=forms)
    met = sorted(each.text for each in possible if _met(call, each, subject))
    if other_field:
        met.append(SECRET_FIELD)
    if not met:
        return None
    if _UPLOAD in met:
        subject.files = await files_of(call)
    return Wanted(met, subject, approvals.binding(bound(call, subject)))


def _possible(call: Call, rule: ConfirmRule) -> bool:
    """What can be said without a look at the page."""
    tool = call.tool
    if rule.kind == "tool":
        return rule.name == tool.name
    if rule == OFF_LIST:
        return bool(call.off_list)
    if rule.kind == "item":
        if rule.name == _BYOB:
            session = call.session_or_none
            attached = session is not None and session.isolation == _ATTACHED
            return attached and _changes(call)
        return tool.confirm == rule.name
    if rule.kind == "origin":
        return tool.capability is not Capability.NAVIGATION and _changes(call)
    return bool(hows(call))


def _met(call: Call, rule: ConfirmRule, subject: Subject) -> bool:
    if rule.kind == "form":
        # A script needs no form that is there: it can make one.
        sends = subject.facts.get("form") or call.tool.capability is Capability.EVAL
        return bool(sends) and rule.covers(subject.origins)
    if rule.kind == "origin":
        return rule.covers(subject.origins)
    return _possible(call, rule)


def question_of(call: Call, want: Wanted, *, patience: float) -> Question:
    """The question that a person is shown."""
    subject = want.subject
    session = call.session_or_none
    facts: dict[str, Any] = {**call.told, "rules": want.rules, "origin": subject.origin}
    if subject.within:
        facts["within"] = subject.within
    if subject.facts.get("target"):
        told = {key: value for key, value in subject.facts["target"].items() if value}
        told.pop("form", None)
        facts["target"] = {"ref": subject.ref, "described": subject.described, **told}
    if subject.facts.get("form"):
        facts["form"] = shown_form(subject.facts["form"])
    if subject.files:
        facts["files"] = subject.files
    return Question(
        kind="action",
        asker=call.principal,
        owner=session.owner if session is not None else call.principal,
        session=session.id if session is not None else "",
        due=asyncio.get_running_loop().time() + patience,
        facts=call.masker.value(facts),
        binding=want.binding,
    )


# --- asking ---------------------------------------------------------------------------------------


async def agreed(call: Call, want: Wanted, approvals: Approvals) -> bool:
    """Whether a person has said yes to exactly this; if not yet, they are asked.

    False: a yes has just come, and the call has to be looked at again before it may go on.
    """
    settings = call.kernel.settings
    session = call.session_or_none
    place = session.id if session is not None else ""
    if approvals.standing.covers(want.rules, call.principal, place):
        want.approval = _STANDING
        return True
    known = approvals.bound(call.principal, place, want.binding)
    if known is not None and approvals.use(known):
        want.approval = known.id
        return True
    changed = False
    if call.approval:
        changed = _compared(call, want, approvals)
        call.approval = ""
    new = known is None
    question = known or approvals.put(question_of(call, want, patience=settings.approval_timeout))
    if new and question.picture is None and want.subject.box is not None:
        question.picture = await portrait(call, want.subject.box, want.subject.frame)
    if changed:
        await _show(call, want.subject)
        raise _pending(question, want.subject.described, changed=True)
    await heard(call, question, approvals, described=want.subject.described)
    # What was agreed to must still be what is there.
    call.approval = question.id
    return False


async def _show(call: Call, subject: Subject) -> None:
    """The caller is told what the element is now: a call that it repeats means that."""
    if subject.number and subject.frame is not None:
        with suppress(EngineError, DeadlineExceeded):
            await call.tab.agent.call(
                subject.frame,
                "agreed_show",
                caller=call.caller,
                ref=subject.number,
                timeout=call.left,
            )


async def heard(
    call: Call, question: Question, approvals: Approvals, *, described: str = ""
) -> None:
    """Wait until a question is answered with a yes; nothing is held meanwhile, no time runs."""
    async with set_down(call):
        await elicited(call, question)
        if not await approvals.wait(question, call.kernel.settings.approval_wait):
            raise _pending(question, described, changed=question.facts.get("reason") == _CHANGED)
        if question.state in {"denied", "expired", "withdrawn"}:
            raise denied(question)


def denied(question: Question) -> ApprovalDenied:
    """Why there was no yes."""
    reasons = {"denied": "denied", "expired": "timeout", "used": "gone"}
    reason = reasons.get(question.state, "withdrawn")
    said = {
        "denied": "a person said no",
        "gone": "a person said yes, and the page that wanted to send it was no longer there",
    }
    return ApprovalDenied(
        said.get(reason, f"nobody said yes: {reason}"),
        reason=reason,
        approval=question.id,
        **({"note": question.note} if question.note else {}),
    )


async def elicited(call: Call, question: Question) -> None:
    """Ask the person behind the client as well, if that may be, until anybody has answered."""
    if call.elicit is None or question.elicited or not question.pending:
        return
    question.elicited = True
    elicitor, failed = call.elicit, list[StockadeError]()

    async def ask() -> None:
        try:
            await elicitor.ask(question)
        except StockadeError as error:
            failed.append(error)

    try:
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(ask())
            decided = group.create_task(question.decided.wait())
            left = question.due - asyncio.get_running_loop().time()
            first = asyncio.FIRST_COMPLETED
            await asyncio.wait({asking, decided}, timeout=left, return_when=first)
            asking.cancel()
            decided.cancel()
    except asyncio.CancelledError:
        # The client left; the next time it may be asked again.
        question.elicited = False
        raise
    if failed:
        raise failed[0]


def _compared(call: Call, want: Wanted, approvals: Approvals) -> bool:
    """Whether the question that a caller speaks of was about something else than this."""
    question = approvals.asked_by(call.principal, call.approval)
    if question.state == "used":
        raise ApprovalNotFound(
            "that approval has been used",
            hint="An approval is good for one call. Make the call without it to ask again.",
            approval=question.id,
        )
    if question.binding == want.binding:
        return False
    # It is no longer what was agreed to, and will not be again.
    approvals.withdraw(question)
    return True


def refuse_meanwhile(call: Call) -> None:
    """Refuse what would change a page while something that it wants to send waits for a person."""
    submissions = Submissions.of(call.session_or_none)
    if submissions is None or call.tab_or_none is None or not _changes(call):
        return
    question = submissions.waiting_in(call.tab)
    if question is not None and call.tool.capability is not Capability.NAVIGATION:
        raise _pending(question, "")


def _pending(question: Question, described: str, *, changed: bool = False) -> ApprovalPending:
    what = described or question.facts.get("origin") or ""
    return ApprovalPending(
        "it is not what was approved any more; a person is asked again"
        if changed
        else "a person has been asked and has not answered yet",
        approval=question.id,
        rules=question.facts.get("rules", []),
        **({"reason": _CHANGED} if changed else {}),
        **({"target": what} if what else {}),
    )
