"""Names of workers, and what they post, in a real session."""

from __future__ import annotations

import pytest

from stockade.errors import Missing
from stockade.sessions.session import Session
from stockade.traffic.workers import Workers, service_state
from tests.support.callers import Caller
from tests.support.traffic import run
from tests.support.waiting import until

CODE = (
    "new Worker(URL.createObjectURL(new Blob(['postMessage({n: NaN, b: 1n, f: new Blob([1])})'])))"
)


async def test_names_and_messages(session: Session, mighty: Caller) -> None:
    workers = await Workers.of(session, timeout=10)
    assert await Workers.of(session, timeout=10) is workers
    await run(mighty, f"() => {{ globalThis.one = {CODE}; }}")
    await until(lambda: bool(workers._posted))
    [(name, worker)] = workers.running
    assert (name, workers.find("ww-1")) == ("ww-1", worker)
    assert await service_state(worker) is None
    with pytest.raises(Missing):
        workers.find("sw-1")
    assert workers.drain("ww-1")[0].data == {"n": "NaN", "b": "1", "f": "[Blob of 1 bytes]"}
    assert workers.drain(None) == []
    with pytest.raises(Missing):
        workers.drain("ww-2")


async def test_a_new_browser_is_listened_to(session: Session, mighty: Caller) -> None:
    workers = await Workers.of(session, timeout=10)
    # As when its process has died.
    session._let_go(session._gone_error())
    await mighty.show("<title>Home</title>", path="/home")
    await run(mighty, f"() => {{ globalThis.one = {CODE}; }}")
    await until(lambda: bool(workers._posted))
