"""Accessible names, by the rule each case is about."""

from __future__ import annotations

import pytest

from tests.page.agent.looking import about, each, evaluate
from tests.support.tabs import Tab

NAMES = [
    ("<button id=t aria-label=' a  b '>x", "a b"),
    ("<button id=t aria-label=' '>x", "x"),
    ("<button id=t aria-labelledby='b a'>x</button><p id=a>one<p id=b>two", "two one"),
    ("<button id=t aria-labelledby=gone>x", "x"),
    ("<button id=t aria-labelledby=a>x</button><p id=a></p>", "x"),
    ("<button id=t aria-labelledby='t a' aria-label=own>x</button><p id=a>more", "own more"),
    ("<button id=t aria-labelledby=a>x</button><p id=a aria-labelledby=b>one<p id=b>two", "one"),
    ("<button id=t aria-labelledby=a>x</button><p id=a hidden>hidden <b>too</b>", "hidden too"),
    ("<button id=t aria-labelledby=a>x</button><p id=a>seen <b hidden>not</b>", "seen"),
    ("<label>Wrapped <input id=t></label>", "Wrapped"),
    ("<label for=t>One</label><label for=t>Two</label><input id=t>", "One Two"),
    ("<label for=t></label><input id=t placeholder=p>", ""),
    ("<label>Every <input id=t> days at <input value=5></label>", "Every days at 5"),
    ("<input id=t title=tip placeholder=p>", "tip"),
    ("<input id=t placeholder=p>", "p"),
    ("<input id=t type=checkbox placeholder=p>", ""),
    ("<textarea id=t placeholder=p>", "p"),
    ("<input id=t type=submit>", "Submit"),
    ("<input id=t type=reset>", "Reset"),
    ("<input id=t type=button value=v>", "v"),
    ("<input id=t type=image alt=a>", "a"),
    ("<input id=t type=file>", "Choose File"),
    ("<fieldset id=t><legend>L <b>x</b></legend>", "L x"),
    ("<figure id=t><figcaption>F</figcaption></figure>", "F"),
    ("<table id=t><caption>C</caption></table>", "C"),
    ("<select><optgroup id=t label=G><option>x</select>", "G"),
    ("<select><option id=t label=L>x</select>", "L"),
    ("<img id=t alt=a title=b>", "a"),
    ("<img id=t title=b>", "b"),
    ("<svg id=t><title>S</title><text>x</text></svg>", "S"),
    ("<a id=t href=x><svg><title>S</title></svg></a>", "S"),
    ("<a id=t href=x title=tip></a>", "tip"),
    ("<a id=t href=x title=tip>text</a>", "text"),
    ("<a id=t href=x><img alt=one> <img alt=two></a>", "one two"),
    ("<a id=t href=x>a<b>b</b>c</a>", "abc"),
    ("<a id=t href=x><div>a</div><div>b</div></a>", "a b"),
    ("<a id=t href=x>a<br>b</a>", "a b"),
    ("<a id=t href=x>a<span hidden>no</span>b</a>", "a b"),
    ("<a id=t href=x>a <span aria-hidden=true>no</span> b</a>", "a b"),
    ("<a id=t href=x><span style='visibility:hidden'>no</span>b</a>", "b"),
    ("<a id=t href=x><details><summary>s</summary>closed</details></a>", ""),
    ("<a id=t href=x>a <span role=group>apart</span> b</a>", "a b"),
    ("<a id=t href=x>a <select><option>o<option selected>p</select></a>", "a p"),
    ("<a id=t href=x>a <span role=slider aria-valuenow=4></span></a>", "a 4"),
    ("<div id=t role=treeitem>node<div role=group><p role=treeitem>child", "node"),
    ("<a id=t href=x aria-owns='o gone'>a </a><b id=o>owned</b>", "a owned"),
    ("<div id=t role=textbox>typed</div>", ""),
    ("<p id=t aria-label=x>y", ""),
    ("<details><summary id=t>Sum <b>up</b></summary>", "Sum up"),
    ("<button id=t>ze\u200bro\u202e</button>", "zero"),
    ("<div aria-hidden=true><button id=t>x</button></div>", "x"),
    ("<label>out <label>in <input id=t></label></label>", "out in"),
]
GENERATED = [
    ("#t::before { content: 'b ' }", "b x"),
    ("#t::after { content: ' \\0041' attr(data-a) }", "x Ad"),
    ("#t::before { content: 'B'; display: block }", "B x"),
    ("#t::before { content: '★' / 'star' }", "starx"),
    ("#t::before { content: '•' / '' }", "x"),
    ("#t::before { content: counter(c, '.') }", "x"),
    ("#t::before { content: url('no.png') 'p' }", "px"),
    ("#t::before { content: 'no'; display: none }", "x"),
    ("#t::before { content: none }", "x"),
    (":is(a, b)::before { content: 'is' }", "isx"),
]


