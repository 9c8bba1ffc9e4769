"""Numbers that could be a code."""

from __future__ import annotations

import base64

import pytest

from stockade.masking.code_shapes import numbers_like

NUMBER = "482913"
DATA = base64.b64encode(b'{"pin":"482913"}').decode()


@pytest.mark.parametrize(
    "text",
    [
        "in?pin=482913&x=1",
        "in/482913.png",
        "in?q=id_482913",
        '{"pin":482913}',
        "in?pin=%34%38%32%39%31%33",
        "in?x=%2534%2538%2532%2539%2531%2533",
        f"in?data={DATA}",
        f"in?data={DATA.rstrip('=')}",
        f"in?data={base64.b64encode(NUMBER.encode()).decode()}",
    ],
)
def test_a_number_is_found(text: str) -> None:
    assert numbers_like(text, 6) == {NUMBER}


@pytest.mark.parametrize(
    "text",
    [
        "in?state=ab482913cd",
        "in?at=1699482913",
        "static/main.482913.js",
        "static/482913ab.js",
        "in?name=sometoken",
        "x" * 10_000,
    ],
)
def test_what_is_none(text: str) -> None:
    assert numbers_like(text, 6) == set()


def test_how_many_digits_counts_alone() -> None:
    assert numbers_like("111111 22222 333333 4444444", 6) == {"111111", "333333"}
