"""The client's methods, written from the registry: `python -m stockade.cli.sdk.writing`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import stockade
from stockade.cli.sdk.types import Types
from stockade.kernel.action_result import ActionResult
from stockade.kernel.arguments import InSession, InTab, OptionalTarget
from stockade.kernel.shapes import schema_of
from stockade.kernel.tool import Tool
from stockade.tools import registry

__all__ = ["FOLDER", "modules", "write"]

_COMMON = "action_results"
_ACTION = "ActionResult"
FOLDER = Path(stockade.__file__).parent / "client" / "calls"
_HEAD = '''"""{about} Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls
{imports}
'''


def modules() -> dict[str, str]:
    """The source of every generated module, by its name."""
    families: dict[str, list[Tool]] = {}
    for tool in registry():
        families.setdefault(tool.run.__module__.rpartition(".")[2], []).append(tool)
    common = Types("Common")
    _named(ActionResult, _ACTION, common)
    found = {name: _module(name, tools, common) for name, tools in families.items()}
    head = _HEAD.format(about="What every action gives.", imports="").rstrip()
    shapes = "\n\n\n".join([head, *(each.rstrip() for each in common.sources())]) + "\n"
    return {**found, _COMMON: shapes, "__init__": _together(families)}


def write(folder: Path = FOLDER) -> None:
    """Write every module, and remove those that are no more."""
    made = modules()
    for path in folder.glob("*.py"):
        if path.stem not in made:
            path.unlink()
    for name, source in made.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")


def _module(name: str, tools: list[Tool], common: Types) -> str:
    types = Types(_camel(name), common)
    inside = [_method(each, types) for each in tools if each.reach != "server"]
    outside = [_method(each, types) for each in tools if each.reach == "server"]
    classes = [
        _class(f"{_camel(name)}{kind}", methods)
        for kind, methods in (("Calls", inside), ("ServerCalls", outside))
        if methods
    ]
    imports = ""
    if types.borrowed:
        imports = f"from stockade.client.calls.{_COMMON} import {', '.join(sorted(types.borrowed))}"
    parts = [_HEAD.format(about=f"Calls of the tools in `{name}`.", imports=imports).rstrip()]
    return "\n\n\n".join([*parts, *(each.rstrip() for each in types.sources()), *classes]) + "\n"


def _class(name: str, methods: list[str]) -> str:
    return f'class {name}(Calls):\n    """Methods that call tools."""\n\n' + "\n\n".join(methods)


def _together(families: dict[str, list[Tool]]) -> str:
    """What has the methods of all modules."""
    inside = [name for name, tools in families.items() if any(t.reach != "server" for t in tools)]
    outside = [name for name, tools in families.items() if any(t.reach == "server" for t in tools)]
    imports = []
    for name in sorted(families):
        wanted = [
            f"{_camel(name)}{kind}"
            for kind, names in (("Calls", inside), ("ServerCalls", outside))
            if name in names
        ]
        imports.append(f"from stockade.client.calls.{name} import {', '.join(wanted)}")
    bases = ",\n".join(f"    {_camel(name)}Calls" for name in inside)
    servers = ",\n".join(f"    {_camel(name)}ServerCalls" for name in outside)
    return "\n".join(
        [
            '"""Every tool as a method. Written by `make docs`; changes here are lost."""',
            "",
            "# ruff: noqa",
            "from __future__ import annotations",
            "",
            *imports,
            "",
            '__all__ = ["ServerCalls", "TabCalls"]',
            "",
            "",
            f"class TabCalls(\n{bases},\n):",
            '    """The tools that work in a session."""',
            "",
            "",
            f"class ServerCalls(\n{servers},\n):",
            '    """The tools that work outside of any."""',
            "",
        ]
    )


# --- one method ---------------------------------------------------------------------------------


def _method(tool: Tool, types: Types) -> str:
    parameters = list(_parameters(tool, types))
    targeted = issubclass(tool.arguments, OptionalTarget)
    head = ["self"]
    if targeted:
        head.append("target: str | None = None")
    head.append("*")
    head += [f"{name}: {kind}" for name, _, kind, must in parameters if must]
    head += [f"{name}: {_or_none(kind)} = None" for name, _, kind, must in parameters if not must]
    if head[-1] == "*":
        head.pop()
    gives = _gives(tool, types)
    must = _mapping((alias, name) for name, alias, _, needed in parameters if needed)
    may = _mapping((alias, name) for name, alias, _, needed in parameters if not needed)
    how = f"in_tab={issubclass(tool.arguments, InTab)}" + (", target=target" if targeted else "")
    return "\n".join(
        [
            f"    async def {_safe(tool.name)}(",
            *(f"        {each}," for each in head),
            f"    ) -> {gives}:",
            f'        """{tool.description}"""',
            f'        answer = await self._call("{tool.name}", {must}, {may}, {how})',
            f'        return cast("{gives}", answer)',
        ]
    )


def _mapping(pairs: Iterator[tuple[str, str]]) -> str:
    return "{" + ", ".join(f'"{key}": {value}' for key, value in pairs) + "}"


def _parameters(tool: Tool, types: Types) -> Iterator[tuple[str, str, str, bool]]:
    """Each argument: its name here, its name outside, its type, and whether it must be given."""
    schema = tool.arguments.model_json_schema(by_alias=True)
    shared = schema.get("$defs", {})
    required = set(schema.get("required", ()))
    hidden = set()
    if tool.reach != "server" and issubclass(tool.arguments, InSession):
        hidden.add("session")
    if issubclass(tool.arguments, InTab):
        hidden.add("tab")
    if issubclass(tool.arguments, OptionalTarget):
        # The first argument says it better.
        hidden.add("target")
    for name, field in tool.arguments.model_fields.items():
        alias = field.alias or name
        if name in hidden:
            continue
        kind = types.of(schema["properties"][alias], shared, _camel(f"{tool.name}_{name}"))
        yield _safe(name), alias, kind, alias in required


def _gives(tool: Tool, types: Types) -> str:
    if tool.gives is str:
        return "str"
    named = getattr(tool.gives, "__name__", _camel(tool.name))
    return _named(tool.gives, named, types)


def _named(gives: Any, named: str, types: Types) -> str:
    schema = schema_of(gives)
    shared: dict[str, Any] = schema.get("$defs", {})
    if "properties" not in schema:
        return types.of(schema, shared, named)
    own = {key: value for key, value in schema.items() if key != "$defs"}
    if gives is ActionResult or not (isinstance(gives, type) and issubclass(gives, ActionResult)):
        return types.dictionary(named, own, shared, base="Beside")
    types.borrowed.add(_ACTION)
    common = schema_of(ActionResult)["properties"]
    own["properties"] = {key: part for key, part in own["properties"].items() if key not in common}
    return types.dictionary(named, own, shared, base=_ACTION)


def _or_none(kind: str) -> str:
    return kind if re.search(r"(^|\| )None$", kind) else f"{kind} | None"


def _safe(name: str) -> str:
    return f"{name}_" if name in {"type", "from", "format_"} and name != "format" else name


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:]))
