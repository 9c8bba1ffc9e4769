"""Markup: what is not markup is escaped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stockade.surfaces.console import markup
from stockade.surfaces.console.markup import Markup, asset, joined, render

FILES = sorted((Path(markup.__file__).parent / "files").glob("*.html"))


def test_text_is_escaped_and_markup_is_not() -> None:
    evil = "<script>\"'&$name"
    assert render("quiet", text=evil) == (
        '<p class="quiet">&lt;script&gt;&quot;&#x27;&amp;$name</p>\n'
    )
    inner = render("quiet", text="a")
    assert render("quiet", text=inner).count("<p") == 2


def test_parts_are_joined_as_markup() -> None:
    assert isinstance(joined([Markup("<b>"), Markup("</b>")]), Markup)


def test_a_gap_must_be_filled() -> None:
    with pytest.raises(KeyError):
        render("quiet")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_file_needs_more_than_the_policy_of_our_pages_allows(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "<script" not in text
    assert not re.search(r"\son\w+=|\sstyle=|javascript:|https?://(?!example)", text)


def test_files_are_given_as_they_are() -> None:
    assert asset("style.css").startswith(b":root")
