"""Markup is cut only between tags and words."""

from __future__ import annotations

from stockade.page.agent import PageAgent
from stockade.page.locator import resolve
from stockade.page.markup import MarkupOptions, boundary, context, markup

HTML = '<ul class="a b">\n <li>one two</li>\n <li>x &amp; y</li>\n</ul>'


async def test_the_frame_of_an_element_is_inside_it(agent: PageAgent) -> None:
    await agent.page.set_content("<div id=x><iframe srcdoc='<b>In</b>'></iframe></div><p>Out")
    ref = await resolve(agent, "#x", caller="test")
    text = (await markup(agent, caller="test", ref=ref)).text
    assert text.startswith('<div id="x">')
    assert "<b>In</b>" in text
    assert "Out" not in text


async def test_named_controls_cannot_hide_their_form(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<form id=f><input name=attributes value=1><input name=childNodes></form>"
        "<form name=body></form><form name=documentElement></form>"
    )
    text = (await markup(agent, caller="test", options=MarkupOptions(attributes="all"))).text
    assert '<form id="f"><input name="attributes" value="1"><input name="childNodes">' in text


def test_no_page_ends_in_a_tag() -> None:
    for end in range(1, len(HTML)):
        at = boundary(HTML, 0, end)
        assert HTML[:at].count("<") == HTML[:at].count(">")
        assert at <= end or not HTML[:end].count(">")
    assert boundary(HTML, 0, HTML.index("two") + 1) == HTML.index("two")


def test_a_later_page_says_what_it_is_in() -> None:
    assert context(HTML, HTML.index("two")) == ("ul > li", "")
    assert context("<p>a<br>b<img src=x>c", 20) == ("p", "")
    assert context(f"{'<i>' * 20}x", 60)[0] == "… > " + " > ".join(["i"] * 8)
