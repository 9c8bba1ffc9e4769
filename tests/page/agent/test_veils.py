"""Veils: what keeps an element from the eye, wherever it comes from."""

from __future__ import annotations

import pytest

from tests.page.agent.looking import each, evaluate
from tests.support.tabs import Tab

CONCEALED = {
    "<p id=t>x": "",
    "<p id=t style='opacity:.01'>x": "transparent",
    "<p id=t style='OPACITY:.01'>x": "transparent",
    "<div style='opacity:.3'><div style='opacity:.3'><b id=t>x": "transparent",
    "<div style='opacity:.5'><b id=t>x": "",
    "<div style='opacity:.6;background:#000;color:#222'><b id=t>x": "transparent",
    "<style>#t { opacity: .02 }</style><p id=t>x": "transparent",
    "<style>a::before, #t { opacity: .02 }</style><p id=t>x": "transparent",
    "<style>@media all { div > #t { opacity: .02 } }</style><div><p id=t>x": "transparent",
    "<style>div { #t { opacity: .02 } }</style><div><p id=t>x": "transparent",
    "<style>* { opacity: .2 }</style><div><p id=t>x": "transparent",
    "<style>p { opacity: var(--none) } :root { --none: .01 }</style><p id=t>x": "transparent",
    "<style>@layer a { #t { filter: opacity(1%) } }</style><p id=t>x": "transparent",
    "<style>@keyframes k { from, to { opacity: .01 } } #t { animation: k 9s infinite }</style>"
    "<p id=t>x": "transparent",
    "<svg><g opacity=.01><text y=20 id=t>x</text></g></svg>": "transparent",
    "<svg><g style=fill:red opacity=.01><text y=20 id=t>x</text></g></svg>": "transparent",
    "<style>.A\\:b { opacity: .02 }</style><p id=t class='c A:b'>x": "transparent",
    "<style>.\\[\\&\\>b\\]\\:c>b { opacity: .02 }</style><p class='[&>b]:c'><b id=t>x": "transparent",
    "<style>.\\31 a { opacity: .02 }</style><p id=t class=1a>x": "transparent",
    "<style>.A { opacity: .02 }</style><p id=t class=a>x": "transparent",
    "<!DOCTYPE html><style>.A { opacity: .02 }</style><p id=t class=a>x": "",
    "<!DOCTYPE html><style>P.a { opacity: .02 }</style><p id=t class=a>x": "transparent",
    "<style>.a { &.b, .c & { opacity: .02 } }</style><p id=t class='a b'>x": "transparent",
    "<style>.a { > p { opacity: .02 } }</style><div class=a><p id=t>x": "transparent",
    "<style>:is(.a, .b) { opacity: .02 }</style><p id=t class=b>x": "transparent",
    "<style>div p:not(.a) { opacity: .02 }</style><div><p id=t>x": "transparent",
    "<style>div p:not(.a) { opacity: .02 }</style><div><p id=t class=a>x": "",
    "<style>[data-x='a b > c'] { opacity: .02 }</style><p id=t data-x='a b > c'>x": "transparent",
    "<svg><g clip-path='circle(0)'><text y=20 id=t>x</text></g></svg>": "clipped",
    "<style>#t { clip-path: circle(0) }</style><p id=t>x": "clipped",
    "<style>p { clip-path: polygon(0 0, 0 0) }</style><p><b id=t>x": "clipped",
    "<p id=t style='clip-path:xywh(0 0 0 100%)'>x": "clipped",
    "<p id=t style='clip-path:rect(5px 5px 5px 5px)'>x": "clipped",
    "<p id=t style='clip-path:inset(10px 0 0 0 round 5px);height:40px'>x": "",
    "<p id=t style='clip-path:ellipse(20px 30px at 10px 10px)'>x": "",
    "<style>div { backface-visibility: hidden; transform: rotateX(.5turn) }</style>"
    "<div><p id=t>x": "turned",
    "<style>p { z-index: -1; position: relative } div { background: #fff }</style>"
    "<div><p id=t>x": "covered",
    "<style>html { background: #fff } body { background: #eee }</style>"
    "<p id=t style='z-index:-1;position:relative'>x": "covered",
    "<div style='background:rgba(255,255,255,.4)'>"
    "<p id=t style='z-index:-1;position:relative'>x": "",
    "<p id=t style='translate:30000px'>x": "offscreen",
    "<p id=t style='inset-inline-start:12000px;position:relative'>x": "offscreen",
}
SCRIPTED = {
    "an adopted sheet": "const sheet = new CSSStyleSheet(); sheet.replaceSync('#t { opacity: .01 }');"
    " document.adoptedStyleSheets = [sheet];",
    "an inserted rule": "document.styleSheets[0].insertRule('#t { opacity: .01 }');",
    "a class": "document.getElementById('t').className = 'faded';",
    "a property": "document.getElementById('t').style.setProperty('opacity', '.01', 'important');",
    "an animation": "document.getElementById('t').animate([{ opacity: .01 }, { opacity: .01 }], 99999);",
    "a shadow root": "const root = document.getElementById('host').attachShadow({ mode: 'open' });"
    " root.innerHTML = '<style>div { opacity: .01 }</style><div><slot></slot></div>';",
}


async def test_concealment(tab: Tab) -> None:
    assert await each(tab, CONCEALED, "Aria.concealment(el)") == CONCEALED


async def test_answers_are_the_same_inside_a_pass(tab: Tab) -> None:
    twice = "(Aria.begin(), [Aria.concealment(el), Aria.concealment(el), Aria.end()].slice(0, 2))"
    expected = {html: [why, why] for html, why in CONCEALED.items()}
    assert await each(tab, expected, twice) == expected


@pytest.mark.parametrize("how", SCRIPTED)
async def test_scripts_conceal_as_well(tab: Tab, how: str) -> None:
    await tab.show("<style>.faded { opacity: .01 }</style><div id=host><p id=t>x</p></div>")
    why = "return Aria.concealment(document.getElementById('t'));"
    assert await evaluate(tab, why) == ""
    assert await evaluate(tab, f"{SCRIPTED[how]} {why}") == "transparent"


async def test_words_in_place_of_something_are_not_read(tab: Tab) -> None:
    shown = {
        "<canvas id=t>x</canvas>": "fallback",
        "<video id=t src=data:,>x</video>": "fallback",
        "<progress id=t>x</progress>": "fallback",
        "<object id=t data=data:text/plain,a>x</object>": "fallback",
        "<p id=t>x": "",
    }
    assert await each(tab, shown, "Aria.unread(el)") == shown


@pytest.mark.parametrize(
    ("frames", "lasts", "concealment"),
    [
        ("[{ opacity: 0 }, { opacity: 1 }]", 1500, ""),
        ("[{ opacity: 0, scale: 0.8 }, { opacity: 1, scale: 1 }]", 250, ""),
        ("[{ opacity: 0 }, { opacity: 1 }]", 60_000, "transparent"),
        ("[{ opacity: 0.04 }, { opacity: 0 }]", 1500, "transparent"),
    ],
    ids=["fades in", "grows as well", "takes a minute", "fades away"],
)
async def test_what_fades_in_is_there(tab: Tab, frames: str, lasts: int, concealment: str) -> None:
    await tab.show("<div id=d><p id=t>x")
    looked = await tab.page.main_frame.call(
        f"""() => {{ document.getElementById('d').animate({frames}, {lasts});
        return stockade.modules.Aria.concealment(document.getElementById('t')); }}"""
    )
    assert looked == concealment
