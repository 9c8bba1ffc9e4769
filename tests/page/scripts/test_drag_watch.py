"""What a page makes of something that is held."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import Tab

PAGE = "<div id=a draggable=true><b id=b>Card</b></div><button id=c>Other</button>"


async def ask(tab: Tab, step: str, **about: Any) -> dict[str, Any]:
    said: dict[str, Any] = await tab.agent.call(
        tab.page.main_frame, "drag_watch.js", step=step, **about
    )
    return said


async def test_what_the_browser_drags_by_itself_is_known(tab: Tab) -> None:
    await tab.show(PAGE)
    for selector, native in (("#b", True), ("#c", False)):
        number = tab.agent.locate(await tab.ref(selector))[1]
        assert (await ask(tab, "begin", source=number))["native"] is native
    assert (await ask(tab, "begin", x=10, y=10))["native"] is True
    assert await ask(tab, "end") == {"changes": 0}
    assert await ask(tab, "end") == {"changes": 0}


async def test_the_focus_alone_is_no_answer(tab: Tab) -> None:
    await tab.show(PAGE)
    await ask(tab, "begin", x=10, y=10)
    await tab.main("() => c.focus()")
    assert await ask(tab, "take", cap=1) == {"changes": 0}
    await tab.main("() => { setTimeout(() => { a.className = 'held'; }, 50); }")
    assert await ask(tab, "take", cap=5000) == {"changes": 1}
    assert await ask(tab, "end") == {"changes": 1}


async def test_it_stands_when_what_moves_has_ended(tab: Tab) -> None:
    await tab.show(PAGE)
    await ask(tab, "begin", x=10, y=10)
    await tab.main(
        "() => { c.animate([{ opacity: 1 }, { opacity: .5 }], 200).onfinish = () => { c.id = 'd'; }; }"
    )
    assert await ask(tab, "still", cap=5000) == {"changes": 1}
