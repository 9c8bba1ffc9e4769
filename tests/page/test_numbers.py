"""Numbers as people write them."""

from __future__ import annotations

import pytest

from stockade.page.numbers import Number, read_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4.20 €", 4.2),
        ("€4.20", 4.2),
        ("US$ 5", 5),
        ("1,234.56", 1234.56),
        ("1.234,56 €", 1234.56),
        ("1 234,56", 1234.56),
        ("1\u202f234\u202f567", 1234567),
        ("CHF 1'234.50", 1234.5),
        ("1.234.567", 1234567),
        ("12,5", 12.5),
        ("0.125", 0.125),
        (".5", 0.5),
        ("-$5", -5),
        ("\u22123 %", -3),
        ("Price: 4.20 EUR", 4.2),
        ("(12 reviews)", 12),
        ("1e5", 100000),
        ("\u0664\u0665", 45),
    ],
)
def test_one_number(text: str, value: float) -> None:
    assert read_number(text) == Number(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "none",
        "4.20 - 5.80",
        "2 for 5",
        "10:30",
        "2024-01-02",
        "v1.2.3",
        "1,23,456",
        "1.5k",
        "3 Mio",
    ],
)
def test_no_number_or_none_that_is_sure(text: str) -> None:
    assert read_number(text) is None


def test_a_lone_mark_before_three_digits_is_read_by_the_language() -> None:
    assert read_number("1.234", "de-AT") == Number(1234)
    assert read_number("1,234", "de") == Number(1.234)
    assert read_number("1,234", "en-US") == Number(1234)
    assert read_number("1.234", "en") == Number(1.234)
    assert read_number("1,234") == Number(1234, doubtful=True)
    assert read_number("1.234") == Number(1.234, doubtful=True)


def test_a_number_of_any_length_takes_no_time() -> None:
    assert read_number("9" * 20_000) is None
    assert read_number("1," * 5_000) is None
