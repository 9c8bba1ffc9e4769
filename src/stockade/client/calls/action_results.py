"""What every action gives. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Failure(TypedDict):
    """Whose doing a failure is."""

    source: Literal['app', 'stockade', 'caller', 'unknown']
    kind: NotRequired[str]
    text: NotRequired[str]
    origin: NotRequired[str]
    handledAs: NotRequired[str]
    count: NotRequired[int]


class Done(TypedDict):
    """What was done; a result tells of it only the element that a selector or name meant."""

    type: NotRequired[str]
    ref: NotRequired[str]
    selector: NotRequired[str]
    url: NotRequired[str]
    target: NotRequired[str]


Movement = TypedDict("Movement", {
    "changed": Literal[True],
    "kind": Literal['full_load', 'spa', 'hash'],
    "from": NotRequired[str],
    "to": NotRequired[str],
})
"""Where the tab went; left out where it stayed."""


class SnapshotDelta(TypedDict):
    """What the page looks like now, as far as it changed or as it was asked for."""

    mode: NotRequired[Literal['full']]
    tree: NotRequired[str]
    truncated: NotRequired[Literal[True]]
    continuation: NotRequired[str]


class Region(TypedDict):
    """A part of the page that came or went as a whole."""

    role: str
    name: NotRequired[str]
    ref: NotRequired[str]


class NewTab(TypedDict):
    """A tab that the page opened."""

    tab: str
    url: str
    title: str


class Structure(TypedDict):
    """What came and went."""

    appeared: NotRequired[list[Region]]
    removed: NotRequired[list[Region]]
    newTabs: NotRequired[list[NewTab]]
    closedTabs: NotRequired[list[str]]


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


class Hit(TypedDict):
    """What input at a bare point met."""

    before: NotRequired[Spot | None]
    after: NotRequired[Spot | None]
    focusChanged: NotRequired[bool]


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


class Element(TypedDict):
    """An element after an action; its states (`expanded`, `selected`, …) stand beside these."""

    ref: NotRequired[str]
    stillAttached: NotRequired[bool]
    focused: NotRequired[bool]
    checked: NotRequired[bool | Literal['mixed']]
    value: NotRequired[str | None]
    valueRequested: NotRequired[str]
    displayText: NotRequired[str]
    ownerControl: NotRequired[OwnerControl]
    container: NotRequired[Container]
    hit: NotRequired[Hit]
    scroll: NotRequired[Scrolled]


class Dialog(TypedDict):
    """A JavaScript dialog, and what became of it."""

    kind: str
    message: str
    defaultValue: NotRequired[str]
    handledAs: str


class PermissionRequest(TypedDict):
    """A permission that a page asked for."""

    permission: str
    origin: str
    handledAs: str


class ShownNotification(TypedDict):
    """A notification that a page showed, to nobody."""

    title: str
    body: NotRequired[str]
    icon: NotRequired[str]
    tag: NotRequired[str]
    timestamp: float
    origin: str
    handledAs: str


class PickerRequest(TypedDict):
    """Files that a page asked for, or a place to save one."""

    api: str
    suggestedName: NotRequired[str]
    origin: str
    handledAs: str
    saved: NotRequired[list[str]]


class Downloaded(TypedDict):
    """A file the page sent."""

    id: str
    suggestedFilename: str
    mimeType: NotRequired[str]
    sizeBytes: int
    state: str
    uri: NotRequired[str]
    path: NotRequired[str]
    problem: NotRequired[str]


class Console(TypedDict):
    """What the page complained of."""

    errors: NotRequired[list[str]]
    warnings: NotRequired[int]


class RequestRow(TypedDict):
    """One request."""

    method: str
    url: str
    status: NotRequired[int]
    type: str
    failure: NotRequired[str]


class Mutation(TypedDict):
    """A request that may have changed something on the other side."""

    method: str
    urlPattern: str
    status: NotRequired[int]
    ok: bool
    failure: NotRequired[str]
    responseShape: NotRequired[list[str]]
    times: NotRequired[int]


class Summary(TypedDict):
    """How many requests there were."""

    total: int
    byType: dict[str, int]
    failed: int


class Network(TypedDict):
    """What went over the line, as far as it failed or may have changed something."""

    requests: NotRequired[list[RequestRow]]
    mutations: NotRequired[list[Mutation]]
    summary: NotRequired[Summary]
    wsTotal: NotRequired[int]
    egressOffAllowlist: NotRequired[int]


class ActionResult(Beside):
    """The result of every action."""

    ok: bool
    error: NotRequired[str]
    code: NotRequired[str]
    retryable: NotRequired[bool]
    hint: NotRequired[str]
    failure: NotRequired[Failure]
    action: NotRequired[Done]
    navigation: NotRequired[Movement]
    snapshotDelta: NotRequired[SnapshotDelta]
    structure: NotRequired[Structure]
    element: NotRequired[Element]
    elements: NotRequired[list[Element]]
    settled: NotRequired[Literal[False]]
    pending: NotRequired[list[str]]
    warnings: NotRequired[list[str]]
    dialogs: NotRequired[list[Dialog]]
    permissionRequests: NotRequired[list[PermissionRequest]]
    notifications: NotRequired[list[ShownNotification]]
    fsPickerRequests: NotRequired[list[PickerRequest]]
    downloads: NotRequired[list[Downloaded]]
    pageErrors: NotRequired[list[str]]
    console: NotRequired[Console]
    network: NotRequired[Network]
    tokensEstimate: NotRequired[int]
