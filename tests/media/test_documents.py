"""Files told apart by what is in them, and their text in any usual encoding."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.errors import InvalidArgument
from stockade.media.documents import kind_of, portion, text_of


@pytest.mark.parametrize(
    ("content", "mime_type", "name", "kind"),
    [
        (b"%PDF-1.7 ...", "text/plain", "a.txt", "pdf"),
        (b"  <!DOCTYPE html><p>", "", "a", "html"),
        (b"<p>part</p>", "text/html", "", "html"),
        (b"<p>part</p>", "", "a.htm", "html"),
        (b"a,b\n1,2", "text/csv", "a.csv", "text"),
        ("ü".encode("utf-16"), "", "", "text"),
        ("plain words".encode("utf-16-le"), "", "", "text"),
        (b"<svg/>", "image/svg+xml", "a.svg", "text"),
        (b"", "", "empty", "text"),
    ],
)
def test_what_a_file_is(content: bytes, mime_type: str, name: str, kind: str) -> None:
    assert kind_of(content, mime_type, name) == kind


@pytest.mark.parametrize(
    ("content", "mime_type"), [(b"PK\x03\x04\0\0", "application/zip"), (b"GIF89a", "image/gif")]
)
def test_what_is_no_text(content: bytes, mime_type: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        kind_of(content, mime_type, "a")
    assert caught.value.details["reason"] == "binary"


@pytest.mark.parametrize(
    ("content", "charset", "text", "encoding"),
    [
        ("ü€".encode(), "", "ü€", "utf-8"),
        (b"\xef\xbb\xbf\xc3\xbc", "latin-1", "ü", "utf-8"),
        ("ü€".encode("cp1252"), "", "ü€", "cp1252"),
        (b"\x80", "iso-8859-1", "€", "cp1252"),
        ("й".encode("koi8-r"), "koi8-r", "й", "koi8-r"),
        ("日本".encode("shift_jis"), "shift_jis", "日本", "shift_jis"),
        ("words".encode("utf-16-be"), "", "words", "utf-16-be"),
        ("ü".encode("utf-32"), "", "ü", "utf-32"),
        (b"\x81", "", "\ufffd", "cp1252"),
    ],
)
def test_encodings(content: bytes, charset: str, text: str, encoding: str) -> None:
    found = text_of(content, kind="text", charset=charset)
    assert (found.text, found.encoding, found.warnings) == (text, encoding, [])


def test_a_wrong_claim_is_told() -> None:
    found = text_of(b"\xff\xfcx", kind="text", charset="utf-8")
    assert found.text == "ÿüx"
    assert "declares" in found.warnings[0]


def test_html_says_its_own_encoding() -> None:
    page = "<meta charset=windows-1251><p>Привет</p>".encode("windows-1251")
    assert text_of(page, kind="html").text == "Привет"
    xml = "<?xml version='1.0' encoding='iso-8859-2'?><a>ř</a>".encode("iso-8859-2")
    assert "ř" in text_of(xml, kind="text").text


def test_the_words_of_html() -> None:
    page = (
        b"<html><head><title>T &amp; t</title><style>x{}</style></head><body>one<br>two<ul><li>a<li>b"
        b"</ul><table><tr><td>1<td>2</table><script>no()</script><template>no</template>"
    )
    assert text_of(page, kind="html").text == "T & t\none\ntwo\na\nb\n1\t2"
    assert text_of(b"<div>" * 100_000 + b"deep", kind="html").text == "deep"


@given(st.text(max_size=3000), st.integers(20, 200))
def test_portions_together_are_the_whole(text: str, tokens: int) -> None:
    said, rest = "", text
    for _ in range(len(text) + 1):
        part = portion(rest, tokens)
        said += part.text
        assert part.tokens <= max(tokens, 4)
        rest = rest[len(part.text) :]
        if not part.rest:
            break
        assert part.text
    assert said == text


def test_a_portion_ends_between_words() -> None:
    part = portion("several words that do not all fit in here", 8)
    assert part.rest
    assert part.text.endswith(" ")
