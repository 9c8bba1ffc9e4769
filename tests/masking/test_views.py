from __future__ import annotations

from collections.abc import Callable

import pytest

from stockade.masking.views import (
    Read,
    bare_of_markup,
    quoted_printable,
    style_escapes,
    unescaped,
)


@pytest.mark.parametrize(
    ("read", "text", "shown"),
    [
        (unescaped, "a%20b%C3%BC", "a bü"),
        (unescaped, "%FF%41", "ÿA"),
        (unescaped, "%u005a%zz", "Z%zz"),
        (unescaped, "&lt;&#90;&#x5a;&zzz;", "<ZZ&zzz;"),
        (unescaped, r"\u005a\x5a\u{5a}\132\n\"\ud83e\udd8a", 'ZZZZ "\U0001f98a'),
        (unescaped, r"\xc3\xbc\303\274\U0000005a", "üüZ"),
        (unescaped, "\U000e005a", "Z"),
        (style_escapes, r"\5a q\00005aq\!", "ZqZq!"),
        (quoted_printable, "=5A=71 a=\r\nb =C3=BC", "Zq ab ü"),
        (bare_of_markup, "<b>Z</b><!-- > --><i title='x'>q</i>", "Zq"),
        (bare_of_markup, "Z<!-- <b> <!-- </i> -->q", "Zq"),
        (bare_of_markup, "Z<!-- > q", "Z q"),
    ],
)
def test_what_is_read(read: Callable[[str, int], Read | None], text: str, shown: str) -> None:
    view = read(text, 100)
    assert view is not None
    assert view.text == shown
    assert view.span(0, len(shown)) == (0, len(text)) or read is bare_of_markup
    for at in range(len(shown)):
        start, stop = view.span(at, at + 1)
        assert 0 <= start < stop <= len(text)


@pytest.mark.parametrize("read", [unescaped, style_escapes, quoted_printable, bare_of_markup])
def test_where_there_is_nothing_to_read(read: Callable[[str, int], Read | None]) -> None:
    assert read("nothing of the kind: 50 % & a < b", 100) is None


def test_only_what_is_near_is_read() -> None:
    text = f"{'x' * 1000}%41{'y' * 1000}%42{'z' * 1000}"
    view = unescaped(text, 10)
    assert view is not None
    assert len(view.text) == 43
    at = view.text.index("B")
    assert view.span(at - 1, at + 2) == (2002, 2007)
