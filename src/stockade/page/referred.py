"""Values of elements that a schema names by their refs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from stockade.engines.port import DEADLINE
from stockade.errors import InvalidArgument, StaleRef, TargetChanged
from stockade.page.agent import PageAgent
from stockade.page.numbers import read_number
from stockade.page.probe import Inspection, inspect
from stockade.page.truths import read_truth

__all__ = ["Referred", "referred", "wanted_of"]

_REF: Final = "x-ref"
_TYPES: Final = frozenset({"string", "number", "integer", "boolean"})
_MOST: Final = 200
_HOLDERS: Final = frozenset(
    {"combobox", "listbox", "searchbox", "slider", "spinbutton", "textbox", "meter", "progressbar"}
)
"""Roles of elements that are asked for what they hold."""


@dataclass(frozen=True)
class Wanted:
    """One property: what it is, and where."""

    name: str
    type: str
    refs: tuple[str, ...]
    many: bool
    required: bool


@dataclass(frozen=True)
class Referred:
    """The values, and which of those that had to be there are not."""

    data: dict[str, Any]
    missing: list[Wanted]


def wanted_of(schema: Mapping[str, Any]) -> list[Wanted]:
    """What a schema asks for; one that cannot be filled so is refused."""
    if schema.get("type") != "object":
        raise InvalidArgument("the schema must be of type object")
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        raise InvalidArgument("the schema needs properties")
    required = schema.get("required", [])
    if not isinstance(required, list) or len(properties) > _MOST:
        raise InvalidArgument(f"required is a list, and properties are at most {_MOST}")
    return [_wanted(str(name), part, name in required) for name, part in properties.items()]


def _wanted(name: str, part: Any, required: bool) -> Wanted:  # noqa: FBT001
    shown = name[:60]
    if not isinstance(part, Mapping):
        raise InvalidArgument(f"property {shown} must be an object")
    kind = part.get("type", "string")
    refs = part.get(_REF)
    many = kind == "array"
    if many:
        items = part.get("items", {"type": "string"})
        kind = items.get("type", "string") if isinstance(items, Mapping) else None
        refs = [] if refs is None else refs if isinstance(refs, list) else [refs]
    else:
        refs = [] if refs is None else [refs]
    if kind not in _TYPES:
        raise InvalidArgument(
            f"property {shown} must be a {', '.join(sorted(_TYPES))} or an array of them"
        )
    if not all(isinstance(each, str) for each in refs) or len(refs) > _MOST:
        raise InvalidArgument(f"property {shown}: {_REF} is a ref such as e3")
    return Wanted(name, kind, tuple(refs), many, required)


async def referred(
    agent: PageAgent, wanted: Sequence[Wanted], *, caller: str, timeout: float = DEADLINE
) -> Referred:
    """Read every property from the element that it names; what is not there is null."""
    data: dict[str, Any] = {}
    missing: list[Wanted] = []
    for each in wanted:
        found = [
            _typed(each.type, element)
            for ref in each.refs
            if (element := await _element(agent, ref, caller, timeout)) is not None
        ]
        known = [value for value in found if value is not None]
        data[each.name] = known if each.many else next(iter(known), None)
        if each.required and not known:
            missing.append(each)
    return Referred(data, missing)


async def _element(agent: PageAgent, ref: str, caller: str, timeout: float) -> Inspection | None:
    """An element as it is now, though it may not be as it was shown."""
    try:
        return await inspect(agent, ref, caller=caller, timeout=timeout)
    except StaleRef:
        return None
    except TargetChanged:
        return await inspect(agent, ref, caller=caller, timeout=timeout)


def _typed(kind: str, element: Inspection) -> Any:
    checked = element.states.get("checked")
    if kind == "boolean" and element.role in {"checkbox", "radio", "switch"}:
        return bool(checked)
    text = _told(element)
    if kind == "boolean":
        return read_truth(text)
    if kind == "string":
        return text or None
    number = read_number(text)
    if number is None or (kind == "integer" and number.value != int(number.value)):
        return None
    return int(number.value) if kind == "integer" else number.value


def _told(element: Inspection) -> str:
    if element.role in _HOLDERS:
        return (element.value or "").strip()
    return (element.name or element.text).strip()
