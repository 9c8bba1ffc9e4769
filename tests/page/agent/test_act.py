"""Whether input would reach an element, and where to aim it."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import NotActionable, StaleRef
from tests.support.tabs import CALLER, Tab


async def prepare(tab: Tab, selector: str = "button", **arguments: Any) -> Any:
    number = int((await tab.ref(selector))[1:])
    return await tab.agent.call(
        tab.page.main_frame, "prepare", caller=CALLER, ref=number, **arguments
    )


async def reason(tab: Tab, selector: str = "button") -> str:
    with pytest.raises(NotActionable) as caught:
        await prepare(tab, selector)
    return str(caught.value.details["reason"])


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<button disabled>x</button>", "disabled"),
        ("<fieldset disabled><button>x</button></fieldset>", "disabled"),
        ("<div aria-disabled=true><button>x</button></div>", "disabled"),
        ("<div inert><button>x</button></div>", "inert"),
        (
            "<button style='width:0;height:0;padding:0;border:0;overflow:hidden'>x</button>",
            "hidden",
        ),
        ("<button style='position:fixed;left:-500px'>x</button>", "off-screen"),
        ("<button style='pointer-events:none'>x</button>", "obscured"),
        (
            "<button>x</button><div style='position:fixed;inset:0;opacity:0'></div>",
            "obscured",
        ),
    ],
)
async def test_what_is_in_the_way_is_named(tab: Tab, html: str, expected: str) -> None:
    await tab.show(html)
    assert await reason(tab) == expected


@pytest.mark.parametrize(
    "html",
    [
        "<button>x</button>",
        "<button><span><b>x</b></span></button>",
        "<button style='opacity:0'>x</button>",
        "<div style='height:50px;overflow:auto'><div style='height:900px'></div><button>x</button></div>",
        "<fieldset disabled><legend><button>x</button></legend></fieldset>",
        "<button style='position:fixed;bottom:0'>x</button>",
        "<div style='transform:rotate(30deg) scale(.5);transform-origin:0 0'><button>x</button></div>",
        "<button>x</button><div style='position:fixed;top:0;left:0;width:20px;height:9px'></div>",
        "<dialog open><button>x</button></dialog>",
    ],
)
async def test_what_can_be_reached_is_aimed_at(tab: Tab, html: str) -> None:
    await tab.show(html)
    found = await prepare(tab)
    hit = await tab.main(
        "(x, y) => document.elementFromPoint(x, y).closest('button') !== null",
        found["x"],
        found["y"],
    )
    assert hit is True


async def test_a_link_over_two_lines_is_hit_in_one_of_them(tab: Tab) -> None:
    await tab.show(
        "<p style='width:160px;font:20px monospace'>some words before <a href=#>a link that"
        " breaks</a> and after</p>"
    )
    found = await prepare(tab, "a")
    assert (
        await tab.main("(x, y) => document.elementFromPoint(x, y).tagName", found["x"], found["y"])
        == "A"
    )


async def test_a_moving_element_is_waited_for(tab: Tab) -> None:
    await tab.show(
        "<style>@keyframes m { to { transform: translateX(300px) } }"
        "button { animation: m 300ms linear forwards }</style><button>x</button>"
    )
    found = await prepare(tab)
    assert found["x"] > 300


async def test_an_element_that_never_stands_still_is_refused(tab: Tab) -> None:
    await tab.show(
        "<style>@keyframes m { to { transform: translateX(300px) } }"
        "button { animation: m 300ms linear infinite alternate }</style><button>x</button>"
    )
    with pytest.raises(NotActionable) as caught:
        await prepare(tab, patience=300)
    assert caught.value.details["reason"] == "moving"


async def test_an_animation_that_waits_for_scrolling_holds_nobody_up(tab: Tab) -> None:
    await tab.show(
        "<style>@keyframes m { to { transform: translateX(300px) } }"
        "button { animation: m linear; animation-timeline: scroll() }</style><button>x</button>"
    )
    found = await prepare(tab, patience=300)
    assert found["x"] < 100


async def test_an_element_removed_while_it_is_waited_for_is_stale(tab: Tab) -> None:
    await tab.show(
        "<style>@keyframes m { to { transform: translateX(300px) } }"
        "button { animation: m 3s linear }</style><button>x</button>"
        "<script>onanimationstart = () => setTimeout(() => "
        "document.querySelector('button').remove(), 150)</script>"
    )
    with pytest.raises(StaleRef):
        await prepare(tab, patience=3000)


async def test_keys_need_something_that_takes_the_focus(tab: Tab) -> None:
    await tab.show("<p id=p onclick=1>text</p><input id=i aria-label=A>")
    number = int((await tab.ref("#p"))[1:])
    with pytest.raises(NotActionable) as caught:
        await tab.agent.call(tab.page.main_frame, "prepare_keys", caller=CALLER, ref=number)
    assert caught.value.details["reason"] == "not-focusable"
    number = int((await tab.ref("#i"))[1:])
    await tab.agent.call(tab.page.main_frame, "prepare_keys", caller=CALLER, ref=number)
    assert await tab.main("() => document.activeElement.id") == "i"


async def test_the_state_after_an_action(tab: Tab) -> None:
    await tab.show("<input type=checkbox checked aria-label=A>")
    number = int((await tab.ref("input"))[1:])
    frame = tab.page.main_frame
    assert (await tab.agent.call(frame, "finish", ref=number))["checked"] is True
    await tab.main("() => { document.querySelector('input').remove(); }")
    assert (await tab.agent.call(frame, "finish", ref=number))["attached"] is False
