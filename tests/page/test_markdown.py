"""Markdown is put together from frames, and cut where it may be."""

from __future__ import annotations

from stockade.page.agent import PageAgent
from stockade.page.markdown import MarkdownOptions, boundary, context, markdown


async def test_frames_within_frames_stand_in_their_place(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<p>One</p><iframe srcdoc='<p>Two</p><iframe srcdoc=&quot;<p>Three</p>&quot;></iframe>'>"
        "</iframe><p>Four</p>"
    )
    text = (await markdown(agent, caller="test")).text
    assert [text.index(word) for word in ("One", "Two", "Three", "Four")] == sorted(
        text.index(word) for word in ("One", "Two", "Three", "Four")
    )


async def test_the_main_content_is_chosen(agent: PageAgent) -> None:
    prose = "<p>" + "A long sentence about tea, its leaves, and how they are dried. " * 4 + "</p>"
    await agent.page.set_content(
        f"<div class=menu>{'<a href=/x>Link</a> ' * 30}</div><div><h1>Tea</h1>{prose * 3}</div>"
    )
    found = await markdown(agent, caller="test", options=MarkdownOptions(main_only=True))
    assert found.text.startswith("# Tea")
    assert "Link" not in found.text


def test_pages_end_between_words() -> None:
    text = "one two three"
    assert boundary(text, 0, 9) == 8
    assert boundary(text, 0, 8) == 8
    assert boundary("unbroken", 0, 4) == 4
    assert boundary(text, 0, len(text)) == len(text)


def test_a_later_page_says_what_it_is_in() -> None:
    code = "# Top\n\n## Code\n\n```python\nfirst()\nsecond()\n```\n"
    assert context(code, code.index("second")) == ('"Code"', "```python\n")
    table = "# T\n\n| a | b |\n|-|-|\n| 1 | 2 |\n| 3 | 4 |\n"
    assert context(table, table.index("| 3")) == ('"T"', "| a | b |\n|-|-|\n")
    assert context(table, table.index("| a")) == ('"T"', "")
    assert context("plain words", 6) == ("", "")
