"""PDFs are read apart from the server, which outlives all of them."""

from __future__ import annotations

import zlib

import pytest

from stockade.errors import DeadlineExceeded, InvalidArgument
from stockade.media import pdfs as module
from stockade.media.pdfs import Reading, read_pdf
from tests.media.pdfs import document, scanned, written


async def read(content: bytes, *, page: int = 1, characters: int = 10_000) -> Reading:
    return await read_pdf(content, page=page, characters=characters, timeout=20)


async def test_pages_have_their_numbers() -> None:
    found = await read(written(document("first page", "second page", "third page")), page=2)
    assert found.page_count == 3
    assert [(page.number, page.text, page.cut) for page in found.pages] == [
        (2, "second page", False),
        (3, "third page", False),
    ]


async def test_no_more_is_read_than_was_asked_for() -> None:
    found = await read(written(document("first page", "second page")), characters=5)
    assert [(page.text, page.cut) for page in found.pages] == [("first", True)]


async def test_a_lock_that_any_key_opens_and_one_that_needs_its_own() -> None:
    for algorithm in ("RC4-128", "AES-256"):
        open_to_all = document("for all")
        open_to_all.encrypt("", "owner", algorithm=algorithm)
        assert (await read(written(open_to_all))).pages[0].text == "for all"
        locked = document("for one")
        locked.encrypt("user", "owner", algorithm=algorithm)
        with pytest.raises(InvalidArgument) as caught:
            await read(written(locked))
        assert caught.value.details["reason"] == "encrypted"


async def test_a_scan_says_what_it_is() -> None:
    found = await read(scanned())
    assert (found.pages[0].text, "scanned" in found.warnings[0]) == ("", True)
    found = await read(written(document("")))
    assert found.warnings == ["these pages are empty"]


@pytest.mark.parametrize(
    "content", [b"", b"%PDF-1.7", b"%PDF-1.4\ntrailer<</Root 1 0 R>>", b"\0" * 99]
)
async def test_damage_is_told(content: bytes) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await read(content)
    assert caught.value.details["reason"] == "damaged"


async def test_a_page_that_is_not_there() -> None:
    with pytest.raises(InvalidArgument) as caught:
        await read(written(document("one")), page=5)
    assert caught.value.details["page_count"] == 1


def bomb() -> bytes:
    """Two gigabytes of nothing, in two megabytes."""
    packed = zlib.compress(b" " * (1 << 30), 1)
    head = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    head += b"2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n"
    head += (
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<<>>>>endobj\n"
    )
    head += b"4 0 obj<</Length %d/Filter/FlateDecode>>stream\n" % len(packed)
    return head + packed + b"\nendstream endobj\ntrailer<</Root 1 0 R>>"


async def test_a_bomb_costs_no_more_than_it_may() -> None:
    with pytest.raises(InvalidArgument) as caught:
        await read(bomb())
    assert caught.value.details["reason"] in {"costly", "damaged"}


async def test_one_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_SECONDS", 0.001)
    with pytest.raises(DeadlineExceeded):
        await read(written(document("slow")))
