"""Where the rules of a style sheet are."""

from __future__ import annotations

import pytest

from stockade.instruments.stylesheets import style_rules, units


def texts(sheet: str) -> list[str]:
    return [sheet[start:end] for start, end in style_rules(sheet)]


@pytest.mark.parametrize(
    ("sheet", "rules"),
    [
        ("h1 { a: b }", ["h1 { a: b }"]),
        ("/* x { } */ a{}b{}", ["a{}", "b{}"]),
        ("@import 'x;y{'; a{}", ["a{}"]),
        ('a::after { content: "}{" } b{}', ['a::after { content: "}{" }', "b{}"]),
        ("a { background: url(data:x;{y}) } b{}", ["a { background: url(data:x;{y}) }", "b{}"]),
        ("@media x { a{} @supports (y) { b{} } } c{}", ["a{}", "b{}", "c{}"]),
        ("@font-face { src: url(x) } @page { margin: 0 } a{}", ["a{}"]),
        ("@-webkit-keyframes k { from {} 50% {} } a{}", ["a{}"]),
        ("@layer base, more; @layer base { a{} }", ["a{}"]),
        (
            ".a { top: 0; & b { top: 1 } .c & {} }",
            [".a { top: 0; & b { top: 1 } .c & {} }", "& b { top: 1 }", ".c & {}"],
        ),
        (r".a\{b {}", [r".a\{b {}"]),
        ("} } a{}", ["a{}"]),
        ("a { unfinished", []),
        ("", []),
    ],
)
def test_rules_are_found(sheet: str, rules: list[str]) -> None:
    assert texts(sheet) == rules


def test_places_are_counted_as_browsers_count() -> None:
    assert len(units("a😀b")) == 4
    assert units("plain ü") == "plain ü"
