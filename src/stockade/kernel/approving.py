"""Approving: the stage of a call at which a person is asked, where the policy wants that.

What is asked about is the call as it would be made now: the tool, its arguments, the origin and
the element as it is shown. The yes holds for exactly that, and once.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

from stockade.engines.port import Frame
from stockade.errors import (
    ApprovalDenied,
    ApprovalNotFound,
    ApprovalPending,
    DeadlineExceeded,
    EngineError,
    StockadeError,
    TargetChanged,
)
from stockade.kernel.approvals import Approvals
from stockade.kernel.call import Call
from stockade.kernel.downloads import file_of
from stockade.kernel.holding import set_down
from stockade.kernel.portrait import portrait
from stockade.kernel.questions import Question
from stockade.kernel.submitting import How, hows, needs_focus, sender_of
from stockade.page.probe import point_probe
from stockade.policy.capabilities import Capability
from stockade.policy.confirming import OFF_LIST, ConfirmRule
from stockade.sessions.admissions import Admissions
from stockade.sessions.tab import Tab
from stockade.urls import origin_of, parse

__all__ = ["Subject", "Wanted", "agreed", "elicited", "let_in", "wanted"]

_BYOB: Final = "byob_action"
_STANDING: Final = "standing"
_UPLOAD: Final = "file_upload"
_ATTACHED: Final = "attached"
_WRAPPERS: Final = frozenset(
    {"batch", "execute", "flake_check", "plan", "act_and_diff", "act_and_sample"}
    | {"act_and_wait_for_network", "cross_session_sample"}
)
"""Their inner calls are asked about, each on its own."""
_WITHOUT_EFFECT: Final = frozenset(
    {None, Capability.READ, Capability.HUMAN, Capability.DIAGNOSTICS}
)
_LOOKS: Final = frozenset(
    {"hover", "wait_for", "mouse_move", "mouse_wheel", "touch_move", "pdf_save", "page_archive"}
    | {"element_export", "dom_export", "asset_export", "perf_start", "coverage_start"}
    | {"heap_snapshot", "artifact_save", "camofox_hover", "camofox_scroll", "camofox_wait_for"}
)
"""They change nothing that belongs to the page."""
_LONGEST_SHOWN: Final = 500
_MOST_SHOWN: Final = 40
_PATIENCE: Final = 2.0


@dataclass
class Subject:
    """What a call is about: where it works, and on what."""

    origin: str = ""
    within: str = ""
    """The origin of the tab, where the element is in a frame of another."""
    ref: str = ""
    how: How = ""
    facts: dict[str, Any] = field(default_factory=dict)
    """What the page says of the element and its form; every word of it counts."""
    described: str = ""
    box: dict[str, float] | None = None
    frame: Frame | None = None
    number: int = 0
    files: list[dict[str, Any]] = field(default_factory=list)

    @property
    def origins(self) -> list[str]:
        """Whose page it is."""
        return [each for each in (self.origin, self.within) if each]


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
    if tool.reads or listing or tool.name in _WRAPPERS or tool.name in _LOOKS:
        return False
    return tool.capability not in _WITHOUT_EFFECT


async def wanted(call: Call, approvals: Approvals) -> Wanted | None:
    """What has to be asked before the call may go on; the target has been found."""
    rules = call.policy.confirmed
    possible = [each for each in rules if _possible(call, each)]
    if not possible:
        return None
    subject = await _subject(call, possible)
    met = sorted(each.text for each in possible if _met(call, each, subject))
    if not met:
        return None
    if _UPLOAD in met:
        subject.files = await _files(call)
    return Wanted(met, subject, approvals.binding(_bound(call, subject)))


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
        return bool(subject.facts.get("form")) and rule.covers(subject.origins)
    if rule.kind == "origin":
        return rule.covers(subject.origins)
    return _possible(call, rule)


# --- what it is about -----------------------------------------------------------------------------


async def _subject(call: Call, rules: list[ConfirmRule]) -> Subject:
    session = call.session_or_none
    if call.off_list:
        return Subject(origin=parse(call.off_list).origin)
    tab = call.tab_or_none or (session.current if session is not None else None)
    if tab is None:
        return Subject()
    subject = Subject(origin=origin_of(tab.url))
    if tab.page.dialog is not None or tab.page.crashed:
        # The page cannot be asked.
        return subject
    ways = hows(call) if any(each.kind == "form" for each in rules) else hows(call)[:1]
    frame, number = await _element(call, tab)
    if frame is not None and frame is not tab.page.main_frame:
        subject.within, subject.origin = subject.origin, origin_of(frame.url)
    agent = tab.agent
    for how in ways or [""]:
        if number == 0 and how != "script":
            continue
        said = await agent.call(
            frame or tab.page.main_frame,
            "agreed_facts",
            caller=call.caller,
            ref=number,
            how=how,
            timeout=call.left,
        )
        subject.how = how
        subject.frame, subject.number = frame, number
        subject.box, subject.described = said.pop("box", None), said.pop("described", "")
        subject.facts = said
        if said["form"]:
            break
    if number and frame is not None:
        subject.ref = f"{agent.prefix(frame)}e{number}"
    return subject


async def _element(call: Call, tab: Tab) -> tuple[Frame | None, int]:
    """The element that the call would act on: its target, what is at its point, the focus."""
    agent = tab.agent
    if call.target is not None:
        return agent.locate(call.target)
    sender = await sender_of(call)
    if sender is not None:
        return agent.locate(sender)
    coords = getattr(call.arguments, "coords", None)
    if coords is not None and call.tab_or_none is not None:
        seen = await point_probe(agent, coords.x, coords.y, caller=call.caller, timeout=call.left)
        return agent.locate(seen.stack[0].ref) if seen.stack else (None, 0)
    if not needs_focus(call):
        return None, 0
    frame: Frame = tab.page.main_frame
    while True:
        said = await agent.call(frame, "agreed_focus", timeout=call.left)
        child = (
            await agent.child_frame(frame, said["ref"], timeout=call.left)
            if said["frame"]
            else None
        )
        if child is None:
            return frame, int(said["ref"])
        frame = child


async def _files(call: Call) -> list[dict[str, Any]]:
    """The files that would be given away, by what is in them."""
    args = call.arguments
    given = [*getattr(args, "files", ()), args]
    names = [
        name
        for each in given
        for name in (getattr(each, "path", None), getattr(each, "artifact", None))
        if name
    ]
    found = []
    for name in names:
        with suppress(StockadeError):
            artifact = await file_of(call, name)
            content = await asyncio.to_thread(artifact.path.read_bytes)
            digest = hashlib.sha256(content).hexdigest()
            found.append({"name": artifact.name, "sizeBytes": len(content), "sha256": digest})
    return found


def _bound(call: Call, subject: Subject) -> dict[str, Any]:
    """Everything that a yes holds for; where any of it differs, another question is asked."""
    given = call.given.model_dump(mode="json", by_alias=True)
    given.pop("session", None)
    return {
        "tool": call.tool.name,
        "arguments": given,
        "tab": call.tab_or_none.id if call.tab_or_none is not None else "",
        "origin": subject.origin,
        "within": subject.within,
        "ref": subject.ref,
        "target": subject.facts,
        "files": subject.files,
    }


def _shown(value: Any) -> Any:
    """Arguments as a person can read them: a long one is cut, and says so."""
    if isinstance(value, str) and len(value) > _LONGEST_SHOWN:
        return f"{value[:_LONGEST_SHOWN]}… ({len(value)} characters)"
    if isinstance(value, dict):
        return {key: _shown(inner) for key, inner in value.items()}
    if isinstance(value, list):
        rest = [f"… and {len(value) - _MOST_SHOWN} more"] if len(value) > _MOST_SHOWN else []
        return [*map(_shown, value[:_MOST_SHOWN]), *rest]
    return value


def question_of(call: Call, want: Wanted, *, patience: float) -> Question:
    """The question that a person is shown."""
    subject = want.subject
    session = call.session_or_none
    given = call.given.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    given.pop("session", None)
    facts: dict[str, Any] = {
        "tool": call.tool.name,
        "arguments": _shown(given),
        "rules": want.rules,
        "origin": subject.origin,
    }
    if session is not None:
        facts["session"] = session.name
    if call.tab_or_none is not None:
        facts |= {"tab": call.tab.id, "url": call.tab.url[:2000]}
    if subject.within:
        facts["within"] = subject.within
    if subject.facts.get("target"):
        told = {key: value for key, value in subject.facts["target"].items() if value}
        told.pop("form", None)
        facts["target"] = {"ref": subject.ref, "described": subject.described, **told}
    if subject.facts.get("form"):
        facts["form"] = _shown(subject.facts["form"])
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
        raise _pending(question, want, changed=True)
    async with set_down(call):
        await _heard(call, question, want, approvals)
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


async def _heard(call: Call, question: Question, want: Wanted, approvals: Approvals) -> None:
    """Wait until a question is answered with a yes."""
    wait = call.kernel.settings.approval_wait
    await elicited(call, question)
    if not await approvals.wait(question, wait):
        raise _pending(question, want)
    if question.state in {"denied", "expired", "withdrawn"}:
        reason = {"denied": "denied", "expired": "timeout"}.get(question.state, "withdrawn")
        raise ApprovalDenied(
            "a person said no" if reason == "denied" else f"nobody said yes: {reason}",
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


def _pending(question: Question, want: Wanted, *, changed: bool = False) -> ApprovalPending:
    what = want.subject.described or question.facts.get("origin") or ""
    return ApprovalPending(
        "it is not what was approved any more; a person is asked again"
        if changed
        else "a person has been asked and has not answered yet",
        approval=question.id,
        rules=want.rules,
        **({"reason": "changed"} if changed else {}),
        **({"target": what} if what else {}),
    )


# --- acting ---------------------------------------------------------------------------------------


@asynccontextmanager
async def let_in(call: Call, want: Wanted) -> AsyncIterator[None]:
    """Do what was agreed to: input lands in what was agreed to or nowhere, the origin is let in."""
    subject = want.subject
    if call.off_list and call.session_or_none is not None:
        session = call.session
        admissions = session.parts.of(Admissions, lambda: Admissions(session))
        admission = await admissions.open(subject.origin)
        call.admitted = subject.origin
        try:
            yield
        finally:
            call.admitted = ""
            await session.work.finish(lambda: admissions.settle(admission, call.tab_or_none))
        return
    if subject.number and subject.frame is not None and subject.how in {"point", "enter", "space"}:
        async with _bound_input(call, subject, subject.frame):
            yield
        return
    yield


@asynccontextmanager
async def _bound_input(call: Call, subject: Subject, frame: Frame) -> AsyncIterator[None]:
    agent = call.tab.agent
    aimed = call.target is not None
    frames = [frame] if aimed else [each for each in agent.frames() if not each.detached]
    for each in frames:
        number = subject.number if each is frame else 0
        with suppress(EngineError, DeadlineExceeded):
            await agent.call(
                each, "agreed_bind", ref=number, how=subject.how, timeout=min(_PATIENCE, call.left)
            )
    try:
        yield
    finally:
        changed = await _released(call, frames)
    if changed:
        raise TargetChanged(f"{subject.described or 'the element'} changed before the input")


async def _released(call: Call, frames: list[Frame]) -> bool:
    agent = call.tab.agent
    changed = False
    if call.tab.page.dialog is not None:
        return False
    for each in frames:
        if not each.detached:
            with suppress(EngineError, DeadlineExceeded):
                said = await agent.call(each, "agreed_release", timeout=_PATIENCE)
                changed = changed or said["changed"]
    return changed
