"""The manual: the OpenAPI document as a page, without a script and without another server."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from stockade.surfaces.console.markup import Markup, joined, render

__all__ = ["kind_of", "written"]

Schema = dict[str, Any]


def written(document: Schema) -> Markup:
    """The whole document, a chapter for every tag."""
    chapters: defaultdict[str, list[Markup]] = defaultdict(list)
    for path, item in document["paths"].items():
        for method, operation in item.items():
            tag = operation["tags"][0]
            chapters[tag].append(_operation(document, method, path, operation))
    tags = [each for each in document["tags"] if each["name"] in chapters]
    return render(
        "manual",
        version=document["info"]["version"],
        about=document["info"]["description"],
        contents=joined(
            render("manual_entry", name=each["name"], anchor=_anchor(each["name"])) for each in tags
        ),
        chapters=joined(
            render(
                "manual_chapter",
                name=each["name"],
                anchor=_anchor(each["name"]),
                description=each["description"],
                operations=joined(chapters[each["name"]]),
            )
            for each in tags
        ),
    )


def _operation(document: Schema, method: str, path: str, operation: Schema) -> Markup:
    rows = joined(
        render("manual_row", name=name, where=where, kind=kind, needed=needed, words=words)
        for name, where, kind, needed, words in _inputs(document, operation)
    )
    return render(
        "manual_operation",
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation.get("summary", ""),
        description=operation.get("description", ""),
        inputs=render("manual_inputs", rows=rows) if rows else Markup(),
        examples=joined(_examples(operation)),
        statuses=", ".join(operation["responses"]),
    )


def _inputs(document: Schema, operation: Schema) -> Iterator[tuple[str, str, str, str, str]]:
    """What an operation takes: its name, where it goes, its kind, whether it must, in words."""
    for given in operation.get("parameters", ()):
        each = _meant(document, given)
        yield (
            each["name"],
            each["in"],
            kind_of(document, each["schema"]),
            "yes" if each.get("required") else "",
            each.get("description", ""),
        )
    content = operation.get("requestBody", {}).get("content", {})
    schema = _meant(document, content.get("application/json", {}).get("schema", {}))
    for name, part in schema.get("properties", {}).items():
        needed = "yes" if name in schema.get("required", ()) else ""
        yield name, "body", kind_of(document, part), needed, part.get("description", "")


def kind_of(document: Schema, schema: Schema) -> str:
    """A schema in a word or two."""
    meant = _meant(document, schema)
    if "enum" in meant:
        return " | ".join(map(str, meant["enum"]))
    if "const" in meant:
        return str(meant["const"])
    choices = meant.get("anyOf") or meant.get("oneOf")
    if choices:
        kinds = [kind_of(document, each) for each in choices if each != {"type": "null"}]
        return " | ".join(dict.fromkeys(kinds))
    kind = meant.get("type", "any")
    if kind == "array":
        return f"list of {kind_of(document, meant.get('items', {}))}"
    return " | ".join(kind) if isinstance(kind, list) else str(kind)


def _meant(document: Schema, schema: Schema) -> Schema:
    """What a reference refers to."""
    target = schema.get("$ref")
    if not isinstance(target, str):
        return schema
    found: Any = document
    for step in target.removeprefix("#/").split("/"):
        found = found[step]
    return {**found, **{key: value for key, value in schema.items() if key != "$ref"}}


def _examples(operation: Schema) -> Iterator[Markup]:
    asked = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if "example" in asked:
        yield render("manual_example", title="Send", text=_shown(asked["example"]))
    for status in ("200", "201"):
        told = operation["responses"].get(status, {}).get("content", {})
        example = told.get("application/json", {}).get("example")
        if example is not None:
            yield render("manual_example", title="Get", text=_shown(example))


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _anchor(name: str) -> str:
    return "".join(each if each.isalnum() else "-" for each in name)
