"""Results: what a tool gives back, and the reply a surface makes of it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from itertools import islice
from typing import Any

import msgspec
from pydantic import BaseModel

from stockade.errors import StockadeError
from stockade.kernel.tokens import cost, cut, estimate
from stockade.media.picture import Picture
from stockade.page.views import stamped

__all__ = [
    "DEFAULT_TOKENS",
    "Link",
    "Reply",
    "Result",
    "compact",
    "fit",
    "plain",
    "warned",
]

DEFAULT_TOKENS = 4000
_MARKER_BYTES = 16
_SAID = {"truncated", "leftOut"}
_MOST_NAMED = 50
"""Places that are named where something was left out."""


@dataclass(frozen=True)
class Link:
    """Something larger that can be fetched by its address."""

    uri: str
    name: str
    mime_type: str
    size: int | None = None


@dataclass(frozen=True)
class Result:
    """What a tool gives back when it is more than data."""

    data: dict[str, Any] | None = None
    rows: list[dict[str, Any]] | None = None
    """A bare list in place of data."""
    text: str | None = None
    """Text in place of data, for results that are read rather than parsed."""
    page: str | None = None
    """What comes from a page, to be set apart from what is ours; its address is `source`."""
    source: str = ""
    images: tuple[Picture, ...] = ()
    links: tuple[Link, ...] = ()
    tokens: int = DEFAULT_TOKENS
    ok: bool = True
    verdict: bool = False
    """What is not `ok` is what was asked about, as a check does, and not the call."""
    aside: str = ""
    """What there is to say beside rows."""
    failure: dict[str, Any] | None = None
    """What makes it a failure, where there is no data that could say so."""
    evidence: dict[str, Any] | None = None
    """All that is known of the element, for the call that made this one within itself."""


@dataclass(frozen=True)
class Reply:
    """What every surface gets for every call: masked, and within its budget."""

    call: str
    ok: bool
    text: str
    data: dict[str, Any] | None = None
    aside: str = ""
    """What there is to say beside a bare list, which has no room for it."""
    images: tuple[Picture, ...] = ()
    links: tuple[Link, ...] = ()
    error: StockadeError | None = field(default=None, compare=False)
    structured: bool = False
    verdict: bool = False
    failure: dict[str, Any] | None = None
    """What makes text or a bare list a failure."""
    evidence: dict[str, Any] | None = None
    """For the call that made this one within itself: what it asks about and nobody is shown."""


def compact(value: Any) -> str:
    """JSON without spaces, in the characters it has."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """A model or struct as JSON values, under the names the outside knows."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return msgspec.to_builtins(value)


def page_block(text: str, source: str) -> str:
    """Page text between markers that the page cannot have guessed."""
    marker = secrets.token_urlsafe(_MARKER_BYTES)
    return f"<page {marker} {source}>\n{stamped(text, marker)}\n</page {marker}>"


def set_apart(data: dict[str, Any], source: str) -> dict[str, Any]:
    """The same for data: the first field and the last say what lies between them."""
    marker = secrets.token_urlsafe(_MARKER_BYTES)
    shown = data.get("snapshotDelta")
    if isinstance(shown, dict) and isinstance(shown.get("tree"), str):
        tree = stamped(shown["tree"], marker)
        data = {**data, "snapshotDelta": {**shown, "tree": tree}}
    return {"untrusted": f"{marker} {source}", **data, "end": marker}


def set_rows_apart(rows: list[dict[str, Any]], source: str) -> list[dict[str, Any]]:
    """The same for a bare list: the first field of its first row, and the last of its last."""
    if not rows:
        return rows
    marker = secrets.token_urlsafe(_MARKER_BYTES)
    marked = [{"untrusted": f"{marker} {source}", **rows[0]}, *rows[1:]]
    return [*marked[:-1], {**marked[-1], "end": marker}]


