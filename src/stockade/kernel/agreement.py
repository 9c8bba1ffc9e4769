"""Agreement: what a person agreed to is done, and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from stockade.engines.port import Frame
from stockade.errors import DeadlineExceeded, EngineError, TargetChanged
from stockade.kernel.call import Call
from stockade.kernel.subjects import Subject
from stockade.sessions.admissions import Admissions

__all__ = ["let_in"]

_PATIENCE: Final = 2.0


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
