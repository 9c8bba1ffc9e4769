"""Hostile arguments: for each argument of each tool, values that are as dear as can be to evaluate.

Arguments are taken from the tools' own schemas, so that a new one is tried as soon as there is one.
A value is put into a call that works, so that it gets as far as the code that reads it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from stockade.kernel.tool import Tool

__all__ = ["Attempt", "attempts"]

Schema = Mapping[str, Any]
Make = Callable[[], Any]
Text = Callable[[random.Random], str]
Path = tuple[str, ...]
"""The way to an argument; `[]` is an element of a list, `*` any name of an object."""

_ELEMENT, _ANY_NAME = "[]", "*"
_DEEPEST = 7
_LARGEST = 900_000
"""Characters of a value; a request holds at most a few megabytes."""
_NEST = 50
_MANY = 30_000
_TARGETS: Final = frozenset({"ref", "selector", "named", "contextRef", "coords", "scope"})
"""A call means its element in one of these ways."""


@dataclass(frozen=True)
class Attempt:
    """One call with one hostile value in it."""

    tool: str
    argument: str
    family: str
    make: Make
    path: Path

    @property
    def is_number(self) -> bool:
        """Whether it may ask for a call that takes long."""
        return self.family.startswith("number ")

    def put_into(self, arguments: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
        """The arguments of a call that works, with the value in its place."""
        if self.path[-1] in _TARGETS and len(self.path) == 1:
            arguments = {name: part for name, part in arguments.items() if name not in _TARGETS}
        whole: dict[str, Any] = _with(arguments, self.path, self.make(), schema, schema)
        return whole


def attempts(tool: Tool, chance: random.Random) -> list[Attempt]:
    """Every argument of a tool with every value that suits it."""
    schema = tool.arguments.model_json_schema(by_alias=True)
    places: dict[Path, list[Schema]] = {}
    for path, part in _leaves(schema, (), schema, 0):
        places.setdefault(path, []).append(part)
    found: list[Attempt] = []
    for path, parts in places.items():
        name = ".".join(path)
        families: dict[str, Make] = {}
        for part in parts:
            families |= _values(path, part, chance)
        found += [Attempt(tool.name, name, family, each, path) for family, each in families.items()]
    return found


# --- schemas --------------------------------------------------------------------------------------


def _plain(part: Schema, root: Schema) -> Schema:
    name = str(part["$ref"]).rpartition("/")[2] if "$ref" in part else ""
    return {**root["$defs"][name], **part} if name else part


def _variants(part: Schema, root: Schema) -> Iterator[Schema]:
    part = _plain(part, root)
    inner = [each for kind in ("anyOf", "oneOf", "allOf") for each in part.get(kind, ())]
    for each in inner:
        yield from _variants(each, root)
    if not inner:
        yield part


def _leaves(schema: Schema, path: Path, root: Schema, depth: int) -> Iterator[tuple[Path, Schema]]:
    """Every argument that holds a value; lists and objects are some, too."""
    if depth > _DEEPEST:
        return
    for part in _variants(schema, root):
        if path:
            yield path, part
        for name, inner in part.get("properties", {}).items():
            yield from _leaves(inner, (*path, name), root, depth + 1)
        if isinstance(part.get("additionalProperties"), Mapping):
            more = part["additionalProperties"]
            yield from _leaves(more, (*path, _ANY_NAME), root, depth + 1)
        if isinstance(part.get("items"), Mapping):
            yield from _leaves(part["items"], (*path, _ELEMENT), root, depth + 1)


def _with(holder: Any, path: Path, value: Any, part: Schema, root: Schema) -> Any:
    """A copy with a value at the end of a path, and what the schema asks for on the way."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if step == _ELEMENT:
        items: Schema = next(
            (each["items"] for each in _variants(part, root) if "items" in each), {}
        )
        first = holder[0] if isinstance(holder, list) and holder else None
        return [_with(first, rest, value, items, root)]
    known = holder if isinstance(holder, Mapping) else {}
    if step == _ANY_NAME:
        return {**known, "name": _with(None, rest, value, {}, root)}
    shape = next(
        (each for each in _variants(part, root) if step in each.get("properties", {})), None
    )
    if shape is None:
        return {**known, step: _with(None, rest, value, {}, root)}
    made = {
        name: _simple(shape["properties"][name], root)
        for name in shape.get("required", ())
        if name not in known
    }
    inner = _with(known.get(step), rest, value, shape["properties"][step], root)
    return {**made, **known, step: inner}


