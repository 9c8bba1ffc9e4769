"""Calls of the tools in `names`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class NamedElement(Beside):
    """An element with a name."""

    ok: bool
    name: str
    ref: str
    tab: str
    replaced: NotRequired[str]


class NamedRow(TypedDict):
    """An element with a name, in a list."""

    name: str
    ref: str
    tab: str
    open: bool


class BoxShape(TypedDict):
    """A rectangle in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class RegionRow(TypedDict):
    """A region with a name, in a list."""

    name: str
    box: BoxShape


class NamedThings(Beside):
    """All names of the session."""

    ok: bool
    count: int
    refs: list[NamedRow]
    regions: list[RegionRow]


class Area(TypedDict):
    """A rectangle of the viewport in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Centre(TypedDict):
    """Its middle."""

    x: float
    y: float


class NamedArea(Beside):
    """A region with a name."""

    ok: bool
    name: str
    box: BoxShape
    center: Centre


class NamesCalls(Calls):
    """Methods that call tools."""

    async def name_ref(
        self,
        target: str | None = None,
        *,
        name: str,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
    ) -> NamedElement:
        """Give an element a name; tools then take `named` in place of its ref."""
        answer = await self._call("name_ref", {"name": name}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords}, in_tab=True, target=target)
        return cast("NamedElement", answer)

    async def list_named_refs(
        self,
    ) -> NamedThings:
        """List the names given by name_ref and name_region."""
        answer = await self._call("list_named_refs", {}, {}, in_tab=False)
        return cast("NamedThings", answer)

    async def name_region(
        self,
        *,
        name: str,
        box: Area,
    ) -> NamedArea:
        """Give a part of the viewport a name; tools that take coords then take `named`."""
        answer = await self._call("name_region", {"name": name, "box": box}, {}, in_tab=False)
        return cast("NamedArea", answer)

    async def region(
        self,
        *,
        name: str,
    ) -> NamedArea:
        """Where a named region is, and its middle."""
        answer = await self._call("region", {"name": name}, {}, in_tab=False)
        return cast("NamedArea", answer)
