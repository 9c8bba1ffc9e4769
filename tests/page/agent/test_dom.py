"""The document through captured getters: flat tree, fields, points, and pages that interfere."""

from __future__ import annotations

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab

DEEP = 10_000


async def test_children_follow_the_flat_tree(tab: Tab) -> None:
    await tab.show(
        "<div id=h><template shadowrootmode=open><p><slot name=s></slot></p><slot>fallback</slot>"
        "</template><i slot=s>one</i><b>two</b><u slot=nowhere>lost</u></div>"
    )
    tree = await evaluate(
        tab,
        """
        const host = document.getElementById('h');
        const name = (node) => Dom.tag(node) || Dom.text(node);
        const names = (node) => Dom.children(node).map(name);
        const [p, slot] = Dom.children(host);
        const italic = document.querySelector('i');
        return {
          host: names(host), p: names(p), slot: names(slot),
          parents: [Dom.tag(Dom.parent(italic)), Dom.tag(Dom.parent(p))],
          contains: [host, p, slot].map((outer) => Dom.contains(outer, italic)),
          unslotted: [italic, document.querySelector('u')].map(Dom.unslotted),
        };
        """,
    )
    assert tree == {
        "host": ["p", "slot"],
        "p": ["slot"],
        "slot": ["b"],
        "parents": ["slot", "div"],
        "contains": [True, True, False],
        "unslotted": [False, True],
    }


async def test_closed_roots_are_part_of_the_tree_once_adopted(tab: Tab) -> None:
    await tab.show(
        "<x-h><template shadowrootmode=closed><button><slot></slot></button></template>light</x-h>"
        "<div style='height:9px'></div><div></div>"
    )
    hosts = await evaluate(
        tab,
        """
        const found = [...document.body.querySelectorAll('*')].filter(Dom.maybeHost);
        found.forEach(Dom.noteSuspect);
        const again = found.filter(Dom.maybeHost);
        return [found.map(Dom.tag), again.length, Dom.closedRootSuspects().length];
        """,
    )
    assert hosts == [["x-h", "div"], 0, 2]
    await tab.show(
        "<x-h><template shadowrootmode=closed><button><slot></slot></button></template>light</x-h>"
    )
    await evaluate(tab, "Dom.noteSuspect(document.querySelector('x-h'));")
    assert await tab.agent.adopt_closed_roots(tab.page.main_frame) == 1
    assert await tab.agent.call(tab.page.main_frame, "aria_elements") == [["button", "light"]]
    parent = "return Dom.tag(Dom.parent(document.querySelector('x-h').firstChild));"
    assert await evaluate(tab, parent) == "slot"


async def test_points_reach_into_shadow_roots(tab: Tab) -> None:
    await tab.show(
        "<style>body { margin: 0 }</style><div id=h><template shadowrootmode=open>"
        "<p style='width:50px;height:50px;margin:0'></p></template></div>"
    )
    assert await evaluate(tab, "return Dom.tag(Dom.hit(10, 10));") == "p"


async def test_a_form_cannot_clobber_the_walk(tab: Tab) -> None:
    names = "children childNodes firstChild getAttribute hasAttribute localName nodeType parentNode"
    controls = "".join(f"<input name={name}>" for name in [*names.split(), "shadowRoot", "matches"])
    await tab.show(f"<form id=f data-x=1>{controls}</form>")
    read = await evaluate(
        tab,
        "const f = document.forms[0];"
        "return [Dom.tag(f), Dom.attr(f, 'data-x'), Dom.children(f).length, Dom.tag(Dom.parent(f)),"
        "Dom.isElement(f), Dom.shadow(f), Dom.rect(f).width > 0, Dom.matches(f, 'form')];",
    )
    assert read == ["form", "1", 10, "body", True, None, True, True]


async def test_a_document_ten_thousand_deep(tab: Tab) -> None:
    # Hidden, because Chromium's own layout does not survive such a depth.
    await tab.show(
        "<div id=d hidden></div><button aria-labelledby=d>x</button><script>let at = d;"
        f"for (let i = 0; i < {DEEP}; i += 1)"
        "{ const next = document.createElement('span'); at.append(next); at = next; }"
        "at.innerHTML = 'bottom<a id=t href=x>y</a>';</script>"
    )
    found = await tab.agent.call(tab.page.main_frame, "aria_elements")
    assert found == [["button", "bottomy"]]
    asked = "Aria.hidden(el), Aria.included(el), Aria.concealment(el), Aria.states(el, 'link')"
    answers = await evaluate(tab, f"const el = document.getElementById('t'); return [{asked}];")
    assert answers == [True, False, "", {}]


async def test_the_agent_leaves_no_trace(tab: Tab) -> None:
    await tab.show("<p id=t>x<button>y</button></p>")
    before = await tab.main(
        "() => [document.documentElement.outerHTML, Object.keys(window).length]"
    )
    await tab.agent.call(tab.page.main_frame, "aria_elements")
    await evaluate(tab, "return Aria.concealment(document.getElementById('t'));")
    after = await tab.main("() => [document.documentElement.outerHTML, Object.keys(window).length]")
    assert after == before
