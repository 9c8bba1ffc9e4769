"""ActionResult: what an action did, with the evidence for it.

A field that has nothing to say is left out: no list is empty, and what did not change is not told.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from stockade.kernel.element_result import Element

__all__ = [
    "ActionResult",
    "Console",
    "Dialog",
    "Done",
    "Downloaded",
    "Failure",
    "Movement",
    "Mutation",
    "Network",
    "NewTab",
    "Region",
    "RequestRow",
    "SnapshotDelta",
    "Structure",
    "Summary",
]


class _Part(BaseModel):
    model_config: ClassVar[ConfigDict] = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, frozen=True
    )


class Done(_Part):
    """What was done; a result tells of it only the element that a selector or name meant."""

    type: str | None = None
    ref: str | None = None
    selector: str | None = None
    url: str | None = None
    target: str | None = None
    """The element in words."""


class Movement(_Part):
    """Where the tab went; left out where it stayed."""

    changed: Literal[True] = True
    kind: Literal["full_load", "spa", "hash"]
    start: str | None = Field(default=None, validation_alias="from", serialization_alias="from")
    """Left out, like `to`, where `final_url` says where it is."""
    to: str | None = None


class Region(_Part):
    """A part of the page that came or went as a whole."""

    role: str
    name: str | None = None
    ref: str | None = None


class NewTab(_Part):
    """A tab that the page opened."""

    tab: str
    url: str
    title: str


class Structure(_Part):
    """What came and went."""

    appeared: list[Region] | None = None
    removed: list[Region] | None = None
    new_tabs: list[NewTab] | None = None
    closed_tabs: list[str] | None = None


class Console(_Part):
    """What the page complained of."""

    errors: list[str] | None = None
    warnings: int | None = None
    """How many."""


class SnapshotDelta(_Part):
    """What the page looks like now, as far as it changed or as it was asked for."""

    mode: Literal["full"] | None = None
    """Said where `tree` is all of the page, and not what changed."""
    tree: str | None = None
    truncated: Literal[True] | None = None
    continuation: str | None = None


class Summary(_Part):
    """How many requests there were."""

    total: int = 0
    by_type: dict[str, int] = {}
    failed: int = 0


class RequestRow(_Part):
    """One request."""

    method: str
    url: str
    status: int | None = None
    type: str
    failure: str | None = None


class Mutation(_Part):
    """A request that may have changed something on the other side."""

    method: str
    url_pattern: str
    status: int | None = None
    ok: bool
    failure: str | None = None
    response_shape: list[str] | None = None
    """The keys of a small JSON answer, never its values."""
    times: int | None = None
    """How many there were that read like this, if more than one."""


class Network(_Part):
    """What went over the line, as far as it failed or may have changed something."""

    requests: list[RequestRow] | None = None
    """Those that failed; all of them are in network_read."""
    mutations: list[Mutation] | None = None
    summary: Summary | None = None
    """Where more failed, or may have changed something, than is shown."""
    ws_total: int | None = None
    """Messages of WebSockets and event streams; ws_read has them."""
    egress_off_allowlist: int | None = None


class Dialog(_Part):
    """A JavaScript dialog, and what became of it."""

    kind: str
    message: str
    default_value: str | None = None
    handled_as: str


class PermissionRequest(_Part):
    """A permission that a page asked for."""

    permission: str
    origin: str
    handled_as: str


class ShownNotification(_Part):
    """A notification that a page showed, to nobody."""

    title: str
    body: str | None = None
    icon: str | None = None
    tag: str | None = None
    timestamp: float
    origin: str
    handled_as: str


class PickerRequest(_Part):
    """Files that a page asked for, or a place to save one."""

    api: str
    suggested_name: str | None = None
    origin: str
    handled_as: str
    saved: list[str] | None = None
    """The files of the session that came of it."""


class Downloaded(_Part):
    """A file the page sent."""

    id: str
    suggested_filename: str
    mime_type: str | None = None
    size_bytes: int = 0
    state: str
    uri: str | None = None
    path: str | None = None
    problem: str | None = None


class Failure(_Part):
    """Whose doing a failure is."""

    source: Literal["app", "stockade", "caller", "unknown"]
    kind: str | None = None
    """What a page asked for, like the rest of these, where no list of the result tells of it."""
    text: str | None = None
    origin: str | None = None
    handled_as: str | None = None
    count: int | None = None


class ActionResult(_Part):
    """The result of every action."""

    ok: bool
    error: str | None = None
    code: str | None = None
    retryable: bool | None = None
    hint: str | None = None
    failure: Failure | None = None
    action: Done | None = None
    navigation: Movement | None = None
    snapshot_delta: SnapshotDelta | None = None
    structure: Structure | None = None
    element: Element | None = None
    elements: list[Element] | None = None
    settled: Literal[False] | None = None
    """Left out when all is quiet; false when something is still going on."""
    pending: list[str] | None = None
    warnings: list[str] | None = None
    dialogs: list[Dialog] | None = None
    permission_requests: list[PermissionRequest] | None = None
    notifications: list[ShownNotification] | None = None
    fs_picker_requests: list[PickerRequest] | None = None
    downloads: list[Downloaded] | None = None
    page_errors: list[str] | None = None
    console: Console | None = None
    network: Network | None = None
    tokens_estimate: int | None = None
    """Where the page did not fit into the budget."""