def fit(data: dict[str, Any], tokens: int) -> dict[str, Any]:
    """`data` cut to its budget: the longest lists lose their ends, then the longest texts.

    The cost grows with the size of the data, however many lists and texts have to be cut.
    """
    if estimate(compact(data)) <= tokens:
        return data
    data = msgspec.to_builtins(data)
    parts = _measured(data)
    heaviest = [(-each.weight, number) for number, each in enumerate(parts) if each.weight > 1]
    heapify(heaviest)
    omitted: dict[str, int] = {}
    while heaviest and parts[0].tokens > tokens:
        weight, number = heappop(heaviest)
        part = parts[number]
        if part.gone or part.weight < 2:  # noqa: PLR2004
            continue
        if part.weight == -weight:
            omitted[part.path] = omitted.get(part.path, 0) + part.halve()
        heappush(heaviest, (-part.weight, number))
    data["truncated"] = True
    named = dict(islice(omitted.items(), _MOST_NAMED))
    data["leftOut"] = {path: count or "cut" for path, count in named.items()}
    if len(omitted) > len(named):
        data["leftOut"]["…"] = f"and in {len(omitted) - len(named)} more places"
    return data


def warned(reply: Reply, warnings: Sequence[str]) -> Reply:
    """A reply that says something more, where its kind has room for that."""
    if not warnings:
        return reply
    said = "; ".join(warnings)
    if reply.data is None:
        return replace(reply, text=f"[warning: {said}]\n{reply.text}")
    if set(reply.data) == {"rows"}:
        return replace(reply, aside=f"{reply.aside}; {said}".removeprefix("; "))
    before = reply.data.get("warnings")
    data = {**reply.data, "warnings": [*(before if isinstance(before, list) else ()), *warnings]}
    return replace(reply, data=data, text=compact(data))


# --- cutting --------------------------------------------------------------------------------------

_LONG = 80
"""Characters from which on a text is cut."""


@dataclass(slots=True, eq=False)
class _Part:
    """A part of a value, with what it costs as JSON."""

    path: str
    holder: Any
    key: Any
    cost: int
    parent: _Part | None
    parts: list[_Part] = field(default_factory=list)
    gone: bool = False

    @property
    def tokens(self) -> int:
        return -(-self.cost // 4)

    @property
    def weight(self) -> int:
        """How much there is to be gained by cutting it."""
        value = self.holder[self.key]
        if isinstance(value, list):
            return self.cost if len(value) > 1 else 0
        return len(value) // 2 if isinstance(value, str) and len(value) > _LONG else 0

    def halve(self) -> int:
        """Cut it, and say how many elements it lost."""
        value = self.holder[self.key]
        if isinstance(value, str):
            shorter = cut(value, estimate(value) // 2)
            self._shrink(cost(compact(value)) - cost(compact(shorter)))
            self.holder[self.key] = shorter
            return 0
        kept = len(value) // 2
        lost = self.parts[kept:]
        self.holder[self.key], self.parts = value[:kept], self.parts[:kept]
        # With each goes its comma.
        self._shrink(sum(each.cost + 1 for each in lost))
        while lost:
            each = lost.pop()
            each.gone = True
            lost += each.parts
        return len(value) - kept

    def _shrink(self, by: int) -> None:
        part: _Part | None = self
        while part is not None:
            part.cost -= by
            part = part.parent


def _measured(data: dict[str, Any]) -> list[_Part]:
    """Every part of a value, each after what holds it."""
    parts = [_Part("", {"": data}, "", 0, None)]
    for part in parts:
        value = part.holder[part.key]
        if isinstance(value, list):
            keys: Iterable[Any] = range(len(value))
        elif isinstance(value, dict):
            keys = (
                value if part.parent is not None else [each for each in value if each not in _SAID]
            )
        else:
            part.cost = cost(compact(value))
            continue
        named = isinstance(value, dict)
        for key in keys:
            path = f"{part.path}.{key}".removeprefix(".") if named else part.path
            part.parts.append(_Part(path, value, key, 0, part))
        part.cost = 2 + max(len(part.parts) - 1, 0)
        part.cost += sum(cost(compact(str(key))) + 1 for key in keys) if named else 0
        parts += part.parts
    for part in reversed(parts):
        if part.parent is not None:
            part.parent.cost += part.cost
    return parts
