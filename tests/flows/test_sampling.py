"""Measurements, and their summaries."""

from __future__ import annotations

import pytest

from stockade.errors import InvalidArgument
from stockade.flows.sampling import sampling, summary
from tests.support.tabs import CALLER, Tab


def test_a_summary() -> None:
    assert summary([(0, 1.0), (10, 1.0), (20, 5.0), (30, 3.0)]) == {
        "count": 4,
        "min": 1,
        "max": 5,
        "first": 1,
        "last": 3,
        "distinctCount": 3,
        "firstChangeTMs": 20,
    }
    assert summary([])["count"] == 0


async def test_a_measurement_has_begun_when_it_is_given(tab: Tab) -> None:
    await tab.show("<p style='height: 3000px'>Long")
    async with sampling(
        tab.agent, metric="scrollTop", seconds=0.3, interval=0.02, caller=CALLER, timeout=5
    ) as sampler:
        await tab.main("() => scrollTo(0, 200)")
        series = await sampler.rest(timeout=5)
    assert series.ended == "done"
    assert (series.points[0][1], series.points[-1][1]) == (0, 200)
    left = await tab.page.main_frame.call("() => globalThis.stockadeSamplers.size")
    assert left == 0


async def test_one_that_is_given_up_stops(tab: Tab) -> None:
    await tab.show("<p>x")
    async with sampling(
        tab.agent, metric="scrollTop", seconds=30, interval=None, caller=CALLER, timeout=5
    ):
        pass
    left = await tab.page.main_frame.call("() => globalThis.stockadeSamplers.size")
    assert left == 0


async def test_boxes_are_of_elements(tab: Tab) -> None:
    with pytest.raises(InvalidArgument):
        async with sampling(
            tab.agent, metric="bboxX", seconds=1, interval=None, caller=CALLER, timeout=5
        ):
            pass
