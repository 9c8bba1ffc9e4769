from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.masking.folding import SEPARATOR, Folded, folded, letters, narrowly


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Two Words\r\n", "twowords"),
        ("ÀÉ\u0301 ﬁne", "aefine"),
        ("\uff21\uff22", "ab"),
        ("ПАРОЛЬ✓", "пароль✓"),
        ("a\u200b\xad\u2060\ufeffb", "ab"),
        ("Straße", "strasse"),
        ("a\udcfcb", "aüb"),
        (f"a{SEPARATOR}b", f"a{SEPARATOR}b"),
        ("", ""),
    ],
)
def test_what_is_left_for_comparing(text: str, left: str) -> None:
    assert folded(text) == left


def test_what_is_narrow_is_ascii() -> None:
    assert narrowly("Ünder — \uff21 п") == f"under{SEPARATOR}a{SEPARATOR}"


@given(st.text(), st.text(st.characters(min_codepoint=0x3000, max_codepoint=0x9FFF), max_size=60))
def test_what_is_narrow_is_what_is_left_of_any_text_but_for_what_is_beyond_ascii(
    text: str, letters: str
) -> None:
    found = folded(letters + text)
    narrow = "".join(each if each.isascii() else SEPARATOR for each in found)
    assert narrowly(letters + text) == narrow


def test_without_punctuation_letters_and_digits_are_left() -> None:
    assert letters(f'a-b_c"4{SEPARATOR}!') == f"abc4{SEPARATOR}"
    assert letters("п.а-р_ь") == "парь"


@given(st.text(max_size=40), st.integers(0, 3), st.sampled_from([folded, narrowly, letters]))
def test_each_character_is_folded_by_itself_and_knows_where_it_was(
    text: str, times: int, fold: Callable[[str], str]
) -> None:
    text = text * 10**times
    found = Folded(text, fold)
    assert found.text == "".join(map(fold, text))
    for index in range(0, len(found.text), 97):
        start, stop = found.span(index, index + 1)
        assert found.text[index] in fold(text[start:stop])


@given(st.data(), st.text(st.sampled_from("ab -\u200bﬁﷺé\n"), max_size=300))
def test_where_a_part_stands_is_found_without_going_through_all_of_it(
    data: st.DataObject, text: str
) -> None:
    text += " " * data.draw(st.integers(0, 400)) + "z"
    found, origins = (
        Folded(text, folded),
        [at for at, each in enumerate(text) for _ in folded(each)],
    )
    for _ in range(5):
        start = data.draw(st.integers(0, len(origins) - 1))
        stop = data.draw(st.integers(start + 1, len(origins)))
        assert found.span(start, stop) == (origins[start], origins[stop - 1] + 1)
