"""Recording a trace."""

from __future__ import annotations

import pytest

from stockade.errors import Conflict, TabClosed
from stockade.instruments.sieve import events
from stockade.instruments.tracing import DEFAULT_CATEGORIES, Trace, Tracer
from tests.support.asking import page_says, tab_of
from tests.support.callers import Caller


async def test_a_trace_holds_what_the_tab_did(caller: Caller) -> None:
    await caller.show("<p>page</p>")
    trace = Trace(tab_of(caller), DEFAULT_CATEGORIES)
    await trace.start(timeout=5)
    await page_says(caller, "() => { performance.mark('here') }")
    with await trace.stop(timeout=20) as recording:
        listed = list(events(recording.file))
    assert recording.events == len(listed)
    assert "here" in {each["name"] for each in listed}
    assert recording.file.closed


async def test_what_nobody_fetches_is_thrown_away(caller: Caller) -> None:
    await caller.show("<p>page</p>")
    tracer = Tracer()
    assert await tracer.start(tab_of(caller), ["devtools.timeline"], timeout=5) is False
    assert tracer.running
    assert await tracer.start(tab_of(caller), ["devtools.timeline"], timeout=5) is True
    await tracer.close()
    assert not tracer.running
    assert await tracer.stop(timeout=5) is None


async def test_one_at_a_time(caller: Caller) -> None:
    await caller.show("<p>page</p>")
    tab, tracer = tab_of(caller), Tracer()
    async with tracer.during(tab, ["devtools.timeline"], timeout=5) as trace:
        with pytest.raises(Conflict):
            await Trace(tab, ["devtools.timeline"]).start(timeout=5)
        with pytest.raises(Conflict):
            async with tracer.during(tab, ["devtools.timeline"], timeout=5):
                raise AssertionError
        (await trace.stop(timeout=20)).file.close()
    assert not tracer.running


async def test_a_tab_that_closes_takes_its_trace_along(caller: Caller) -> None:
    await caller.show("<p>page</p>")
    tab = tab_of(caller)
    trace = Trace(tab, ["devtools.timeline"])
    await trace.start(timeout=5)
    await tab.close()
    assert not trace.running
    with pytest.raises(TabClosed):
        await trace.stop(timeout=5)
