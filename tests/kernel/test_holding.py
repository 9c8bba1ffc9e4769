"""What a call has while it works, given back while it waits for a person."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from stockade.errors import ApprovalPending, Busy
from stockade.kernel.arguments import InTab
from stockade.kernel.call import Call
from stockade.kernel.holding import Holding, outer_calls, set_down
from stockade.kernel.turns import Turns
from tests.support.callers import Caller


@pytest.fixture
async def calls(caller: Caller) -> list[Call]:
    """A call in a tab, and one within it."""
    await caller.ok("tabs", action="new")
    kernel = caller.kernel
    session = kernel.sessions.find(caller.principal, "default")
    made: list[Call] = []
    for name in ("batch", "click"):
        made.append(
            Call(
                id=name,
                kernel=kernel,
                principal=caller.principal,
                tool=kernel.registry.find(name),
                arguments=InTab(),
                deadline=asyncio.get_running_loop().time() + 5,
                parent=made[-1] if made else None,
                session_or_none=session,
            )
        )
    return made


async def test_nothing_is_held_and_no_time_runs_while_a_call_is_set_down(calls: list[Call]) -> None:
    outer, inner = calls
    turns, settings = Turns(), outer.kernel.settings
    assert outer_calls(inner) == [outer]
    async with Holding(outer, turns, settings), Holding(inner, turns, settings):
        lease, slots, deadline = outer.tab.lease, outer.session.slots, outer.deadline
        assert (lease.users, slots.users) == (1, 1)
        async with asyncio.timeout_at(outer.deadline) as outer.timer, set_down(inner):
            assert (lease.users, slots.users) == (0, 0)
            assert outer.timer.when() is None
            async with lease.hold(1), slots.hold(1):
                await asyncio.sleep(0.01)
        assert (lease.users, slots.users) == (1, 1)
        assert outer.deadline > deadline
        assert outer.timer.when() == outer.deadline
    assert (lease.users, slots.users) == (0, 0)


async def test_the_outer_call_has_everything_again_when_the_inner_ends(calls: list[Call]) -> None:
    outer, inner = calls
    turns, settings = Turns(), outer.kernel.settings
    async with Holding(outer, turns, settings):
        with pytest.raises(ApprovalPending):
            async with Holding(inner, turns, settings), set_down(inner):
                raise ApprovalPending("not yet")
        assert outer.tab.lease.users == 1


async def test_what_cannot_be_had_again_ends_both(calls: list[Call]) -> None:
    outer, inner = calls
    settings = outer.kernel.settings.model_copy(update={"tab_wait": 0.01})
    turns = Turns()
    seen: list[type[BaseException]] = []
    async with AsyncExitStack() as others, Holding(outer, turns, settings):
        try:
            async with asyncio.timeout_at(outer.deadline) as outer.timer:
                try:
                    async with Holding(inner, turns, settings), set_down(inner):
                        await others.enter_async_context(outer.tab.lease.hold(1))
                except Busy as error:
                    seen.append(type(error))
                await asyncio.sleep(5)
        except TimeoutError as error:
            seen.append(type(error))
    assert seen == [Busy, TimeoutError]
