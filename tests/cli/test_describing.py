from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from stockade.cli.describing import arguments_of, first_sentence, schema_of, type_of
from stockade.kernel.arguments import Arguments, Coordinates
from stockade.kernel.call import Call
from stockade.kernel.tool import tool


class Some(Arguments):
    few: Annotated[int | None, Field(ge=1, le=9, description="how many")] = None
    mode: Literal["a", "b"] = "a"
    wanted_text: str
    at: Coordinates | None = None
    many: tuple[str | int, ...] = ()
    plain: dict[str, Any] | None = None
    ratio: float = Field(0.5, gt=0)
    last: int = Field(3, le=5)


@tool(None, gives=dict)
async def some(call: Call, args: Some) -> dict[str, Any]:
    """Do some. Then more."""
    del call, args
    return {}


def test_arguments_are_rows_with_what_is_required_first() -> None:
    rows = list(arguments_of(some))
    assert [(row.name, row.type, row.required, row.default) for row in rows] == [
        ("wantedText", "string", True, ""),
        ("few", "integer 1 to 9", False, ""),
        ("mode", "a | b", False, '"a"'),
        ("at", "{x: number, y: number}", False, ""),
        ("many", "(string | integer)[]", False, "[]"),
        ("plain", "object", False, ""),
        ("ratio", "number > 0", False, "0.5"),
        ("last", "integer ≤ 5", False, "3"),
    ]
    assert rows[1].description == "how many"


def test_types_of_odd_schemas() -> None:
    assert type_of({}, {}) == "any"
    assert type_of({"const": "x"}, {}) == "x"
    assert type_of({"type": ["string", "null"]}, {}) == "string"
    assert type_of({"$ref": "#/$defs/gone"}, {}) == "any"


def test_the_first_sentence() -> None:
    assert first_sentence(some.description) == "Do some."
    assert first_sentence("None at all") == "None at all"


def test_the_schema_has_outer_names() -> None:
    assert "wantedText" in schema_of(some)["properties"]
