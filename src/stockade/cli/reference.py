"""The reference pages, made from the code: `python -m stockade.cli.reference docs`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from stockade import errors
from stockade.aliases import ALIASES, COMPAT, Alias
from stockade.cli.describing import Argument, arguments_of, rows_of
from stockade.errors import StockadeError
from stockade.kernel import arguments
from stockade.kernel.action_result import ActionResult
from stockade.kernel.codes import CODES
from stockade.kernel.registry import Registry
from stockade.kernel.shapes import schema_of
from stockade.kernel.tool import Tool
from stockade.policy.capabilities import DANGEROUS, DEFAULT, Capability
from stockade.settings import describe, written
from stockade.tools import registry
from stockade.tools.examples import examples
from stockade.tools.toolsets import TOOLSETS

__all__ = ["PAGES", "errors_page", "settings_page", "tools_page", "write"]

_MADE = "<!-- Made by `make docs` from the code; changes here are lost. -->"
_SHARED: Final = (arguments.InSession, arguments.InTab, arguments.OptionalTarget,
                  arguments.OnTarget, arguments.ActionOptions)  # fmt: skip
_EXITS: Final = {
    0: "it worked",
    1: "`stockade doctor` found a problem",
    2: "the caller's doing: arguments or settings",
    3: "refused",
    4: "nothing of that name",
    5: "busy, or out of time; try again",
    6: "the page",
    7: "the server or its browser",
}


def settings_page() -> str:
    """Every setting."""
    rows = [
        (f"`{each.name}`", f"`{each.variable}`", _code(each.default), each.description)
        for each in describe()
    ]
    return _page(
        "Settings",
        "From the lowest to the highest: the defaults below, names of other systems and then\n"
        "`STOCKADE_*` in the environment, `stockade.toml` in the workspace (by the name in the\n"
        "first column), the command line.\n"
        "Lists are written with commas in the environment and as arrays in the file.\n"
        "`stockade doctor` names variables that look like settings and are none.",
        _table(("setting", "environment", "default", "what it is"), rows),
        "## Names of other systems",
        "They are read where ours are unset. `PROXY_*` means [proxies](proxies.md). What means\n"
        "nothing here is named when the server starts, and by `stockade doctor`.",
        _table(("environment", "setting", ""), [_alias_row(each) for each in ALIASES]),
        "`--compat` sets "
        + " and ".join(f"`{name}={written(value)}`" for name, value in COMPAT.items())
        + ",\nbelow everything that is set otherwise.",
    )


def _alias_row(alias: Alias) -> tuple[str, str, str]:
    units = {"ms": "in milliseconds", "MB": "in MiB", "hours": "in hours", "size": "1mb is 1 MiB"}
    said = "with `--compat` alone" if alias.compat else units.get(alias.unit, "")
    return f"`{alias.variable}`", f"`{alias.setting}`", said


def tools_page() -> str:
    """Every tool, by toolset."""
    tools = registry()
    parts = [
        (
            "Each tool is the same over MCP, over HTTP and on the command line (`stockade call`).\n"
            "What comes from a page is untrusted. It stands between `<page …>` markers, or in\n"
            "JSON between the fields `untrusted` and `end`, with a word that the page cannot guess."
        ),
        "## Toolsets",
        (
            "A client is shown `core` unless it names others: `--toolsets core,network` or `all`.\n"
            "What a toolset costs a model is its part of MCP's `tools/list`, here with every\n"
            "capability on."
        ),
        _table(("toolset", "tools", "bytes", "what it is for"), _toolset_rows(tools)),
        "## Arguments that many tools share",
        _table(("argument", "type", "default", "what it is"), map(_row, _shared_rows(tools))),
        "## Capabilities",
        "A tool behind a capability that is off is not listed, and refused when called.",
        _table(
            ("capability", "at first", "", "tools"),
            [
                (
                    f"`{each}`",
                    "on" if each in DEFAULT else "off",
                    DANGEROUS.get(each, ""),
                    ", ".join(f"[{tool.name}](#{tool.name})" for tool in _behind(tools, each)),
                )
                for each in Capability
                if any(_behind(tools, each))
            ],
        ),
    ]
    parts += [
        "## Action results",
        (
            "What every action gives, as JSON. All but `ok` is left out where it has nothing to\n"
            "say: no list is empty, and what did not change is not told. Tools add fields of\n"
            "their own. `mode` and `maxResultTokens` decide how much of the page is shown."
        ),
        _table(("field", "type", "what it is"), _result_rows()),
    ]
    for toolset in TOOLSETS:
        parts.append(f"## Toolset `{toolset}`")
        parts += [_tool(tool) for tool in tools if tool.toolset == toolset]
    return _page("Tools", *parts)


def errors_page() -> str:
    """Every error code, on every surface."""
    kinds = list(_kinds())
    rows = [
        (
            f"`{code}`",
            str(row.status),
            str(row.exit),
            "yes" if any(kind.retryable for kind in kinds if kind.code == code) else "",
            "; ".join(_meaning(kind) for kind in kinds if kind.code == code),
        )
        for code, row in CODES.items()
    ]
    shape = (
        '```json\n{"ok": false, "error": "what went wrong", "code": "stale_ref",\n'
        ' "retryable": false, "hint": "what to do", "failure": {"source": "app"}}\n```'
    )
    exits = [(str(number), meaning) for number, meaning in _EXITS.items()]
    return _page(
        "Errors",
        "Every surface tells an error in one shape. `failure.source` says whose doing it is:\n"
        "`caller`, `app` (the page), `stockade` or `unknown`. Facts about the error may follow.",
        shape,
        _table(("code", "HTTP status", "exit code", "worth a retry", "meaning"), rows),
        "## Exit codes",
        _table(("code", "meaning"), exits),
    )


PAGES: Final[dict[str, Callable[[], str]]] = {
    "errors.md": errors_page,
    "settings.md": settings_page,
    "tools.md": tools_page,
}


def write(folder: Path) -> None:
    """Write every page."""
    for name, page in PAGES.items():
        (folder / name).write_text(page(), encoding="utf-8")


# --- the parts ----------------------------------------------------------------------------------


def _tool(tool: Tool) -> str:
    shared = {name for model in _SHARED for name in _outer_names(model)}
    defined = _outer_names(tool.arguments) - _inherited(tool)
    own = [row for row in arguments_of(tool) if row.name in defined]
    also = [row.name for row in arguments_of(tool) if row.name in shared - defined]
    traits = [
        f"capability `{tool.capability}`" if tool.capability is not None else "no capability",
        f"works on a {tool.reach}" if tool.reach != "server" else "works on the server",
        *(["changes nothing"] if tool.reads else []),
        *(["destructive"] if tool.destructive else []),
        _gives(tool),
    ]
    lines = [f"### {tool.name}", tool.description, f"*{'; '.join(traits)}*"]
    if own:
        lines.append(_table(("argument", "type", "default", "what it is"), map(_row, own)))
    if also:
        lines.append("Shared: " + ", ".join(f"`{name}`" for name in also))
    example = examples().get(tool.name)
    if example is not None and example.shown.get("arguments"):
        given = json.dumps(example.shown["arguments"], ensure_ascii=False)
        lines.append(f"```json\n{given}\n```")
    return "\n\n".join(lines)


def _toolset_rows(tools: Registry) -> Iterator[tuple[str, ...]]:
    from stockade.surfaces.mcp.schemas import size_of

    sizes = {name: [size_of(tool) for tool in tools if tool.toolset == name] for name in TOOLSETS}
    for name, words in TOOLSETS.items():
        yield f"[`{name}`](#toolset-{name})", str(len(sizes[name])), f"{sum(sizes[name]):,}", words
    every = [size for each in sizes.values() for size in each]
    yield "`all`", str(len(every)), f"{sum(every):,}", "All of them."


def _gives(tool: Tool) -> str:
    """What a tool gives, by the names of its fields; those in brackets may be absent."""
    if tool.gives is str:
        return "gives text, within a token budget"
    if isinstance(tool.gives, type) and issubclass(tool.gives, ActionResult):
        own = set(tool.gives.model_fields) - set(ActionResult.model_fields)
        more = [f"`{tool.gives.model_fields[name].alias or name}`" for name in sorted(own)]
        return "gives an [action result](#action-results)" + (
            f" and {', '.join(more)}" if more else ""
        )
    schema = schema_of(tool.gives)
    required = set(schema.get("required", ()))
    names = [
        f"`{name}`" if name in required else f"(`{name}`)" for name in schema.get("properties", ())
    ]
    return f"gives {', '.join(names)}" if names else "gives a JSON object"


def _result_rows() -> Iterator[tuple[str, ...]]:
    schema = ActionResult.model_json_schema(by_alias=True, mode="serialization")
    for row in rows_of(schema):
        part = schema["properties"][row.name]
        inner = [each.get("$ref") for each in [part, *part.get("anyOf", ()), part.get("items", {})]]
        inner += [each.get("items", {}).get("$ref") for each in part.get("anyOf", ())]
        named = next((each.rpartition("/")[2] for each in inner if each), "")
        told = schema["$defs"][named].get("description", "") if named else ""
        yield f"`{row.name}`", _code(row.type), row.description or told


def _row(argument: Argument) -> tuple[str, ...]:
    default = "required" if argument.required else _code(argument.default)
    return f"`{argument.name}`", _code(argument.type), default, argument.description


def _shared_rows(tools: Registry) -> Iterator[Argument]:
    """The shared arguments that tools really have, each in the words of its group or its own."""
    seen = set()
    for model in _SHARED:
        users = [tool for tool in tools if issubclass(tool.arguments, model)]
        for row in arguments_of(users[0]) if users else ():
            if row.name in _outer_names(model) and row.name not in seen:
                seen.add(row.name)
                yield replace(row, description=row.description or _first_line(model))


def _inherited(tool: Tool) -> set[str]:
    """The names a tool's arguments take over from a shared group as they are."""
    names: set[str] = set()
    for model in _SHARED:
        if issubclass(tool.arguments, model):
            names |= _outer_names(model)
    for kind in tool.arguments.__mro__:
        if kind in _SHARED:
            break
        own = getattr(kind, "__annotations__", {})
        fields = tool.arguments.model_fields
        names -= {fields[name].alias or name for name in own if name in fields}
    return names


def _outer_names(model: type[Any]) -> set[str]:
    return {field.alias or name for name, field in model.model_fields.items()}


def _behind(tools: Registry, capability: Capability) -> list[Tool]:
    return [tool for tool in tools if tool.capability is capability]


def _kinds() -> Iterator[type[StockadeError]]:
    for value in vars(errors).values():
        if isinstance(value, type) and issubclass(value, StockadeError):
            yield value


def _meaning(kind: type[StockadeError]) -> str:
    if kind is StockadeError:
        return "An error without a code of its own"
    said = _first_line(kind).rstrip(".")
    return f"{said}. {kind.default_hint}" if kind.default_hint else said


def _first_line(kind: type[Any]) -> str:
    return (kind.__doc__ or "").partition("\n")[0]


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _table(head: tuple[str, ...], rows: Any) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |"
        for row in lines
    )


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([_MADE, f"# {title}", *parts]) + "\n"


if __name__ == "__main__":
    write(Path(sys.argv[1]))
