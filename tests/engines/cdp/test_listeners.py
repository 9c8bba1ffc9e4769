"""Elements that a page's own scripts listen on."""

from __future__ import annotations

from stockade.engines.port import Page
from stockade.engines.values import World
from tests.support.tabs import Tab

KEEP = "(...elements) => { globalThis.ids = elements.map((el) => el.id); }"
PAGE = """<p id=a>x</p><p id=b onclick=1>y</p><p id=c>z</p>
<script>document.getElementById('a').addEventListener('click', () => 1);
document.getElementById('c').addEventListener('keydown', () => 1)</script>"""


async def test_elements_are_given_once_per_document(page: Page) -> None:
    await page.set_content(PAGE)
    frame = page.main_frame
    assert await frame.call_with_listeners(KEEP, {"click"}) == 2
    assert sorted(await frame.call("() => globalThis.ids")) == ["a", "b"]
    assert await frame.call_with_listeners(KEEP, {"click"}) == 0
    await frame.call("() => { document.getElementById('c').onclick = () => 1; }", world=World.MAIN)
    assert await frame.call_with_listeners(KEEP, {"click"}) == 1
    assert await frame.call("() => globalThis.ids") == ["c"]


async def test_the_page_cannot_tell(page: Page) -> None:
    await page.set_content("<p id=a onclick=1>x</p>")
    frame = page.main_frame
    names = "() => Object.getOwnPropertyNames(globalThis).sort()"
    before = await frame.call(names, world=World.MAIN)
    await frame.call_with_listeners(KEEP, {"click"})
    assert await frame.call(names, world=World.MAIN) == before


async def test_the_renderer_survives_its_next_garbage_collection(tab: Tab) -> None:
    """Listeners of both worlds, on elements and on the window."""
    await tab.show(PAGE)
    await tab.agent.call(tab.page.main_frame, "aria_elements")
    for _ in range(3):
        await tab.agent.hear_listeners(tab.page.main_frame)
        await tab.page.devtools[0].send("HeapProfiler.collectGarbage")
    assert await tab.main("() => 1 + 1") == 2
