"""A trace as an archive that Playwright's trace viewer opens: calls, pictures, traffic, console.

The form is that of its version 7: `trace.trace` and `trace.network` with one JSON value in each
line, and what they speak of in `resources/`. Snapshots of documents are not in it.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

__all__ = ["Line", "Screen", "Traced", "TracedCall", "write_archive"]

_VERSION = 7
_LIBRARY = "stockade"
_CONSOLE = {"warn": "warning"}


@dataclass(frozen=True)
class TracedCall:
    """One call of a tool."""

    id: str
    tool: str
    arguments: dict[str, Any]
    tab: str
    started: float
    ended: float
    parent: str = ""
    error: str = ""


@dataclass(frozen=True)
class Screen:
    """A picture of a tab; its content is the resource of that name."""

    tab: str
    at: float
    width: int
    height: int
    resource: str


@dataclass(frozen=True)
class Line:
    """Something a page wrote to its console, or an error that nobody caught."""

    tab: str
    at: float
    level: str
    """`uncaught` for such an error."""
    text: str
    url: str
    line: int


@dataclass
class Traced:
    """Everything that is told of a session, moments in seconds since 1970."""

    title: str
    browser: str
    began: float
    viewport: tuple[int, int]
    calls: Sequence[TracedCall] = ()
    screens: Sequence[Screen] = ()
    lines: Sequence[Line] = ()
    exchanges: Sequence[dict[str, Any]] = field(default_factory=tuple)
    """Entries of a HAR archive; `_started` is when they began."""


def write_archive(file: BinaryIO, traced: Traced, resources: Iterable[tuple[str, bytes]]) -> None:
    """Write the archive; resources are added as they come."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        archive.writestr("trace.trace", _lines(_events(traced)))
        archive.writestr("trace.network", _lines(_network(traced)))
        written: set[str] = set()
        for name, content in resources:
            if name not in written:
                written.add(name)
                # Pictures are as small as they get.
                packed = zipfile.ZIP_STORED if name.endswith(".jpeg") else zipfile.ZIP_DEFLATED
                archive.writestr(f"resources/{name}", content, packed)


def _lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
        + b"\n"
        for row in rows
    )


def _events(traced: Traced) -> Iterator[dict[str, Any]]:
    yield _heading(traced)
    rows = [row for call in traced.calls for row in _call(call)]
    rows += [_console(line) for line in traced.lines]
    rows += [_screen(screen) for screen in traced.screens]
    yield from (row for _, row in sorted(rows, key=lambda each: each[0]))


def _heading(traced: Traced) -> dict[str, Any]:
    width, height = traced.viewport
    return {
        "version": _VERSION,
        "type": "context-options",
        "origin": "library",
        "libraryName": _LIBRARY,
        "browserName": "chromium",
        "channel": traced.browser,
        "options": {"viewport": {"width": width, "height": height}},
        "platform": "linux",
        "wallTime": _ms(traced.began),
        # Our only clock tells the time of day.
        "monotonicTime": _ms(traced.began),
        "sdkLanguage": "python",
        "contextId": "context@1",
        "title": traced.title,
    }


_Row = tuple[float, dict[str, Any]]


def _call(call: TracedCall) -> Iterator[_Row]:
    before: dict[str, Any] = {
        "type": "before",
        "callId": call.id,
        "stepId": call.id,
        "startTime": _ms(call.started),
        "apiName": call.tool,
        "class": "Page" if call.tab else "BrowserContext",
        "method": call.tool,
        "params": call.arguments,
    }
    if call.tab:
        before["pageId"] = _page(call.tab)
    if call.parent:
        before["parentId"] = call.parent
    yield call.started, before
    after: dict[str, Any] = {"type": "after", "callId": call.id, "endTime": _ms(call.ended)}
    if call.error:
        after["error"] = {"name": "Error", "message": call.error}
    # Never before its beginning, even if both are in the same moment.
    yield max(call.ended, call.started + 1e-6), after


def _screen(screen: Screen) -> _Row:
    return screen.at, {
        "type": "screencast-frame",
        "pageId": _page(screen.tab),
        "sha1": screen.resource,
        "width": screen.width,
        "height": screen.height,
        "timestamp": _ms(screen.at),
    }


def _console(line: Line) -> _Row:
    if line.level == "uncaught":
        return line.at, {
            "type": "event",
            "time": _ms(line.at),
            "class": "BrowserContext",
            "method": "pageError",
            "params": {"error": {"error": {"name": "Error", "message": line.text, "stack": ""}}},
            "pageId": _page(line.tab),
        }
    return line.at, {
        "type": "console",
        "time": _ms(line.at),
        "pageId": _page(line.tab),
        "messageType": _CONSOLE.get(line.level, line.level),
        "text": line.text,
        "args": [],
        "location": {"url": line.url, "lineNumber": line.line, "columnNumber": 0},
    }


def _network(traced: Traced) -> Iterator[dict[str, Any]]:
    for each in traced.exchanges:
        entry = {key: value for key, value in each.items() if key != "_started"}
        entry["_monotonicTime"] = _ms(each["_started"])
        yield {"type": "resource-snapshot", "snapshot": entry}


def _page(tab: str) -> str:
    return f"page@{tab}"


def _ms(at: float) -> float:
    return round(at * 1000, 3)