def _simple(part: Schema, root: Schema) -> Any:
    """A value that a schema allows, as far as that is easily said."""
    shape = next(_variants(part, root))
    if "const" in shape or "enum" in shape:
        return shape.get("const", next(iter(shape.get("enum", [None]))))
    kind = shape.get("type")
    if kind == "object":
        needed = shape.get("required", ())
        return {name: _simple(shape["properties"][name], root) for name in needed}
    if kind == "array":
        count = shape.get("minItems", 0)
        return [_simple(shape.get("items", {}), root)] * count
    return {"integer": shape.get("minimum", 1), "number": 1.0, "boolean": True}.get(
        str(kind), "button"
    )


# --- values ---------------------------------------------------------------------------------------


def _values(path: Path, part: Schema, chance: random.Random) -> dict[str, Make]:
    kind = part.get("type")
    if kind == "string" and not {"enum", "const"} & part.keys():
        longest = min(part.get("maxLength", _LARGEST), _LARGEST)
        found: dict[str, Make] = {
            name: partial(_cut, made, chance, longest) for name, made in _TEXTS.items()
        }
        for name, made in _REPEATED.items():
            found[f"{name}, as long as may be"] = partial(_repeated, made, chance, longest)
        return found
    if kind in {"integer", "number"}:
        ends = [part[name] for name in ("minimum", "maximum") if name in part]
        return {f"number {each!r:.20}": partial(_same, each) for each in (*_NUMBERS, *ends)}
    if kind == "array":
        most = min(part.get("maxItems", _MANY), _MANY)
        return {
            "many": lambda: ["button"] * most,
            "too many": lambda: ["button"] * _MANY,
            "objects": lambda: [{}] * most,
            "lists in lists": lambda: _nested_list(_NEST),
        }
    if kind == "object" or not kind:
        return _objects(path, chance)
    return {"another type": lambda: [0] * _MANY}


def _same(value: Any) -> Any:
    return value


def _cut(made: Text, chance: random.Random, longest: int) -> str:
    return made(chance)[:longest]


def _repeated(made: Text, chance: random.Random, longest: int) -> str:
    return _filled(made(chance), longest)


