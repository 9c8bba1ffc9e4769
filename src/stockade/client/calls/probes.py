"""Calls of the tools in `probes`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class Bounds(TypedDict):
    """A rectangle in CSS pixels of the tab's viewport."""

    x: float
    y: float
    width: float
    height: float


class Overflowing(TypedDict):
    """Whether content is larger than its box."""

    x: bool
    y: bool


class Scroll(TypedDict):
    """How far an element is scrolled, and how far it could be."""

    scrollLeft: int
    scrollTop: int
    scrollWidth: int
    scrollHeight: int
    clientWidth: int
    clientHeight: int


class Brief(TypedDict):
    """An element in a few words."""

    ref: str
    tag: str
    role: NotRequired[str | None]
    name: NotRequired[str]
    box: NotRequired[Bounds | None]


class MatchContext(TypedDict):
    """Where in the page a match stands."""

    section: NotRequired[str]
    collection: NotRequired[str]
    rowKey: NotRequired[str]
    rowText: NotRequired[str]
    column: NotRequired[str]


class Inspection(Beside):
    """All that can be told about an element; what a secret field holds is never told."""

    found: bool
    ref: str
    tag: str
    role: str | None
    box: Bounds | None
    visible: bool
    actionable: bool | Literal['covered', 'disabled', 'hidden', 'off-screen']
    clickable: bool
    states: dict[str, Any]
    styles: dict[str, str]
    overflowing: Overflowing
    scroll: Scroll
    childCount: int
    attributes: dict[str, str]
    clickableAncestors: list[Brief]
    name: NotRequired[str]
    description: NotRequired[str]
    value: NotRequired[str | None]
    truncated: NotRequired[bool]
    text: NotRequired[str]
    visibleBox: NotRequired[Bounds | None]
    coveredBy: NotRequired[Brief | None]
    concealed: NotRequired[str]
    context: NotRequired[MatchContext | None]


class ProbesSpot(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class ScrollContainer(TypedDict):
    """The element that scrolls what was asked about."""

    scrollLeft: int
    scrollTop: int
    scrollWidth: int
    scrollHeight: int
    clientWidth: int
    clientHeight: int
    ref: str
    tag: str
    role: NotRequired[str | None]
    name: NotRequired[str]


class AtPoint(Beside):
    """What is at a point, top to bottom, through shadow roots and frames."""

    ok: bool
    point: ProbesSpot
    stack: list[Brief]
    scrollContainer: ScrollContainer | None
    clickableAncestor: Brief | None
    cropBase64: NotRequired[str]


class Overflow(TypedDict):
    """Content that does not fit its place."""

    ref: str
    tag: str
    selector: str
    bbox: Bounds
    type: Literal['clipped', 'layout', 'text-ellipsis', 'viewport-horizontal']
    evidence: str
    role: NotRequired[str | None]
    name: NotRequired[str]


class OverflowReport(Beside):
    """Content that does not fit its place, in document order."""

    ok: bool
    scope: str
    findings: list[Overflow]
    truncated: bool
    warnings: list[str]
    tokensEstimate: int


class Component(TypedDict):
    """One step of a locator."""

    kind: Literal['alt', 'css', 'frame', 'label', 'nth', 'placeholder', 'role', 'testid', 'text', 'title']
    value: str
    name: NotRequired[str]
    attribute: NotRequired[str]
    text: NotRequired[str]
    exact: NotRequired[bool]


class MadeLocator(Beside):
    """Ways to name an element: for Playwright, for tools here, and in CSS."""

    playwright: str
    playwrightPython: str
    stability: Literal['high', 'low', 'medium']
    tier: int
    components: list[Component]
    unique: bool
    selector: str
    css: str
    ok: bool
    tokensEstimate: int
    warnings: NotRequired[list[str]]


class ProbesCalls(Calls):
    """Methods that call tools."""

    async def inspect(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        styles: list[str] | None = None,
    ) -> Inspection:
        """Describe one element: box, styles, states, what covers it. Its text is untrusted."""
        answer = await self._call("inspect", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "styles": styles}, in_tab=True, target=target)
        return cast("Inspection", answer)

    async def point_probe(
        self,
        *,
        coords: Coordinates,
        crop: bool | None = None,
    ) -> AtPoint:
        """Say what is at a point, top to bottom, through frames. Names are untrusted."""
        answer = await self._call("point_probe", {"coords": coords}, {"crop": crop}, in_tab=True)
        return cast("AtPoint", answer)

    async def overflow_detect(
        self,
        *,
        scope: Literal['viewport', 'document'] | None = None,
        types: list[Literal['layout', 'clipped', 'text-ellipsis', 'viewport-horizontal']] | None = None,
        limit: int | None = None,
    ) -> OverflowReport:
        """Find content that is cut off, shortened or too wide. Names are untrusted."""
        answer = await self._call("overflow_detect", {}, {"scope": scope, "types": types, "limit": limit}, in_tab=True)
        return cast("OverflowReport", answer)

    async def generate_locator(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
    ) -> MadeLocator:
        """Make a Playwright locator that means this element alone. Names in it are untrusted."""
        answer = await self._call("generate_locator", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords}, in_tab=True, target=target)
        return cast("MadeLocator", answer)
