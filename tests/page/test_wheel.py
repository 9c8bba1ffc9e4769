"""The wheel, until what it moves has come to rest."""

from __future__ import annotations

from stockade.page.wheel import turn_wheel
from tests.support.tabs import CALLER, Tab

BOX = """<style>body { margin: 0 } #box { width: 100vw; height: 100vh; overflow: auto }</style>
<div id=box><div style="width:3000px;height:3000px">Wide</div></div>"""


async def test_what_is_in_the_middle_moves_and_rests(tab: Tab) -> None:
    await tab.show(BOX)
    for way, place in (({"dy": 700}, [0, 700]), ({"dx": 90}, [90, 700]), ({"dy": -50}, [90, 650])):
        outcome = await turn_wheel(tab.actions, **way)
        assert outcome.settled.settled
        assert await tab.main("() => [box.scrollLeft, box.scrollTop]") == place


async def test_what_comes_into_view_is_awaited(tab: Tab) -> None:
    tab.site.page("/more", "More")
    await tab.show(
        "<div style='height:4000px'></div><p id=end>End</p><script>new IntersectionObserver(async ([e])"
        " => { if (e.isIntersecting) end.textContent = await (await fetch('/more')).text() })"
        ".observe(end)</script>"
    )
    await turn_wheel(tab.actions, dy=9000)
    assert await tab.main("() => end.textContent") == "More"


async def test_a_page_that_takes_the_turn_for_itself(tab: Tab) -> None:
    await tab.show(
        "<div style='height:4000px'></div><script>addEventListener('wheel', (event) => {"
        " event.preventDefault(); document.title = event.deltaY }, { passive: false })</script>"
    )
    await turn_wheel(tab.actions, dy=40)
    assert await tab.main("() => [document.title, scrollY]") == ["40", 0]


async def test_what_was_clicked_moves(tab: Tab) -> None:
    await tab.show(
        "<div style='height:9000px'><div id=list tabindex=0"
        " style='width:90px;height:90px;overflow:auto'><p style='width:900px'>Long</p></div></div>"
    )
    await tab.actions.click(await tab.ref("#list"), caller=CALLER)
    await turn_wheel(tab.actions, dx=70)
    assert await tab.main("() => [list.scrollLeft, scrollX]") == [70, 0]
