"""The element of an action's result: what it is afterwards, and what is around it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict
from typing_extensions import TypedDict

__all__ = ["Element", "noteworthy"]

_USUAL = {"stillAttached": True, "focused": False, "value": None}
"""What is left out where it is so."""


class OwnerControl(TypedDict):
    """The control that an element belongs to, such as the combobox of an option."""

    label: str
    displayTextBefore: str
    displayTextAfter: str
    changed: bool


class Container(TypedDict):
    """The row, list item or article that an element stands in."""

    kind: str
    rowKey: str
    rowText: str
    changed: bool


class Spot(TypedDict):
    """What is at a point."""

    tag: str
    role: str | None
    text: str
    ancestorText: str


class Hit(TypedDict, total=False):
    """What input at a bare point met."""

    before: Spot | None
    after: Spot | None
    focusChanged: bool


class Scrolled(TypedDict):
    """How far something is scrolled, and how far it could be."""

    x: float
    y: float
    scrollWidth: float
    scrollHeight: float
    clientWidth: float
    clientHeight: float
    atTop: bool
    atBottom: bool


class Element(TypedDict, total=False):
    """An element after an action; its states (`expanded`, `selected`, …) stand beside these.

    Left out are `stillAttached` where it is, `focused` where it is not, `valueRequested` where it
    has that value, and an `ownerControl` or `container` that did not change.
    """

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]

    ref: str
    stillAttached: bool
    focused: bool
    checked: bool | Literal["mixed"]
    value: str | None
    valueRequested: str
    displayText: str
    ownerControl: OwnerControl
    container: Container
    hit: Hit
    scroll: Scrolled


def noteworthy(element: dict[str, Any]) -> dict[str, Any]:
    """What is worth saying of an element: not what is usual, nor what did not change."""
    told = {key: value for key, value in element.items() if value != _USUAL.get(key, ...)}
    if "value" in told:
        told.pop("displayText", None)
        if told["value"] == told.get("valueRequested"):
            del told["valueRequested"]
    for around in ("ownerControl", "container"):
        if around in told and not told[around]["changed"]:
            del told[around]
    return told
