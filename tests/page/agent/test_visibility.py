"""Who perceives an element: the accessibility tree, a human, or neither."""

from __future__ import annotations

from tests.page.agent.looking import each, evaluate
from tests.support.tabs import Tab

HIDDEN = [
    ("<button id=t>", False),
    ("<button id=t hidden>", True),
    ("<div style='display:none'><button id=t>", True),
    ("<div style='visibility:hidden'><button id=t>", True),
    ("<div style='visibility:hidden'><button id=t style='visibility:visible'>", False),
    ("<div aria-hidden=true><button id=t>", True),
    ("<div style='content-visibility:hidden'><button id=t>", True),
    ("<div hidden=until-found><button id=t>", True),
    ("<details><summary>s</summary><button id=t>", True),
    ("<details><summary><button id=t>", False),
    ("<details open><summary>s</summary><button id=t>", False),
    ("<div inert><button id=t>", False),
    ("<div style='display:contents'><button id=t>", False),
    ("<button id=t style='display:contents'>x", False),
    ("<button id=t style='display:contents'>", True),
    ("<button id=t style='opacity:0'>", False),
    ("<select><option id=t>x</select>", False),
    ("<select hidden><option id=t>x</select>", True),
    ("<select><option id=t hidden>x</select>", True),
    ("<canvas><button id=t>", True),
    ("<dialog><button id=t>", True),
    ("<div popover><button id=t>", True),
]
WHITE_ON_TOP = "<p id=t style='position:relative;color:white'>x"
CONCEALED = [
    ("<p id=t>x", ""),
    ("<p id=t style='opacity:0'>x", "transparent"),
    ("<div style='opacity:0'><p id=t>x", "transparent"),
    ("<p id=t style='font-size:0'>x", "tiny"),
    ("<p id=t style='font-size:1px'>x", "tiny"),
    ("<p id=t style='transform:scale(0)'>x", "tiny"),
    ("<p id=t style='zoom:0.01'>x", "tiny"),
    ("<p id=t style='color:white'>x", "contrast"),
    ("<p id=t style='color:#fefefe'>x", "contrast"),
    ("<p id=t style='color:transparent'>x", "contrast"),
    ("<p id=t style='color:oklch(1 0 0)'>x", "contrast"),
    ("<p id=t style='color:gray'>x", ""),
    ("<div style='background:black;color:#111'><p><b id=t>x", "contrast"),
    ("<p id=t style='color:white;background:linear-gradient(red,blue)'>x", ""),
    ("<p id=t style='color:white;text-shadow:0 0 2px #000'>x", ""),
    ("<p id=t style='-webkit-text-fill-color:transparent;background:red text'>x", ""),
    ("<div style='background:rgba(255,255,255,.5)'><p id=t style='color:white'>x", "contrast"),
    ("<div style='background:rgba(0,0,0,.5)'><p id=t style='color:white'>x", ""),
    ("<p style='position:absolute;inset:0;background:navy'>" + WHITE_ON_TOP, ""),
    ("<img style='float:left;width:9px;height:99px'><p id=t style='color:white'>x", "contrast"),
    ("<img style='position:absolute;width:99px;height:99px'>" + WHITE_ON_TOP, ""),
    ("<p id=t style='position:absolute;left:-9999px'>x", "offscreen"),
    ("<p><b id=t style='position:relative;left:-9999px'>x", "offscreen"),
    ("<p id=t style='transform:translateY(-5000px)'>x", "offscreen"),
    ("<p id=t style='margin-left:-5000px;width:9px'>x", "offscreen"),
    ("<p id=t style='text-indent:-9999px'>x", "offscreen"),
    ("<p id=t style='position:fixed;top:200%'>x", "offscreen"),
    ("<p style='position:absolute;clip:rect(0,0,0,0)'><b id=t>x", "clipped"),
    ("<p id=t style='clip-path:inset(50%)'>x", "clipped"),
    ("<p style='overflow:hidden;height:1px;width:1px'><b id=t>x", "clipped"),
    ("<p id=t style='height:0;overflow:hidden'>x", "clipped"),
    ("<p id=t style='height:0'>x", ""),
    ("<p id=t style='content-visibility:hidden'>x", "clipped"),
    ("<div style='height:3000px'></div><p id=t>x", ""),
    ("<p style='display:contents' id=t>x", ""),
    ("<div style='opacity:0'><p style='display:contents' id=t>x", "transparent"),
]


async def test_hidden(tab: Tab) -> None:
    expected = dict(HIDDEN)
    assert await each(tab, expected, "Aria.hidden(el)") == expected


async def test_concealment(tab: Tab) -> None:
    expected = dict(CONCEALED)
    assert await each(tab, expected, "Aria.concealment(el)") == expected


async def test_what_is_muted_but_visible_is_included(tab: Tab) -> None:
    await tab.show(
        "<div aria-hidden=true><button id=t>x</button>"
        "<button id=u style='width:0;height:0;border:0;padding:0;overflow:hidden'>y</button></div>"
    )
    included = "return ['t', 'u'].map((id) => Aria.included(document.getElementById(id)));"
    assert await evaluate(tab, included) == [True, False]


MUTED = {
    "<a id=t role=button aria-hidden=true style='display:block;text-indent:-999px'><i>x</i>": True,
    "<button id=t aria-hidden=true style='font-size:0;width:20px;height:20px'>x</button>": True,
    "<button id=t aria-hidden=true style='color:#efefef'>x</button>": True,
    "<textarea id=t aria-hidden=true style='border:0;background:none;color:transparent'>x": False,
    "<div aria-hidden=true style='opacity:0'><button id=t>x</button></div>": False,
    "<input id=t aria-hidden=true style='width:1px;height:1px;border:0;padding:0'>": False,
    "<input id=t aria-hidden=true style='position:absolute;left:-999px'>": False,
    "<input id=t aria-hidden=true style='position:absolute;clip:rect(0,0,0,0)'>": False,
    "<p style='overflow:hidden;height:0' aria-hidden=true><button id=t>x</button></p>": False,
}


async def test_a_muted_control_counts_where_its_box_is_seen(tab: Tab) -> None:
    assert await each(tab, MUTED, "Aria.included(el)") == MUTED


async def test_answers_are_the_same_inside_a_pass(tab: Tab) -> None:
    expected = {html: [hidden, hidden] for html, hidden in HIDDEN}
    twice = "(Aria.begin(), [Aria.hidden(el), Aria.hidden(el), Aria.end()].slice(0, 2))"
    assert await each(tab, expected, twice) == expected
