"""Invisible characters: gone from what leaves, and writing that needs joiners stays readable."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.masking.invisible import visible
from stockade.masking.masker import Masker
from tests.support.unseen import HOSTILE, unseen_in

KEPT = {
    "plain": "plain text\nof\ttwo lines\r\n",
    "accents": "Zażółć gęślą jaźń, e\u0301",
    "wide": "漢字 かな 한글",
    "right to left": "שלום العربية",
    "family": "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "burning heart": "\u2764\ufe0f\u200d\U0001f525",
    "skin": "\U0001f469\U0001f3fd\u200d\u2695\ufe0f",
    "keycap": "1\ufe0f\u20e3 #\ufe0f\u20e3",
    "text presentation": "\u260e\ufe0e",
    "Persian": "می\u200cخواهم",
    "Hindi": "\u0915\u094d\u200d\u0937",
    "Malayalam, at the end of a word": "\u0d28\u0d4d\u200d \u0d05",
    "Scotland": "\U0001f3f4" + "".join(chr(0xE0000 + ord(each)) for each in "gbsct") + "\U000e007f",
    "icons of fonts": "\ue900 \U000f0001",
    "Arabic number sign": "\u0600\u0661",
}
GONE = {
    "soft hyphen": ("so\u00adft", "soft"),
    "zero width": ("ze\u200bro\u2060wi\ufeffdth", "zerowidth"),
    "bidirectional": ("\u202eright\u202c \u2066to\u2069 \u200eleft\u200f\u061c", "right to left"),
    "controls": ("\x1b[31mred\x00\x07\x9f", "[31mred"),
    "breaks": ("a\u2028b\u2029c\x0bd\x0ce", "a b c d e"),
    "tags": ("tag\U000e0041\U000e0042\U000e007f", "tag"),
    "tags of no flag": ("\U0001f3f4\U000e0068\U000e0069\U000e007f", "\U0001f3f4"),
    "selectors as a channel": ("x\ufe00\ufe01\U000e0100\U000e01ef\ufe0f\ufe0e", "x"),
    "selectors of a digit": ("1\ufe0f2\ufe0e3", "123"),
    "fillers": ("fill\u115f\u1160\u3164\uffa0ers", "fillers"),
    "annotations": ("a\ufff9b\ufffac\ufffbd", "abcd"),
    "joiners between Latin letters": ("jo\u200din\u200cer", "joiner"),
    "joiners after emoji": ("\U0001f600\u200da", "\U0001f600a"),
    "joiners in a row": ("می\u200c\u200c\u200d\u200cخ", "می\u200cخ"),
    "joiners at an end": ("\u200d\u0645\u200d", "\u0645"),
    "halves": ("a\ud800b", "a\ufffdb"),
    "no characters": ("a\ufdd0\uffff", "a"),
    "hieroglyph controls": ("\U00013000\U00013430\U00013000", "\U00013000\U00013000"),
}


@pytest.mark.parametrize("text", KEPT.values(), ids=list(KEPT))
def test_what_readers_see_stays(text: str) -> None:
    assert visible(text) == text
    assert Masker().value({text: [text]}) == {text: [text]}


@pytest.mark.parametrize(("text", "shown"), GONE.values(), ids=list(GONE))
def test_what_they_do_not_see_goes(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert Masker().text(text) == shown
    assert Masker().value({"a": [text, 1, None]}) == {"a": [shown, 1, None]}
    assert Masker().value({text: {text: text}}) == {shown: {shown: shown}}


def test_of_all_characters_none_is_left_that_does_not_show() -> None:
    # What comes between is not assigned, or for private use.
    for code in (*range(0x33500), *range(0xE0000, 0xE1000)):
        character = chr(code)
        shown = visible(f"a{character}b")
        assert not unseen_in(shown), hex(code)
        category = unicodedata.category(character)
        if category[0] in "LMNPS" and not unseen_in(character):
            assert character in shown, hex(code)


@given(
    st.text(
        st.sampled_from(
            "ab1#\u0645\u0646\u094d\u0915\U0001f469\u2764\u20e3\ufe0f\u200d\u200c" + HOSTILE
        )
    )
)
def test_twice_is_as_good_as_once(text: str) -> None:
    once = visible(text)
    assert visible(once) == once


@pytest.mark.parametrize("size", [8190, 8191, 8192, 8193])
def test_long_texts_are_treated_as_short_ones(size: int) -> None:
    """They are gone through piece by piece."""
    long = "x" * size + "\U0001f469\u200d\U0001f467\u200b\u0645\u200c\u0646\u200d" + "y" * size
    shown = "x" * size + "\U0001f469\u200d\U0001f467\u0645\u200c\u0646" + "y" * size
    assert visible(long) == shown
    assert visible("\u200b" * size + long) == shown


def test_keys_that_become_alike_lose_nothing() -> None:
    assert Masker().value({"a": 1, "a\u200b": 2, "\u200ba": 3}) == {"a": 1, "a'": 2, "a''": 3}


def test_deep_values_are_gone_through_as_well() -> None:
    deep: object = "a\u200bb"
    for _ in range(5000):
        deep = [deep]
    shown = Masker().value(deep)
    while isinstance(shown, list):
        shown = shown[0]
    assert shown == "ab"


def test_a_secret_that_comes_together_only_without_them_is_masked() -> None:
    masker = Masker()
    masker.add("PASS", "correct-horse")
    for split in ("corr%\u200b65ct-horse", "&#\u200b99;orrect-horse", "\\\u200bx63orrect-horse"):
        assert masker.text(f"it is {split}") == "it is <PASS>"
        assert masker.value([f"it is {split}"]) == ["it is <PASS>"]


def test_files_keep_what_does_not_show() -> None:
    masker = Masker()
    masker.add("PASS", "correct-horse")
    assert masker.exact("a\u200bb correct-horse \U000e0041") == "a\u200bb <PASS> \U000e0041"
    assert masker.exact_value({"a\u200b": ["correct-horse"]}) == {"a\u200b": ["<PASS>"]}
