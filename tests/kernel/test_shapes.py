"""What the data of a tool looks like."""

from __future__ import annotations

from typing import NotRequired

import msgspec
import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict

from stockade.kernel.action_result import ActionResult
from stockade.kernel.shapes import check, schema_of


class Row(TypedDict):
    name: str
    size: NotRequired[int]


class Inner(BaseModel):
    words: list[str] = []
    note: str | None = None


class Model(BaseModel):
    inner: Inner = Inner()
    count: int


class Small(msgspec.Struct):
    x: float


class Struct(msgspec.Struct, rename="camel"):
    one_part: Small
    name: str = ""


class Mixed(TypedDict):
    parts: list[Small]
    note: NotRequired[str]


def test_dictionaries() -> None:
    schema = schema_of(Row)
    assert schema["required"] == ["name"]
    check(Row, {"name": "a", "more": 1})
    with pytest.raises(ValueError, match="name"):
        check(Row, {"size": 1})


def test_models_leave_out_what_is_nothing() -> None:
    schema = schema_of(Model)
    assert set(schema["required"]) == {"count", "inner"}
    inner = schema["$defs"]["Inner"]
    assert inner["required"] == ["words"]
    assert inner["properties"]["note"]["type"] == "string"
    assert schema_of(ActionResult)["properties"]["navigation"] == {"$ref": "#/$defs/Movement"}


def test_structs() -> None:
    schema = schema_of(Struct)
    assert schema["required"] == ["onePart"]
    assert schema["$defs"]["Small"]["properties"] == {"x": {"type": "number"}}
    check(Struct, {"onePart": {"x": 1}})
    with pytest.raises(ValueError, match="onePart"):
        check(Struct, {})


def test_dictionaries_of_structs() -> None:
    schema = schema_of(Mixed)
    assert schema["required"] == ["parts"]
    check(Mixed, {"parts": [{"x": 1}], "more": 2})
    with pytest.raises(ValueError, match="parts"):
        check(Mixed, {"parts": [{}]})