def _filled(piece: str, longest: int) -> str:
    return (piece * (longest // len(piece) + 1))[:longest]


def _nested(depth: int) -> dict[str, Any]:
    whole: dict[str, Any] = {"a": 1}
    for _ in range(depth):
        whole = {"a": whole}
    return whole


def _nested_list(depth: int) -> list[Any]:
    whole: list[Any] = []
    for _ in range(depth):
        whole = [whole]
    return whole


def _in_itself(piece: str, times: int, core: str = "*") -> str:
    return piece * times + core + ")" * times


_STARS: Final = "*a" * 300 + "*b"

_TEXTS: Final[dict[str, Text]] = {
    "stars": lambda _: _STARS,
    "stars for an address": lambda _: "*://*/" + _STARS,
    "many kinds of stars": lambda chance: "".join(chance.choices("*?[]a!{},", k=600)) + "*b",
    "nested quantifiers": lambda _: "^(([a-z])+.)+[A-Z]([a-z])+$" + "(a+)+" * 20 + "$",
    "slashes and quantifiers": lambda _: "/(a+)+(a*)*(a|a)*!$/i",
    "text by a pattern": lambda _: "text=/^(a+)+(\\w+\\s?)*!$/",
    "a role by a pattern": lambda _: "role=button[name=/^(a|aa|a+)+!$/i]",
    "counted repetitions": lambda _: "(?:(?:a{1,1000}){1,1000}){1,1000}b",
    "backreferences": lambda _: "(a*)(a*)(a*)(a*)\\1\\2\\3\\4" * 10 + "b",
    "looking around": lambda _: "(?=(a+)+b)(?<!(a+)+)" * 10,
    "alternatives": lambda _: "(" + "|".join(f"a{{{n}}}" for n in range(150)) + ")+b",
    "classes": lambda _: "[\\p{L}\\p{M}\\w\\W\\s\\S]+" * 30 + "$",
    "brackets that open": lambda _: "(" * 900,
    "brackets": lambda _: "(" * 400 + ")" * 400,
    "has": lambda _: _in_itself(":has(", 60),
    "has and is": lambda _: _in_itself("*:has(> *):not(:is(", 40) + ")" * 40,
    "anything below anything": lambda _: "* " * 400 + "nothing",
    "anything beside anything": lambda _: "*~*+*>" * 150 + "nothing",
    "attributes": lambda _: '[class*="a"]' * 120,
    "n-th of": lambda _: ":nth-child(2n+1 of " + _in_itself(":is(", 40) + ")",
    "a path": lambda _: "//*" + "[.//*[contains(., 'a')]" * 40 + "]" * 40,
    "a path, named": lambda _: "xpath=" + "//*" * 200 + "[count(//*) > count(//*//*)]",
    "a chain": lambda _: " >> ".join(["css=*"] * 200),
    "words in words": lambda _: " >> ".join(["text=a"] * 150),
    "an address": lambda _: "http://127.0.0.1:1/" + "a%2525" * 250,
    "a host": lambda _: "http://" + "a." * 900 + "b/",
    "a moment": lambda _: "2026-01-01T00:00:00." + "9" * 900 + "Z",
    "a number": lambda _: "9" * 1900,
    "an exponent": lambda _: "1e" + "9" * 900,
    "a secret's name": lambda _: "<" + "A_" * 30 + ">",
    "JSON in JSON": lambda _: '{"a":' * 20_000,
    "lists in JSON": lambda _: "[" * 300_000,
    "objects in JSON": lambda _: '{"cookies":[' + "{}," * 100_000 + "{}]}",
    "escapes": lambda chance: "".join(
        chance.choices(("%25", "&#x", "\\u00", "=3D", "<!--", "&amp;", "\\\\", "\u0300"), k=20_000)
    ),
}

_REPEATED: Final[dict[str, Text]] = {
    "a letter": lambda _: "a",
    "comments": lambda _: "<!--",
    "accents": lambda _: "e\u0301\u200b",
    "astral": lambda _: "\U0001f600",
    "base64": lambda chance: "".join(chance.choices("ABCabc012+/", k=997)),
    "words": lambda chance: "".join(chance.choices("abcdefg ", k=499)),
    "lines": lambda _: "- a\n",
    "separators": lambda _: ",:/\\.",
}

_NUMBERS: Final = (0, -1, 1, 2**31, 2**53 + 1, -(2**63), 10**300, 1e308, -1e308, 5e-324)


def _objects(path: Path, chance: random.Random) -> dict[str, Make]:
    found: dict[str, Make] = {
        "objects in objects": lambda: _nested(_NEST),
        "wide": lambda: {f"name{number}": number for number in range(_MANY)},
        "a long name": lambda: {"a" * 100_000: "a"},
        "a long list": lambda: {"a": list(range(_MANY))},
        "many short lists": lambda: {f"name{number}": [number] * 3 for number in range(_MANY // 3)},
        "a long text": lambda: {"a": _filled("\\u0041%41&#65;<!--", 400_000)},
        "references to themselves": lambda: {
            "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}},
            "$ref": "#/$defs/a",
        },
        "references that double": lambda: _doubling(8),
        "alternatives": lambda: {"anyOf": [{"anyOf": [_nested(5)] * 50}] * 50},
        "a pattern": lambda: {
            "type": "object",
            "properties": {"a": {"type": "string", "pattern": "^(a+)+$", "x-source": "body"}},
        },
        "sources": lambda: _sources(chance),
        "numbers": lambda: {
            "type": "array",
            "items": {"type": "number", "minimum": -1e308, "maximum": 10**300},
            "minItems": 10**9,
            "maxItems": 10**18,
            "x-source": {"collection": "*"},
        },
        "patterns on a text": _predicate,
        "predicates in predicates": lambda: _predicates(18),
        "a tool": lambda: {"tool": "find", "args": {"query": _STARS[:900]}, "query": _STARS[:900]},
        "calls": lambda: {"calls": [{"tool": "find", "args": {"query": "(a+)+" * 50}}] * 50},
        "a list": lambda: [0] * _MANY,
        "a text": lambda: _filled("a ", 500_000),
    }
    if path[-1] == "data":
        found["a text for patterns"] = lambda: {"value": "a" * 60_000 + "!"}
    return found


def _doubling(levels: int) -> dict[str, Any]:
    """Small to write, and twice as large with each level."""
    defs = {
        f"l{number}": {
            "type": "object",
            "properties": {each: {"$ref": f"#/$defs/l{number + 1}"} for each in "ab"},
        }
        for number in range(levels)
    }
    return {"$defs": {**defs, f"l{levels}": {"type": "string"}}, "$ref": "#/$defs/l0"}


def _sources(chance: random.Random) -> dict[str, Any]:
    """As many selectors as there may be, each of them dear."""
    made = (each(chance)[:2000] for each in _TEXTS.values())
    selectors = [each for each in made if "*" in each]
    fields = {
        f"f{number}": {"type": "string", "x-source": selectors[number % len(selectors)]}
        for number in range(200)
    }
    return {
        "type": "array",
        "items": {"type": "object", "properties": fields},
        "x-source": {"collection": "*"},
    }


def _predicate() -> dict[str, Any]:
    leaf = {"kind": "matches", "key": "value", "value": "^(a+)+(a*)*$"}
    leaves = [{**leaf, "value": f"{leaf['value']}{number}"} for number in range(150)]
    return {"kind": "or", "predicates": leaves, "value": "a" * 5_000 + "!"}


def _predicates(depth: int) -> dict[str, Any]:
    leaf: dict[str, Any] = {"kind": "exists", "key": "value" + ".a" * 200}
    for _ in range(depth):
        leaf = {"kind": "not", "predicates": [leaf]}
    return leaf
