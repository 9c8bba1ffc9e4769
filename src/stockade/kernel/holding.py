"""Holding: what a call has while it works, and gives back while a person is asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Self

from stockade.errors import StockadeError
from stockade.kernel.arguments import InTab

if TYPE_CHECKING:
    from stockade.config import Settings
    from stockade.kernel.call import Call
    from stockade.kernel.turns import Turns

__all__ = ["Holding", "outer_calls", "set_down"]


def outer_calls(call: Call) -> list[Call]:
    """The calls around this one, the nearest first."""
    found = []
    outer = call.parent
    while outer is not None:
        found.append(outer)
        outer = outer.parent
    return found


class Holding:
    """A slot of the session, the tab's lease and a turn, unless an outer call has them."""

    def __init__(self, call: Call, turns: Turns, settings: Settings) -> None:
        self._call = call
        self._turns = turns
        self._settings = settings
        self._stack: AsyncExitStack | None = None
        call.holding = self

    async def __aenter__(self) -> Self:
        await self.take()
        if self._call.tab_or_none is not None and self._call.parent is None:
            self._call.tab.calls += 1
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        call = self._call
        if call.session_or_none is not None:
            call.session.touch()
        if call.tab_or_none is not None:
            call.tab.touch()
        stack, self._stack = self._stack, None
        if stack is not None:
            await stack.__aexit__(kind, error, trace)

    async def take(self) -> None:
        """Wait for everything the call needs, each in its line."""
        call = self._call
        session = call.session_or_none
        if session is None or self._stack is not None:
            return
        held = outer_calls(call)
        async with AsyncExitStack() as stack:
            if session not in [each.session_or_none for each in held]:
                await stack.enter_async_context(session.slots.hold(self._settings.queue_wait))
            if not session.running:
                # To start a browser is work too.
                await self._take_turn(stack)
            if call.tool.reach == "tab" and isinstance(call.arguments, InTab):
                tab = call.tab_or_none or await session.tab(call.arguments.tab)
                if tab not in [each.tab_or_none for each in held]:
                    await stack.enter_async_context(tab.lease.hold(self._settings.tab_wait))
                tab.ensure_open()
                call.tab_or_none = tab
            await self._take_turn(stack)
            self._stack = stack.pop_all()

    async def _take_turn(self, stack: AsyncExitStack) -> None:
        """Wait until the caller may have one more call at work, unless an outer call still is."""
        call = self._call
        outer = call.parent.turn if call.parent is not None else None
        call.turn = call.turn or (outer if outer is not None and not outer.over else None)
        if call.turn is not None:
            return
        wait = self._settings.queue_wait
        if call.parent is not None:
            wait = min(wait, call.parent.left)
        who = call.principal.tenant, call.principal.id, call.principal.client
        call.turn = await stack.enter_async_context(self._turns.take(who, call.session.id, wait))

    async def give_back(self) -> None:
        """Let others work meanwhile."""
        stack, self._stack = self._stack, None
        self._call.turn = None
        if stack is not None:
            await stack.aclose()


@asynccontextmanager
async def set_down(call: Call) -> AsyncIterator[None]:
    """Wait for somebody inside: nothing is held, here or by the calls around, and no time runs.

    Where the wait ends in an error the call is over; those around it have theirs back and go on.
    """
    loop = asyncio.get_running_loop()
    chain = [call, *outer_calls(call)]
    began = loop.time()
    for each in chain:
        each.stop_clock()
    for each in chain:
        if each.holding is not None:
            await each.holding.give_back()
    try:
        yield
    except StockadeError:
        await _take_up(chain[1:], loop.time() - began)
        raise
    await _take_up(chain, loop.time() - began)


async def _take_up(chain: list[Call], waited: float) -> None:
    """Have everything again, the outermost call first."""
    try:
        for each in reversed(chain):
            if each.holding is not None:
                await each.holding.take()
    except StockadeError:
        # None of them may go on without what it worked in.
        for each in chain:
            each.start_clock(float("-inf"))
        raise
    for each in chain:
        each.start_clock(waited)
