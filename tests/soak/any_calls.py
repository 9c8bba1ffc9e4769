"""Calls of any tool, made from its schema and from words that matter."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from stockade.kernel.tool import Tool
from tests.soak.moves import SCRIPTS, Step

_PATIENCE_MS: Final = (300, 1500)
_MOST_DEPTH: Final = 4
_MOST_NUMBER: Final = 500
_KNOWN: Final = 0.9

_WORDS: Mapping[str, Sequence[Any]] = {
    "selector": ("input", "[type=password]", "[name=q]", "#shown", "#rich", "text=Notes", "form"),
    "ref": ("{ref}",),
    "contextRef": ("{ref}",),
    "scope": ("body", "form", "{ref}"),
    "url": ("{home}/login", "{home}/settings", "{home}/echo?pw=x", "{away}/"),
    "urlPattern": ("*", "/echo", "{away}"),
    "pattern": ("*", "/echo"),
    "origin": ("{home}", "{away}"),
    "frame": ("f1",),
    "key": ("said", "typed", "Control+a", "Control+c", "Control+v", "Backspace", "Enter", "a"),
    "text": ("<PASSWORD>", "<API_KEY>", "Key", "a", "Signed in"),
    "value": ("<PASSWORD>", "<API_KEY>", "zz"),
    "tabId": ("{tab}",),
    "expr": SCRIPTS,
    "expression": SCRIPTS,
    "query": ("password", "the key", "sign in"),
    "name": ("said", "sid", "a"),
    "path": ("a.json", "a.txt"),
    "durationMs": (50, 200),
    "holdMs": (20,),
    "delayMs": (0, 20),
    "timeout": (300,),
    "timeMs": (20,),
    "locale": ("en-GB",),
    "action": ("list", "new", "close", {"tool": "click", "args": {"selector": "button"}}),
}
_ANY_TEXT = ("a", "x", "said", "<PASSWORD>", "{ref}", "{home}/login", "*", "input", "1")


def any_step(tool: Tool, chance: random.Random) -> Step:
    """A call of a tool as its schema allows it."""
    schema = tool.arguments.model_json_schema(by_alias=True)
    made = _Maker(schema.get("$defs", {}), chance).of_object(schema, _MOST_DEPTH)
    for name in ("session", "tab", "isolation", "engine"):
        made.pop(name, None)
    if "timeoutMs" in schema.get("properties", {}):
        made["timeoutMs"] = chance.choice(_PATIENCE_MS)
    return Step(tool.name, made)


@dataclass(frozen=True)
class _Maker:
    """Makes values of a schema."""

    defs: Mapping[str, Any]
    chance: random.Random

    def of_object(self, schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
        wanted = set(schema.get("required", ()))
        return {
            name: self.value(name, each, depth - 1)
            for name, each in schema.get("properties", {}).items()
            if name in wanted or (depth > 0 and self.chance.random() < _likely(name))
        }

    def value(self, name: str, schema: Mapping[str, Any], depth: int) -> Any:
        schema = self._resolved(schema)
        if "enum" in schema or "const" in schema:
            return self.chance.choice(schema.get("enum") or [schema["const"]])
        kind = schema.get("type")
        known = [each for each in _WORDS.get(name, ()) if _fits(each, kind)]
        if known and self.chance.random() < _KNOWN:
            return self.chance.choice(known)
        makers: dict[Any, Callable[[], Any]] = {
            "object": lambda: self.of_object(schema, depth),
            "array": lambda: self._array(name, schema, depth),
            "integer": lambda: self._number(schema),
            "number": lambda: self._number(schema),
            "boolean": lambda: self.chance.random() < 0.5,
        }
        return makers.get(kind, lambda: self.chance.choice(_ANY_TEXT))()

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while True:
            if "$ref" in schema:
                schema = self.defs[schema["$ref"].rpartition("/")[2]]
            elif "anyOf" in schema or "oneOf" in schema:
                among = schema.get("anyOf") or schema["oneOf"]
                schema = self.chance.choice([each for each in among if each.get("type") != "null"])
            else:
                return schema

    def _array(self, name: str, schema: Mapping[str, Any], depth: int) -> list[Any]:
        items = schema.get("items") or (schema.get("prefixItems") or [{}])[0]
        count = max(schema.get("minItems", 0), self.chance.choice((1, 1, 2)))
        return [self.value(name, items, depth - 1) for _ in range(count)]

    def _number(self, schema: Mapping[str, Any]) -> int:
        low = max(int(schema.get("minimum", 0)), -_MOST_NUMBER)
        high = min(int(schema.get("maximum", _MOST_NUMBER)), _MOST_NUMBER)
        return self.chance.randint(low, max(low, high))


def _likely(name: str) -> float:
    return 0.5 if name in {"selector", "ref", "text", "value"} else 0.12


def _fits(value: Any, kind: Any) -> bool:
    kinds: dict[Any, type | tuple[type, ...]] = {
        "string": str,
        "integer": int,
        "number": (int, float),
        "object": dict,
    }
    return isinstance(value, kinds.get(kind, object))
