from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from pydantic import Field

from stockade.cli.arguments import parse_json, parse_words
from stockade.cli.describing import schema_of
from stockade.errors import InvalidArgument
from stockade.kernel.arguments import Arguments, Coordinates, InTab
from stockade.kernel.call import Call
from stockade.kernel.tool import tool
from stockade.tools import registry
from stockade.tools.examples import examples


class Everything(InTab):
    url: str | None = None
    count: int = Field(1, ge=0)
    ratio: float = 0.5
    deep: bool | None = None
    mode: Literal["a", "b"] = "a"
    names: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    coords: Coordinates | None = None
    table: dict[str, Any] | None = None
    either: int | str = 0
    timeout_ms: int | None = None


@tool(None, gives=dict)
async def everything(call: Call, args: Everything) -> dict[str, Any]:
    """Take all there is."""
    del call, args
    return {}


class Nothing(Arguments):
    """None."""


@tool(None, gives=dict)
async def nothing(call: Call, args: Nothing) -> dict[str, Any]:
    """Take nothing."""
    del call, args
    return {}


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("url=https://a.test/?b=c", "https://a.test/?b=c"),
        ("url=", ""),
        ("url=true", "true"),
        ("url=12", "12"),
        ("url={}", "{}"),
        ("tab=null", "null"),
        ("count=3", 3),
        ("ratio=1.5", 1.5),
        ("ratio=2", 2),
        ("deep=true", True),
        ("deep=No", False),
        ("deep=null", None),
        ("mode=b", "b"),
        ("mode=zzz", "zzz"),
        ("names=one", ["one"]),
        ("names=1", ["1"]),
        ('names=["a","b"]', ["a", "b"]),
        ("sizes=4", [4]),
        ('coords={"x":1,"y":2}', {"x": 1, "y": 2}),
        ('table={"a":[1]}', {"a": [1]}),
        ("either=5", 5),
        ("either=five", "five"),
        ("timeoutMs=100", 100),
    ],
)
def test_a_word_has_the_type_that_the_tool_wants(word: str, value: object) -> None:
    name = word.partition("=")[0]
    found = parse_words("everything", schema_of(everything), [word])
    assert found == {name: value}
    assert type(found[name]) is type(value)


def test_a_list_grows_by_repeating() -> None:
    assert parse_words(
        "everything", schema_of(everything), ["names=a", "names=b,c", "count=2"]
    ) == {
        "names": ["a", "b,c"],
        "count": 2,
    }


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["secret-value"], "name=value"),
        (["nope=1"], "no argument 'nope'"),
        (["count=secret-value"], "count is meant to be: integer"),
        (["ratio=nan"], "ratio is meant to be: number"),
        (["deep=secret-value"], "deep is meant to be: boolean"),
        (["coords=secret-value"], "coords is meant to be: object"),
        (["coords={secret-value"], "coords is not valid JSON"),
        (["sizes=secret-value"], "sizes is meant to be: integer"),
        (["url=a", "url=b"], "url is given twice"),
    ],
)
def test_a_wrong_word_is_refused_without_its_value(words: list[str], said: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        parse_words("everything", schema_of(everything), words)
    assert said in caught.value.message
    assert "secret-value" not in caught.value.message + caught.value.hint


def test_a_tool_that_takes_nothing_says_so() -> None:
    assert parse_words("nothing", schema_of(nothing), []) == {}
    with pytest.raises(InvalidArgument) as caught:
        parse_words("nothing", schema_of(nothing), ["a=1"])
    assert caught.value.hint == "It takes none."


def test_json_is_an_object() -> None:
    assert parse_json('{"a": 1}') == {"a": 1}
    for text in ("", "[1]", "{", "null"):
        with pytest.raises(InvalidArgument):
            parse_json(text)


def as_words(arguments: dict[str, Any]) -> list[str]:
    """Arguments as somebody would type them."""
    return [
        f"{name}={value if isinstance(value, str) else json.dumps(value)}"
        for name, value in arguments.items()
    ]


def test_every_tool_can_be_called_with_words() -> None:
    for each in registry():
        given = examples()[each.name].shown["arguments"]
        typed = parse_words(each.name, schema_of(each), as_words(given))
        assert each.arguments.model_validate(typed) == each.arguments.model_validate(given)
