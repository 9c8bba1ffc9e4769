"""The reader itself; its limits are tested where it runs."""

from __future__ import annotations

import pytest
from pypdf.annotations import Link

from stockade.media import pdf_child as module
from stockade.media.pdf_child import read, words
from tests.media.pdfs import document, scanned, written


def test_text_from_a_page_on() -> None:
    found = read(written(document("one", "two", "three")), 2, 1000)
    assert found == {
        "page_count": 3,
        "pages": [
            {"number": 2, "text": "two", "cut": False},
            {"number": 3, "text": "three", "cut": False},
        ],
    }


def test_no_more_pages_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGES", 2)
    assert len(read(written(document("a", "b", "c")), 1, 1000)["pages"]) == 2


def test_empty_pages_say_whether_they_show_anything() -> None:
    assert read(scanned(), 1, 10)["pages"][0]["pictured"] is True
    assert read(written(document("")), 1, 10)["pages"][0]["pictured"] is False


def test_a_locked_one() -> None:
    locked = document("secret")
    locked.encrypt("user", "owner", algorithm="RC4-128")
    assert read(written(locked), 1, 10) == {"failure": "encrypted"}


def test_every_word_that_is_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    paper = document("on the page")
    paper.add_metadata({"/Title": "in the title"})
    paper.add_annotation(0, Link(rect=(0, 0, 9, 9), url="https://example.com/in-a-link"))
    found = words(written(paper))["words"]
    assert {"on the page", "in the title", "https://example.com/in-a-link"} <= set(found)
    monkeypatch.setattr(module, "_MOST_WORDS", 20)
    assert words(written(paper)) == {"failure": "costly"}
