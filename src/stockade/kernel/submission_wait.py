"""Waiting for submissions: how a call ends whose page wants to send something."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from stockade.errors import EngineError, StockadeError
from stockade.kernel.action_result import Done
from stockade.kernel.approving import Wanted, denied, heard
from stockade.kernel.arguments import ActionOptions
from stockade.kernel.call import Call
from stockade.kernel.observation import Act as Acted
from stockade.kernel.observation import observe
from stockade.kernel.portrait import portrait
from stockade.kernel.questions import Question
from stockade.kernel.subjects import subject_of
from stockade.kernel.submissions import Held, Submissions
from stockade.page.settle import Settled, Window
from stockade.policy.capabilities import Capability

__all__ = ["rejoin", "run_tool"]


async def run_tool(call: Call, want: Wanted | None) -> Any:
    """Run a call's tool; what that makes a page send waits for a person, where a rule asks for it.

    The result is there once a person has answered for all of it.
    """
    submissions = Submissions.of(call.session_or_none)
    tool = call.tool
    if submissions is None or call.tab_or_none is None or tool.reads or tool.effect == "wraps":
        return await tool.run(call, call.arguments)
    result: Any = None
    async with submissions.during(call, want) as act:
        try:
            async with asyncio.timeout(None) as timer:
                if tool.capability is Capability.NAVIGATION:
                    # What it waits for will not come once it has been stopped.
                    act.on_stopped = lambda: timer.reschedule(0)
                result = await tool.run(call, call.arguments)
        except (EngineError, TimeoutError):
            if not act.held:
                raise
        finally:
            # A page may still send a form on account of this, when there is nothing to cut short.
            act.on_stopped = _do_nothing
    for each in list(act.held):
        await each.asked.wait()
        if each.question is not None:
            return await _outcome(call, each, seen=result)
    return result


def _do_nothing() -> None:
    pass


async def rejoin(call: Call) -> Any:
    """The result of a call that is made again while what it sent waits, or since it went out.

    The input was given the first time, and is not given again.
    """
    submissions = Submissions.of(call.session_or_none)
    if submissions is None or call.tab_or_none is None:
        return None
    held = submissions.joined(call)
    return None if held is None else await _outcome(call, held)


async def _outcome(call: Call, first: Held, *, seen: Any = None) -> Any:
    """What came of it; `seen` is a result that may already tell, where the answer came quickly."""
    is_seen = seen is not None and first.gone.done()
    tab, url_before = call.tab, call.tab.url
    settled = Settled(settled=True, effect="none")
    with Window(tab.agent) as window:
        held: Held | None = first
        while held is not None:
            await held.asked.wait()
            question = held.question
            if question is not None:
                if question.pending:
                    await _add_picture(call, question)
                    await heard(call, question, call.kernel.approvals)
                if not await held.gone:
                    held.told = True
                    raise denied(question)
            held.told = True
            settled = await window.settle(timeout=call.left)
            held = _next_of(first)
    if is_seen and settled.effect == "none":
        return seen
    options = (
        call.given if isinstance(call.given, ActionOptions) else ActionOptions.model_validate({})
    )
    done = Done(type=call.tool.name, ref=call.target)
    return await observe(call, Acted(done, settled, url_before), options)


async def _add_picture(call: Call, question: Question) -> None:
    """Show a person what the input was given to, if it is still there and nobody has answered."""
    if question.picture is not None:
        return
    async with asyncio.TaskGroup() as group:
        taking = group.create_task(_take_picture(call, question))
        answered = group.create_task(question.decided.wait())
        await asyncio.wait({taking, answered}, return_when=asyncio.FIRST_COMPLETED)
        taking.cancel()
        answered.cancel()


async def _take_picture(call: Call, question: Question) -> None:
    with suppress(StockadeError):
        subject = await subject_of(call, forms=False)
        if subject.box is not None:
            question.picture = await portrait(call, subject.box, subject.frame)


def _next_of(held: Held) -> Held | None:
    """What else the same input made the page send meanwhile."""
    others = held.act.held if held.act is not None else []
    return next((each for each in others if not each.told), None)
