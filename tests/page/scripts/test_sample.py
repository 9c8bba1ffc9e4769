"""The sampler in the page."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import CALLER, Tab


async def ask(tab: Tab, step: str, **more: Any) -> Any:
    return await tab.agent.call(tab.page.main_frame, "sample.js", step=step, key="k", **more)


async def test_it_is_full_at_its_limit(tab: Tab) -> None:
    await tab.show("<p>x")
    common = {"metric": "clientWidth", "durationMs": 60_000, "everyFrame": True, "intervalMs": 0}
    await ask(tab, "begin", caller=CALLER, most=3, **common)
    points = []
    ended = ""
    while not ended:
        part = await ask(tab, "fetch", cap=100)
        points += part["points"]
        ended = part["ended"]
    assert (len(points), ended) == (3, "full")
    assert points == sorted(points)


async def test_what_is_not_there_has_gone_with_its_document(tab: Tab) -> None:
    await tab.show("<p>x")
    assert await ask(tab, "fetch", cap=10) == {"points": [], "ended": "navigated"}
