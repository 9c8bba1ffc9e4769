"""How a call ends whose page wants to send something."""

from __future__ import annotations

import asyncio

from tests.support.callers import Caller
from tests.support.desk import Desk, script
from tests.support.waiting import until

FORM = "<form id=f action=/pay><input name=q value=1></form><p id=go onclick=f.submit()>Go</p>"


async def test_the_call_goes_on_when_a_person_says_yes_in_time(caller: Caller) -> None:
    caller.site.page("/pay", "<title>Paid</title>Thank you")
    desk = Desk.of(caller, "form_submit")
    await desk.agent.show(FORM)
    async with asyncio.TaskGroup() as group:
        clicking = group.create_task(desk.agent.reply("click", selector="#go"))
        question = await desk.asked()
        assert caller.site.asked("/pay") == []
        await desk.say("approve")
    told = clicking.result()
    assert told.ok, told.text
    assert "Thank you" in told.text
    assert (question.state, len(caller.site.asked("/pay"))) == ("used", 1)


async def test_steps_of_a_batch_wait_too(hasty: Caller) -> None:
    hasty.site.page("/pay", "<title>Paid</title>Thank you")
    desk = Desk.of(hasty, "form_submit")
    await desk.agent.show(FORM)
    steps = {"calls": [{"tool": "click", "args": {"selector": "#go"}}]}
    reply = await desk.agent.reply("batch", **steps)
    assert "approval_pending" in reply.text
    await desk.say("approve")
    again = await desk.agent.reply("batch", **steps)
    assert "Thank you" in again.text, again.text
    assert len(hasty.site.asked("/pay")) == 1


async def test_a_page_that_sends_a_form_once_it_was_opened(hasty: Caller) -> None:
    """The call that opened it is over by then, and nothing of it is left to be cut short."""
    hasty.site.page("/pay", "<title>Paid</title>Thank you")
    desk = Desk.of(hasty, "form_submit")
    await desk.agent.show(FORM)
    await script(desk.agent, "f.submit()")
    await until(lambda: bool(desk.pending))
    assert "Go" in await desk.agent.text("snapshot")
    await desk.say("approve")
    await hasty.site.wait_asked("/pay")
