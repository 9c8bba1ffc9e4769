"""A call knows who asks, where, and how long it may take."""

from __future__ import annotations

import asyncio

import pytest

from stockade.errors import DeadlineExceeded, InternalError
from stockade.kernel.call import Call
from stockade.kernel.dispatch import Kernel
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.tools.control import Nothing


@pytest.fixture
async def call(kernel: Kernel) -> Call:
    return Call(
        id="call_1",
        kernel=kernel,
        principal=Principal("key", client="c1"),
        tool=kernel.registry.find("list_sessions"),
        arguments=Nothing(),
        deadline=asyncio.get_running_loop().time() + 5,
    )


async def test_time_that_is_left_and_time_that_is_up(call: Call) -> None:
    assert 4 < call.left <= 5
    call.deadline = 0
    with pytest.raises(DeadlineExceeded):
        _ = call.left


async def test_two_clients_of_one_key_have_views_of_their_own(call: Call) -> None:
    assert call.caller == "key/c1"


async def test_what_is_not_there_is_our_fault(call: Call) -> None:
    with pytest.raises(InternalError):
        _ = call.session
    with pytest.raises(InternalError):
        _ = call.tab


async def test_the_session_decides_what_is_allowed(call: Call, kernel: Kernel) -> None:
    assert call.policy is call.principal.policy
    narrow = Policy(capabilities=frozenset({Capability.READ}))
    session = kernel.sessions.open(call.principal, "narrow", policy=narrow)
    call.session_or_none = session
    assert call.policy is narrow
    await kernel.sessions.close(session)


async def test_progress_reaches_whoever_asked_for_it(call: Call) -> None:
    heard: list[tuple[float, float | None, str]] = []

    async def hear(done: float, total: float | None, message: str) -> None:
        heard.append((done, total, message))

    await call.report(1, 2, "nobody listens")
    call.progress = hear
    await call.report(1, 2, "half")
    assert heard == [(1, 2, "half")]
