"""The measure of texts, the same as inside the page."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.kernel.tokens import cut, estimate
from tests.page.looks import tokens


@given(st.text(max_size=300))
def test_it_is_the_measure_that_pages_are_cut_by(text: str) -> None:
    assert estimate(text) == tokens(text)


@given(st.text(max_size=300), st.integers(0, 80))
def test_a_cut_text_fits_and_is_a_beginning(text: str, most: int) -> None:
    shown = cut(text, most)
    assert estimate(shown) <= most
    assert shown == text or text.startswith(shown.removesuffix("…"))
    if estimate(text) <= most:
        assert shown == text


@pytest.mark.parametrize("piece", ["漢", "\U0001f600", "a漢", "！", "\ud800", "é"])
def test_long_texts_are_measured_and_cut_in_no_time(piece: str) -> None:
    text = piece * (6_000_000 // len(piece))
    began = time.thread_time()
    assert estimate(text) > 1_000_000
    assert estimate(cut(text, 4000)) <= 4000
    assert time.thread_time() - began < 5
