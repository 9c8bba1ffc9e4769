"""Results: what a tool gives back, and the reply a surface makes of it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from pydantic import BaseModel

from stockade.errors import StockadeError
from stockade.kernel.tokens import cut, estimate
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
    """`data` cut to its budget: the longest lists lose their ends, then the longest texts."""
    if estimate(compact(data)) <= tokens:
        return data
    data = msgspec.to_builtins(data)
    omitted: dict[str, int] = {}
    while estimate(compact(data)) > tokens:
        path, holder, key, weight = _heaviest(data)
        if holder is None or weight < 2:  # noqa: PLR2004
            break
        part = holder[key]
        if isinstance(part, list):
            kept = len(part) // 2
            omitted[path] = omitted.get(path, 0) + len(part) - kept
            holder[key] = part[:kept]
        else:
            holder[key] = cut(part, estimate(part) // 2)
            omitted.setdefault(path, 0)
    data["truncated"] = True
    data["leftOut"] = {path: count or "cut" for path, count in omitted.items()}
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


def _heaviest(data: dict[str, Any]) -> tuple[str, Any, Any, int]:
    """The list or text that takes most room by itself, and where it is."""
    best: tuple[str, Any, Any, int] = ("", None, None, 0)
    pending: list[tuple[str, Any, Any]] = [(key, data, key) for key in data if key not in _SAID]
    while pending:
        path, holder, key = pending.pop()
        part = holder[key]
        if isinstance(part, list):
            weight = len(compact(part)) if len(part) > 1 else 0
            pending += [(path, part, index) for index in range(len(part))]
        elif isinstance(part, dict):
            weight = 0
            pending += [(f"{path}.{inner}", part, inner) for inner in part]
        elif isinstance(part, str) and len(part) > 80:  # noqa: PLR2004
            weight = len(part) // 2
        else:
            continue
        if weight > best[3]:
            best = (path, holder, key, weight)
    return best
