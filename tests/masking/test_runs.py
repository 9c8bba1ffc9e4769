from __future__ import annotations

import base64

import pytest

from stockade.masking.runs import spelled


@pytest.mark.parametrize("before", ["", "x", "xy", "xyz", "xyzw"])
def test_base64_is_read_wherever_it_begins(before: str) -> None:
    letters = base64.b64encode(b"user:Zq7!password").decode()
    source = f"({before}{letters})"
    run = spelled(source)
    assert run is not None
    assert run.text.count("Zq7!pass") == 1
    at = run.text.index("Zq7!pass")
    first = len(before) + 1
    assert run.span(at, at + 8) == (first + 6, first + 18)


def test_base64_in_lines_is_one() -> None:
    lines = base64.encodebytes(b"a" * 50 + b"Zq7!password" + b"b" * 50).decode()
    run = spelled(lines)
    assert run is not None
    assert "Zq7!password" in run.text


def test_words_and_addresses_are_not_base64() -> None:
    assert spelled("https://example.test/a/long/path/of-words/and_more") is None


@pytest.mark.parametrize(
    "source",
    ["5a 71 37 21 70 61", "0x5a,0x71,0x37,0x21,0x70,0x61", "5A:71:37:21:70:61", "5a71372170617373",
     "90, 113, 55, 33, 112, 97"],
)  # fmt: skip
def test_numbers_are_read_as_characters(source: str) -> None:
    run = spelled(f"[{source}]")
    assert run is not None
    at = run.text.index("Zq7!pa")
    assert run.span(at, at + 1)[0] == 1


def test_few_numbers_are_none() -> None:
    assert spelled("at 12:30:45 on 2024-01-02") is None
