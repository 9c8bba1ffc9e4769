"""Agreement: what a person agreed to is done, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Final

from stockade.engines.port import Frame
from stockade.errors import DeadlineExceeded, EngineError, TargetChanged
from stockade.kernel.call import Call
from stockade.kernel.subjects import Subject
from stockade.sessions.admissions import Admissions

__all__ = ["closed_to_others", "let_in"]

_PATIENCE: Final = 2.0


@asynccontextmanager
async def closed_to_others(call: Call, rules: Sequence[str]) -> AsyncIterator[None]:
    """Let no input reach frames whose origin waits for a person who was not asked about it."""
    closed = _closed_frames(call, rules)
    for frame in closed:
        await _bind(call, frame, 0, "")
    try:
        yield
    finally:
        touched = await _released(call, closed) if closed else False
    if touched:
        origins = ", ".join(sorted({each.origin for each in closed}))
        raise TargetChanged(
            f"the input went to a frame of {origins}, which waits for a person; none reached it",
            hint="Name an element of that frame by its ref, and a person is asked.",
        )


def _closed_frames(call: Call, rules: Sequence[str]) -> list[Frame]:
    open_questions = [
        each for each in call.policy.confirmed if each.kind == "origin" and each.text not in rules
    ]
    tab = call.tab_or_none
    acts = not call.tool.reads and call.tool.effect != "wraps"
    if not open_questions or tab is None or not acts or tab.page.dialog is not None:
        return []
    main = tab.page.main_frame
    return [
        frame
        for frame in tab.page.frames
        if frame is not main
        and not frame.detached
        and any(each.covers([frame.origin]) for each in open_questions)
    ]


@asynccontextmanager
async def let_in(call: Call, subject: Subject) -> AsyncIterator[None]:
    """Do what was agreed to: input lands in what was agreed to or nowhere, the origin is let in."""
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
        await _bind(call, each, number, subject.how)
    try:
        yield
    finally:
        changed = await _released(call, frames)
    if changed:
        raise TargetChanged(f"{subject.described or 'the element'} changed before the input")


async def _bind(call: Call, frame: Frame, number: int, how: str) -> None:
    """Have a frame take input in one element, or in none; what does not answer takes none."""
    with suppress(EngineError, DeadlineExceeded):
        await call.tab.agent.call(
            frame, "agreed_bind", ref=number, how=how, timeout=min(_PATIENCE, call.left)
        )


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