async def test_names(tab: Tab) -> None:
    expected = dict(NAMES)
    assert await each(tab, expected, "Aria.name(el)") == expected


async def test_generated_text_is_part_of_a_name(tab: Tab) -> None:
    link = "<a id=t href=x data-a=d>x</a>"
    expected = {f"<style>{rule}</style>{link}": name for rule, name in GENERATED}
    assert await each(tab, expected, "Aria.name(el)") == expected


@pytest.mark.parametrize(
    "css",
    [
        "@media all { #t::before { content: 'b' } }",
        "@layer one { @supports (color: red) { #t::before { content: 'b' } } }",
        "a { &::before { content: 'b' } }",
        "a { &#t { &::before { content: 'b' } } }",
    ],
)
async def test_rules_are_found_at_any_depth(tab: Tab, css: str) -> None:
    html = f"<style>{css}</style><a id=t href=x>x</a>"
    assert await about(tab, html, "Aria.name(el)") == "bx"


async def test_sheets_that_may_not_be_read_count(tab: Tab) -> None:
    other = tab.site.other.page("/b.css", "#t::before { content: 'b' }", content_type="text/css")
    html = f"<link rel=stylesheet href='{other}'><a id=t href=x>x</a>"
    assert await about(tab, html, "Aria.name(el)") == "bx"


async def test_rules_added_later_are_seen(tab: Tab) -> None:
    await tab.show("<style></style><a id=t href=x>x</a>")
    name = "return Aria.name(document.getElementById('t'));"
    assert await evaluate(tab, name) == "x"
    await tab.main("() => { document.styleSheets[0].insertRule(`a::after { content: 'y' }`); }")
    assert await evaluate(tab, name) == "xy"


async def test_names_through_shadow_roots_and_slots(tab: Tab) -> None:
    await tab.show(
        "<x-b><template shadowrootmode=open><span id=n>inner</span>"
        "<button><slot></slot> <slot name=s>fallback</slot></button>"
        "<button aria-labelledby=n>x</button></template>slotted<i slot=none>lost</i></x-b>"
        "<button aria-labelledby=n>outside</button>"
    )
    assert await tab.agent.call(tab.page.main_frame, "aria_elements") == [
        ["button", "slotted fallback"],
        ["button", "inner"],
        ["button", "outside"],
    ]


async def test_references_that_turn_in_circles_end(tab: Tab) -> None:
    await tab.show(
        "<button id=a aria-labelledby=b>one</button><button id=b aria-labelledby=a>two</button>"
        "<a href=x id=c>outer <span aria-labelledby=c>inner</span></a>"
    )
    assert await tab.agent.call(tab.page.main_frame, "aria_elements") == [
        ["button", "two"],
        ["button", "one"],
        ["link", "outer inner"],
    ]


async def test_a_chain_of_labels_ends(tab: Tab) -> None:
    await tab.show(
        "<script>for (let i = 0; i < 5000; i += 1) document.write("
        "`<label for=c${i}>l${i}<input type=checkbox id=c${i + 1}></label>`)</script>"
    )
    found = await tab.agent.call(tab.page.main_frame, "aria_elements")
    assert len(found) == 5000
    assert found[0][1].startswith("l1")


async def test_names_are_bounded(tab: Tab) -> None:
    await tab.show("<a id=t href=x><b></b></a><script>t.textContent = 'word '.repeat(1e6)</script>")
    length = await evaluate(tab, "return Aria.name(document.getElementById('t')).length;")
    assert length < 10_000
