"""Console arguments as text."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from stockade.engines.cdp.previews import Remote, cut, render, render_line


def remote(**fields: Any) -> Remote:
    return msgspec.convert(fields, Remote)


def string(value: str) -> Remote:
    return remote(type="string", value=value)


def number(value: float) -> Remote:
    return remote(type="number", value=value, description=f"{value:g}")


OBJECT = remote(
    type="object",
    className="Object",
    description="Object",
    preview={
        "type": "object",
        "description": "Object",
        "overflow": True,
        "properties": [
            {"name": "a", "type": "number", "value": "1"},
            {"name": "b", "type": "string", "value": "x"},
            {"name": "c", "type": "function", "value": ""},
            {"name": "d", "type": "accessor"},
            {"name": "e", "type": "object", "subtype": "null", "value": "null"},
        ],
    },
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (string("plain"), "plain"),
        (number(1.5), "1.5"),
        (remote(type="boolean", value=True), "true"),
        (remote(type="undefined"), "undefined"),
        (remote(type="object", subtype="null", value=None), "null"),
        (remote(type="number", unserializableValue="-0", description="-0"), "-0"),
        (remote(type="bigint", unserializableValue="10n", description="10n"), "10n"),
        (remote(type="symbol", description="Symbol(s)"), "Symbol(s)"),
        (remote(type="function", description="function add(a) {\n  return a;\n}"), "ƒ add(a) {"),
        (remote(type="object", subtype="node", description="div#main"), "div#main"),
        (OBJECT, "{a: 1, b: 'x', c: ƒ, d: (…), e: null, …}"),
    ],
)
def test_one_value(value: Remote, text: str) -> None:
    assert render(value) == text


def test_arrays_and_maps() -> None:
    array = remote(
        type="object",
        subtype="array",
        description="Array(2)",
        preview={
            "type": "object",
            "subtype": "array",
            "description": "Array(2)",
            "properties": [
                {"name": "0", "type": "number", "value": "1"},
                {"name": "named", "type": "string", "value": "x"},
            ],
        },
    )
    mapping = remote(
        type="object",
        subtype="map",
        description="Map(1)",
        preview={
            "type": "object",
            "subtype": "map",
            "description": "Map(1)",
            "entries": [
                {
                    "key": {"type": "string", "description": "k"},
                    "value": {
                        "type": "object",
                        "description": "Object",
                        "properties": [{"name": "v", "type": "number", "value": "1"}],
                    },
                }
            ],
        },
    )
    assert render(array) == "Array(2) [1, named: 'x']"
    assert render(mapping) == "Map(1) {'k' => {v: 1}}"


def test_an_error_shows_the_head_of_its_stack() -> None:
    stack = "\n".join(["Error: deep", *(f"    at f{depth}" for depth in range(50))])
    text = render(remote(type="object", subtype="error", description=stack))
    assert text.startswith("Error: deep\n    at f0\n")
    assert len(text.splitlines()) == 10


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], ""),
        ([string("a"), number(1)], "a 1"),
        ([string("%s is %d%%"), string("x"), number(3.7)], "x is 3%"),
        ([string("%i %f %d"), string("4"), number(1.5), string("no")], "4 1.5 NaN"),
        ([string("%cred%c plain"), string("color: red"), string("")], "red plain"),
        ([string("%o %O"), OBJECT, number(1)], f"{render(OBJECT)} 1"),
        ([string("%s and %s"), string("one")], "one and %s"),
        ([string("%s"), string("one"), string("two")], "one two"),
        ([string("100% sure"), number(1)], "100% sure 1"),
        ([number(5), string("%s")], "5 %s"),
        ([string("%d"), remote(type="bigint", unserializableValue="10n")], "10"),
        ([string("%d"), remote(type="number", unserializableValue="Infinity")], "Infinity"),
    ],
)
def test_one_line(arguments: list[Remote], line: str) -> None:
    assert render_line(arguments) == line


def test_what_comes_from_a_format_string_is_not_formatted_again() -> None:
    assert render_line([string("%s"), string("%s"), string("x")]) == "%s x"


def test_a_cut_is_visible() -> None:
    assert cut("short", 5) == "short"
    assert cut("too long", 5) == "too …"
