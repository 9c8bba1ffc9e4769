"""The measure of texts, the same as inside the page."""

from __future__ import annotations

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
