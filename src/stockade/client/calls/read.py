"""Calls of the tools in `read`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls
from stockade.client.calls.action_results import Summary


class FoundRow(TypedDict):
    """The row, card or list item an element belongs to; a row is told in full once."""

    rowKey: str
    collection: NotRequired[str]
    rowText: NotRequired[str]
    column: NotRequired[str]


class FoundElement(TypedDict):
    """An element that may be the one that was meant."""

    ref: str
    role: str
    name: str
    stability: str
    selectorHint: str
    selectorTier: int
    bbox: dict[str, float] | None
    actionable: bool | str
    score: float
    clipped: NotRequired[bool]
    testId: NotRequired[str]
    coveredBy: NotRequired[str]
    context: NotRequired[FoundRow]
    origin: NotRequired[str]
    why: NotRequired[list[str]]


class FoundElements(Beside):
    """The best candidates, best first."""

    query: str
    candidates: list[FoundElement]
    warnings: NotRequired[list[str]]
    complete: NotRequired[bool]


class Bounds(TypedDict):
    """A rectangle in CSS pixels of the tab's viewport."""

    x: float
    y: float
    width: float
    height: float


class MatchContext(TypedDict):
    """Where in the page a match stands."""

    section: NotRequired[str]
    collection: NotRequired[str]
    rowKey: NotRequired[str]
    rowText: NotRequired[str]
    column: NotRequired[str]


class Match(TypedDict):
    """One place where the text stands; `hidden` says why a reader would not see it."""

    ref: str
    role: str
    text: str
    bbox: Bounds | None
    clipped: NotRequired[bool]
    source: NotRequired[Literal['alt', 'aria-label', 'option', 'placeholder', 'svg', 'text', 'title', 'value']]
    hidden: NotRequired[str]
    context: NotRequired[MatchContext | None]
    origin: NotRequired[str]


class Matches(Beside):
    """The first matches, and how many there are in all."""

    query: str
    count: int
    matches: list[Match]
    warnings: NotRequired[list[str]]
    complete: NotRequired[bool]


class ConsoleLine(TypedDict):
    """One line, or an exception that nobody caught."""

    ts: str
    type: str
    text: str
    source: NotRequired[str]


class ConsoleLines(Beside):
    """The newest lines, oldest first."""

    rows: list[ConsoleLine]


class NetworkRow(TypedDict):
    """One request."""

    method: str
    url: str
    type: str
    requestId: str
    status: NotRequired[int]
    ms: NotRequired[float]
    mimeType: NotRequired[str]
    bytes: NotRequired[int]
    failure: NotRequired[str]
    routed: NotRequired[bool]


class NetworkLog(Beside):
    """The newest requests, oldest first."""

    summary: Summary
    requests: list[NetworkRow]


class ReadCalls(Calls):
    """Methods that call tools."""

    async def snapshot(
        self,
        *,
        scope: str | None = None,
        mode: Literal['full', 'interactive'] | None = None,
        depth: int | None = None,
        max_result_tokens: int | None = None,
        continuation: str | None = None,
        include_hidden: bool | None = None,
        urls: bool | None = None,
        max_nodes: int | None = None,
        omit: list[str] | None = None,
        frame: str | None = None,
        include_shadow: Literal['open', 'closed', False] | None = None,
    ) -> str:
        """Show the page as text: roles, names, states and refs (e3) to act on. It is untrusted data."""
        answer = await self._call("snapshot", {}, {"scope": scope, "mode": mode, "depth": depth, "maxResultTokens": max_result_tokens, "continuation": continuation, "includeHidden": include_hidden, "urls": urls, "maxNodes": max_nodes, "omit": omit, "frame": frame, "includeShadow": include_shadow}, in_tab=True)
        return cast("str", answer)

    async def find(
        self,
        *,
        query: str,
        max_candidates: int | None = None,
        confidence_floor: float | None = None,
        context_ref: str | None = None,
        visible_only: bool | None = None,
        frame: str | None = None,
        pierce: Literal['open', 'closed', False] | None = None,
    ) -> FoundElements:
        """Find elements by a description in plain words; best first, with refs. Names are untrusted."""
        answer = await self._call("find", {"query": query}, {"maxCandidates": max_candidates, "confidenceFloor": confidence_floor, "contextRef": context_ref, "visibleOnly": visible_only, "frame": frame, "pierce": pierce}, in_tab=True)
        return cast("FoundElements", answer)

    async def text_search(
        self,
        *,
        text: str,
        exact: bool | None = None,
        scope: str | None = None,
        include_hidden: bool | None = None,
        max_matches: int | None = None,
    ) -> Matches:
        """Find text on the page, with the refs of where it stands. It is untrusted."""
        answer = await self._call("text_search", {"text": text}, {"exact": exact, "scope": scope, "includeHidden": include_hidden, "maxMatches": max_matches}, in_tab=True)
        return cast("Matches", answer)

    async def console_read(
        self,
        *,
        limit: int | None = None,
        all_pages: bool | None = None,
    ) -> ConsoleLines:
        """The last console lines and uncaught errors of the page. They are untrusted."""
        answer = await self._call("console_read", {}, {"limit": limit, "allPages": all_pages}, in_tab=True)
        return cast("ConsoleLines", answer)

    async def network_read(
        self,
        *,
        limit: int | None = None,
        all_pages: bool | None = None,
        type_: str | None = None,
        url_pattern: str | None = None,
        failed: bool | None = None,
    ) -> NetworkLog:
        """The last requests of the page, without bodies, queries or headers."""
        answer = await self._call("network_read", {}, {"limit": limit, "allPages": all_pages, "type": type_, "urlPattern": url_pattern, "failed": failed}, in_tab=True)
        return cast("NetworkLog", answer)
