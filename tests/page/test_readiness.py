"""Readiness: parsed, answered, at rest; and what never is does not hold it up."""

from __future__ import annotations

import asyncio

from stockade.page.readiness import ready
from tests.support.tabs import Tab


async def test_a_request_under_way_is_waited_for(tab: Tab) -> None:
    held = asyncio.Event()
    tab.site.page("/data", "x", delay=held)
    await tab.show("<p>Wait</p>")
    assert await ready(tab.agent)
    await tab.main("() => { fetch('/data').then(() => { document.title = 'Done' }) }")
    await tab.site.wait_asked("/data")
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(ready(tab.agent, timeout=10))
        held.set()
    assert waiting.result()
    assert await tab.page.title() == "Done"


async def test_a_document_that_does_not_come_is_not_ready(tab: Tab) -> None:
    held = asyncio.Event()
    tab.site.page("/script.js", "", delay=held)
    tab.site.page("/", "<p>Half</p><script src=/script.js></script>")
    await tab.page.navigate(tab.site.url("/"), until="commit")
    assert not await ready(tab.agent, timeout=0.3)
    held.set()
    assert await ready(tab.agent)
