"""Text that style sheets add."""

from __future__ import annotations

import pytest

from tests.page.agent.looking import about, evaluate
from tests.support.tabs import Tab


@pytest.mark.parametrize(
    ("css", "expected"),
    [
        ("#t::before { content: 'New ' }", "New Buy"),
        ("#t::after { content: ' now' }", "Buy now"),
        ("button:after { content: '!' }", "Buy!"),
        ("#t::before { content: '\\2605' / 'star ' }", "star Buy"),
        ("#t::before { content: url(x.png) }", "Buy"),
        ("#t::before { content: counter(c) }", "Buy"),
        ("#t::before { content: 'hidden'; display: none }", "Buy"),
        ("#t::before { content: 'hidden'; visibility: hidden }", "Buy"),
        ("#t::before { content: 'Block'; display: block }", "Block Buy"),
        ("#t { &::before { content: 'Nested ' } }", "Nested Buy"),
        ("@media screen { #t::before { content: 'Media ' } }", "Media Buy"),
        ("p::before { content: 'other ' }", "Buy"),
    ],
)
async def test_it_is_part_of_the_name(tab: Tab, css: str, expected: str) -> None:
    html = f"<style>{css}</style><button id=t>Buy</button>"
    assert await about(tab, html, "Aria.name(el)") == expected


async def test_a_rule_added_later_counts(tab: Tab) -> None:
    html = "<style id=s></style><button id=t>Buy</button>"
    assert await about(tab, html, "Aria.name(el)") == "Buy"
    await tab.main("() => { s.sheet.insertRule('#t::before { content: \"Now \" }'); }")
    name = "return Aria.name(document.getElementById('t'));"
    assert await evaluate(tab, name) == "Now Buy"


async def test_inside_a_shadow_root(tab: Tab) -> None:
    await tab.show(
        "<div id=h></div><script>h.attachShadow({mode:'open'}).innerHTML ="
        "`<style>button::after { content: ' in' }</style><button>Shadow</button>`</script>"
    )
    code = "return Aria.name(document.getElementById('h').shadowRoot.querySelector('button'));"
    assert await evaluate(tab, code) == "Shadow in"
