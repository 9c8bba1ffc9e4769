"""Names for elements and regions, so as to mean them again."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.values import Box
from stockade.errors import Missing, QuotaExceeded
from stockade.kernel.arguments import Arguments, InSession, OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.page.probe import inspect
from stockade.policy.capabilities import Capability
from stockade.sessions.names import NamedRef, Names
from stockade.tools.actions import required
from stockade.urls import origin_of

__all__ = ["list_named_refs", "name_ref", "name_region", "region"]

_MOST = 500
_Name = Annotated[str, Field(min_length=1, max_length=100)]


class NameRef(OptionalTarget):
    """Which element, and what to call it."""

    name: _Name


class Area(Arguments):
    """A rectangle of the viewport in CSS pixels."""

    x: float = Field(ge=-100_000, le=100_000)
    y: float = Field(ge=-100_000, le=100_000)
    width: float = Field(gt=0, le=100_000)
    height: float = Field(gt=0, le=100_000)


class NameRegion(InSession):
    """Which part of the viewport, and what to call it."""

    name: _Name
    box: Area


class Named(InSession):
    """Which name."""

    name: _Name


class BoxShape(TypedDict):
    """A rectangle in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Centre(TypedDict):
    """Its middle."""

    x: float
    y: float


class NamedElement(TypedDict):
    """An element with a name."""

    ok: bool
    name: str
    ref: str
    tab: str
    replaced: NotRequired[str]
    """The ref that had the name before."""


class NamedRow(TypedDict):
    """An element with a name, in a list."""

    name: str
    ref: str
    tab: str
    open: bool
    """Whether its tab still is."""


class RegionRow(TypedDict):
    """A region with a name, in a list."""

    name: str
    box: BoxShape


class NamedThings(TypedDict):
    """All names of the session."""

    ok: bool
    count: int
    refs: list[NamedRow]
    regions: list[RegionRow]


class NamedArea(TypedDict):
    """A region with a name."""

    ok: bool
    name: str
    box: BoxShape
    center: Centre


def _area(name: str, box: Box) -> dict[str, Any]:
    return {
        "ok": True,
        "name": name,
        "box": box._asdict(),
        "center": {"x": box.x + box.width / 2, "y": box.y + box.height / 2},
    }


def _names(call: Call) -> Names:
    return call.session.parts.of(Names, Names)


def _room(names: Names, name: str) -> None:
    if name not in {*names.refs, *names.regions} and len(names.refs) + len(names.regions) >= _MOST:
        raise QuotaExceeded(f"a session has room for {_MOST} names")


@tool(Capability.HUMAN, gives=NamedElement, toolset="web", idempotent=True)
async def name_ref(call: Call, args: NameRef) -> Result:
    """Give an element a name; tools then take `named` in place of its ref."""
    # A ref that means nothing any more gets no name.
    ref = required(call)
    await inspect(call.tab.agent, ref, caller=call.caller, timeout=call.left)
    names = _names(call)
    _room(names, args.name)
    before = names.refs.get(args.name)
    names.regions.pop(args.name, None)
    names.refs[args.name] = NamedRef(call.tab.id, ref)
    data = {"ok": True, "name": args.name, "ref": ref, "tab": call.tab.id}
    if before is not None and before.ref != ref:
        data["replaced"] = before.ref
    return Result(data=data, source=origin_of(call.tab.url))


@tool(Capability.READ, gives=NamedThings, reach="session", toolset="web", reads=True)
async def list_named_refs(call: Call, args: InSession) -> dict[str, Any]:
    """List the names given by name_ref and name_region."""
    del args
    names = _names(call)
    tabs = {tab.id for tab in call.session.tabs}
    return {
        "ok": True,
        "count": len(names.refs) + len(names.regions),
        "refs": [
            {"name": name, "ref": each.ref, "tab": each.tab, "open": each.tab in tabs}
            for name, each in names.refs.items()
        ],
        "regions": [{"name": name, "box": box._asdict()} for name, box in names.regions.items()],
    }


@tool(Capability.HUMAN, gives=NamedArea, reach="session", toolset="web", idempotent=True)
async def name_region(call: Call, args: NameRegion) -> dict[str, Any]:
    """Give a part of the viewport a name; tools that take coords then take `named`."""
    names = _names(call)
    _room(names, args.name)
    box = Box(args.box.x, args.box.y, args.box.width, args.box.height)
    names.refs.pop(args.name, None)
    names.regions[args.name] = box
    return _area(args.name, box)


@tool(Capability.HUMAN, gives=NamedArea, reach="session", toolset="web", reads=True)
async def region(call: Call, args: Named) -> dict[str, Any]:
    """Where a named region is, and its middle."""
    box = _names(call).regions.get(args.name)
    if box is None:
        raise Missing("no region has that name", hint="`list_named_refs` shows the names.")
    return _area(args.name, box)
