"""What pages save is the session's, and who is asked is whoever answers approvals."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from stockade.policy.principal import Role
from stockade.sessions.asked import Person
from stockade.sessions.asking import Asking
from tests.support.callers import Caller
from tests.support.waiting import until


async def test_what_a_page_saves(caller: Caller) -> None:
    await caller.ok("open_session")
    session = caller.kernel.sessions.find(caller.principal, "default")
    pickers = Asking.of(session).pickers
    first = await pickers.save("frame.1", "../../a.txt", b"one")
    assert "/" not in first
    assert await pickers.save("frame.2", "../../a.txt", b"two") != first
    assert await pickers.save("frame.1", "../../a.txt", b"three") == first
    kept = caller.kernel.artifacts.named(session, first)
    assert kept.path.read_bytes() == b"three"
    assert kept.path.is_relative_to(caller.kernel.artifacts.folder(session))


async def test_who_is_asked(caller: Caller) -> None:
    await caller.ok("open_session")
    session = caller.kernel.sessions.find(caller.principal, "default")
    ask = session.parts.of(Person, Person).ask
    operator = replace(caller.principal, id="operator", role=Role.OPERATOR)
    approvals = caller.kernel.approvals
    async with asyncio.TaskGroup() as group:
        asked = [group.create_task(ask("confirm", str(n), "http://a")) for n in range(55)]
        # A person is not buried: beyond so many it is a no at once.
        await until(lambda: sum(each.done() for each in asked) == 5)
        assert not any(each.result() for each in asked if each.done())
        first, *_ = approvals.listed(operator, "pending")
        await approvals.answer(operator, first.id, "approve")
        await until(asked[0].done)
        assert asked[0].result()
        # The rest end with the session, and that is a no.
        await caller.ok("close_session")
    assert not any(each.result() for each in asked[1:])
