"""The watcher in the page."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import CALLER, Tab


async def ask(tab: Tab, step: str) -> Any:
    return await tab.agent.call(
        tab.page.main_frame, "watch.js", step=step, key="k", caller=CALLER, sampleMs=50, cap=20
    )


async def test_regions_of_shadow_roots_and_live_ones(tab: Tab) -> None:
    await tab.show("<div id=host></div><div aria-live=polite id=live></div><p>Plain</p>")
    await ask(tab, "begin")
    await tab.main(
        "() => { live.textContent = 'Heard';"
        "host.attachShadow({mode: 'open'}).innerHTML = '<p role=alert>Deep</p>' }"
    )
    names: set[str] = set()
    while not names >= {"Heard", "Deep"}:
        names = {row["name"] for row in (await ask(tab, "fetch"))["rows"]}
    assert names == {"Heard", "Deep"}
    await tab.main("() => { live.textContent = 'Again' }")
    rows = (await ask(tab, "end"))["rows"]
    assert [row["name"] for row in rows if row["role"] == "status"] == ["Heard", "Again"]
    assert (await ask(tab, "fetch"))["ended"]


async def test_many_changes_at_once(tab: Tab) -> None:
    await tab.show("<main></main>")
    await ask(tab, "begin")
    await tab.main(
        "() => { for (let i = 0; i < 5000; i += 1) document.querySelector('main')"
        ".append(Object.assign(document.createElement('p'), {textContent: i}));"
        "document.body.insertAdjacentHTML('beforeend', '<p role=alert>Done</p>') }"
    )
    rows = (await ask(tab, "end"))["rows"]
    assert [row["name"] for row in rows] == ["Done"]
