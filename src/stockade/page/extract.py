"""Structured data from a page: found in the page, made into the wanted types here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from stockade.engines.port import DEADLINE
from stockade.page.agent import PageAgent
from stockade.page.numbers import read_number
from stockade.page.reach import inside, look, look_everywhere
from stockade.page.schema import Field, ListOf, ObjectOf, Plan, Value, plan_of
from stockade.page.truths import read_truth

__all__ = ["Evidence", "Extraction", "Failure", "Miss", "extract"]

_SCRIPT: Final = (
    "extract.js extract_kit.js extract_declared.js extract_pairs.js data_tables.js "
    "extract_records.js"
)
_PATIENCE: Final = 4000
_MOST_NOTES: Final = 100

Kind = Literal["missing", "type_mismatch", "enum_mismatch", "out_of_range", "too_few"]


class Miss(msgspec.Struct, frozen=True, omit_defaults=True):
    """A field that was not found, or held something else than was wanted."""

    path: str
    reason: str
    actual: str = ""


class Evidence(msgspec.Struct, rename="camel", omit_defaults=True):
    """Where the values are from."""

    refs_used: list[str] = msgspec.field(default_factory=list)
    selectors_used: list[str] = msgspec.field(default_factory=list)
    partial_misses: list[Miss] = msgspec.field(default_factory=list)
    sources: dict[str, str] = msgspec.field(default_factory=dict)
    inferred: list[str] = msgspec.field(default_factory=list)
    warnings: list[str] = msgspec.field(default_factory=list)


class Failure(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """Why there is no data."""

    source: Literal["app", "caller"]
    kind: Kind
    path: str
    expected: str
    actual: str
    partial_misses: list[Miss] = []


@dataclass(frozen=True)
class Extraction:
    """The data with its evidence, or the failure."""

    data: Any = None
    evidence: Evidence = field(default_factory=Evidence)
    failure: Failure | None = None


async def extract(
    agent: PageAgent,
    schema: Mapping[str, Any],
    *,
    caller: str,
    ref: str | None = None,
    timeout: float = DEADLINE,
) -> Extraction:
    """Fill `schema` from the tab, or from inside the element with that ref."""
    plan = plan_of(schema)
    asked: dict[str, Any] = {
        "caller": caller,
        "plan": msgspec.to_builtins(plan),
        "ms": _PATIENCE,
    }
    if ref is not None:
        frame, number = await inside(agent, ref, timeout=timeout)
        answers = [await look(agent, frame, _SCRIPT, timeout=timeout, scope=number, **asked)]
        warnings: list[str] = []
    else:
        parts, warnings = await look_everywhere(agent, _SCRIPT, timeout=timeout, **asked)
        answers = [part.said for part in parts if part.setting.actionable != "hidden"]
    result = answers[0]["result"]
    for other in answers[1:]:
        result = _merged(result, other["result"])
    maker = _Maker(answers[0]["lang"])
    maker.evidence.warnings += warnings
    try:
        data = maker.make(plan, result, "", required=True)
    except _Failed as failed:
        failure = msgspec.structs.replace(
            failed.failure, partial_misses=maker.evidence.partial_misses
        )
        return Extraction(evidence=maker.evidence, failure=failure)
    return Extraction(data, maker.evidence)


def _merged(first: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """What a frame found, completed by what another found."""
    if "fields" in first and "fields" in other:
        fields = {key: _merged(part, other["fields"][key]) for key, part in first["fields"].items()}
        return {**first, "fields": fields}
    return other if "missing" in first and "missing" not in other else first


class _Failed(Exception):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.kind)
        self.failure = failure


class _Mismatch(Exception):
    def __init__(self, kind: Kind, expected: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.expected = expected


class _Maker:
    """Makes data of what was found, and keeps account of it."""

    def __init__(self, language: str) -> None:
        self._language = language
        self.evidence = Evidence()

    def make(self, plan: Plan, found: dict[str, Any], path: str, *, required: bool) -> Any:
        self._note(found, path)
        if isinstance(plan, ObjectOf):
            return self._object(plan, found, path, required=required)
        if isinstance(plan, ListOf):
            return self._list(plan, found, path, required=required)
        return self._value(plan, found, path, required=required)

    def _object(self, plan: ObjectOf, found: dict[str, Any], path: str, *, required: bool) -> Any:
        if "missing" in found:
            return self._absent(found, path, "an object", required=required)
        return {
            each.key: self._field(each, found["fields"][each.key], f"{path}.{each.key}".lstrip("."))
            for each in plan.fields
        }

    def _field(self, each: Field, found: dict[str, Any], path: str) -> Any:
        made = self.make(each.node, found, path, required=each.required and not each.has_default)
        return each.default if made is None and each.has_default else made

    def _list(self, plan: ListOf, found: dict[str, Any], path: str, *, required: bool) -> Any:
        items = found["items"]
        if not items:
            if required and plan.least != 0:
                raise _Failed(self._failure("too_few", path, f"at least {plan.least} items", "0"))
            return self._absent(found, path, "items", required=required)
        if plan.most is not None:
            items = items[: plan.most]
        made = [
            self.make(plan.items, item, f"{path}[{number}]", required=False)
            for number, item in enumerate(items)
        ]
        if isinstance(plan.items, Value):
            made = [each for each in made if each is not None]
        if len(made) < plan.least:
            raise _Failed(
                self._failure("too_few", path, f"at least {plan.least} items", str(len(made)))
            )
        return made

    def _value(self, plan: Value, found: dict[str, Any], path: str, *, required: bool) -> Any:
        raw = found.get("raw")
        if "missing" in found or raw is None or raw == "":
            return self._absent(found, path, plan.type, required=required and not plan.nullable)
        try:
            return self._coerced(plan, raw, path)
        except _Mismatch as wrong:
            # What was pointed at and is something else is an error; what we found by ourselves
            # and does not fit was not it.
            pointed_at = plan.source is not None and not plan.nullable
            shown = _shown(raw)
            if required or pointed_at:
                raise _Failed(self._failure(wrong.kind, path, wrong.expected, shown)) from None
            self._miss(path, wrong.kind, shown)
            return None

    def _coerced(self, plan: Value, raw: Any, path: str) -> Any:
        value = self._typed(plan, raw, path)
        if plan.choices:
            folded = {str(each).casefold(): each for each in plan.choices}
            if value not in plan.choices:
                if str(value).casefold() not in folded:
                    raise _Mismatch("enum_mismatch", f"one of {list(plan.choices)}"[:300])
                value = folded[str(value).casefold()]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            low, high = plan.minimum, plan.maximum
            if (low is not None and value < low) or (high is not None and value > high):
                raise _Mismatch("out_of_range", f"{plan.type} from {low} to {high}")
        return value

    def _typed(self, plan: Value, raw: Any, path: str) -> Any:
        if plan.type == "any":
            return raw
        if plan.type == "string":
            return raw if isinstance(raw, str) else _shown(raw)
        if plan.type == "boolean":
            return _boolean(raw)
        if isinstance(raw, bool):
            raise _Mismatch("type_mismatch", plan.type)
        number = self._number(raw, plan.type, path) if isinstance(raw, str) else raw
        if plan.type == "number":
            return number
        if number != int(number):
            raise _Mismatch("type_mismatch", "integer")
        return int(number)

    def _number(self, raw: str, expected: str, path: str) -> float | int:
        read = read_number(raw, self._language)
        if read is None:
            raise _Mismatch("type_mismatch", expected)
        if read.doubtful:
            self._warn(f"{path}: {_shown(raw)!r} was read as {read.value}")
        return read.value

    # --- account --------------------------------------------------------------------------------

    def _absent(self, found: dict[str, Any], path: str, expected: str, *, required: bool) -> Any:
        reason = str(found.get("missing", "empty"))
        said = f"nothing ({reason})"
        if found.get("selector"):
            said += f" at {found['selector']}"
        if required:
            raise _Failed(self._failure("missing", path, expected, said[:300]))
        self._miss(path, reason, "")
        return None

    def _failure(self, kind: Kind, path: str, expected: str, actual: str) -> Failure:
        return Failure("app", kind, path or "(root)", expected, actual)

    def _miss(self, path: str, reason: str, actual: str) -> None:
        if len(self.evidence.partial_misses) < _MOST_NOTES:
            self.evidence.partial_misses.append(Miss(path or "(root)", reason, actual))

    def _warn(self, text: str) -> None:
        if len(self.evidence.warnings) < _MOST_NOTES and text not in self.evidence.warnings:
            self.evidence.warnings.append(text)

    def _note(self, found: dict[str, Any], path: str) -> None:
        """Where something is from; items of a list are told together."""
        general = _general(path) or "(root)"
        ref, selector = found.get("ref"), found.get("selector")
        if ref and ref not in self.evidence.refs_used:
            self.evidence.refs_used.append(ref)
        if "missing" in found:
            return
        if selector and selector not in self.evidence.selectors_used:
            self.evidence.selectors_used.append(selector)
        where = found.get("where") or selector
        if where and general not in self.evidence.sources:
            self.evidence.sources[general] = f"{found.get('from', 'selector')}: {where}"
        if found.get("inferred") and general not in self.evidence.inferred:
            self.evidence.inferred.append(general)
        if found.get("count"):
            self._warn(f"{general}: {found['count']} fit, the first was taken")
        if found.get("limited"):
            self._warn(f"{general}: {found['limited']}")


def _general(path: str) -> str:
    """The path with all items of a list as one."""
    out, inside_index = "", False
    for letter in path:
        if letter == "[":
            inside_index = True
            out += "[]"
        elif letter == "]":
            inside_index = False
        elif not inside_index:
            out += letter
    return out


def _boolean(raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    said = read_truth(str(raw))
    if said is None:
        raise _Mismatch("type_mismatch", "boolean")
    return said


def _shown(raw: Any) -> str:
    if isinstance(raw, bool):
        return "true" if raw else "false"
    return str(raw)[:300]
