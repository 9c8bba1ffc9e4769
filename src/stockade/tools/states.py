"""What a session's browser knows as a whole: taken out, put in place, kept under a name."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import ArtifactNotFound, Missing
from stockade.files.states import Kind, State
from stockade.kernel.arguments import InSession
from stockade.kernel.call import Call
from stockade.kernel.downloads import link_to
from stockade.kernel.instant import instant
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import read_saved, save, saved
from stockade.kernel.tool import tool
from stockade.page.storage_state import (
    Dumped,
    InsteadOf,
    StorageState,
    dump,
    inject,
    read_state,
)
from stockade.policy.capabilities import Capability
from stockade.sessions.manager import DEFAULT_SESSION
from stockade.sessions.provenance import Provenance
from stockade.tools.content import MOST_INLINE, fits
from stockade.tools.cookies import CookieRow

__all__ = [
    "auth_delete",
    "auth_list",
    "auth_load",
    "auth_save",
    "dump_storage_state",
    "inject_storage_state",
    "profile_restore",
    "profile_snapshot",
]

_LITTLE = 3000
_LONGEST = 60_000_000
_MOST_TOKENS = 60_000
_ADDRESS = "stockade://"

_Name = Annotated[str, Field(min_length=1, max_length=100)]
_Profile = Annotated[str, Field(min_length=1, max_length=80)]


class DumpState(InSession):
    """What to take out, and where to."""

    path: Annotated[str | None, Field(max_length=1000)] = None
    indexed_db: Annotated[bool, Field(alias="indexedDB")] = True


class InjectState(InSession):
    """What to put in place."""

    state: Annotated[
        dict[str, Any] | Annotated[str, Field(max_length=_LONGEST)],
        Field(description="as dump_storage_state gives it, or the path of such a file"),
    ]
    mode: Literal["replace", "merge"] = "replace"


class Slot(InSession):
    """The name of a kept state."""

    name: _Name


class ForgetSlot(InSession):
    """Which name, and of what."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    kind: Annotated[
        Literal["auth", "snapshot"], Field(description="a snapshot is named profile~snapshot")
    ] = "auth"


class Slots(InSession):
    """The caller's own."""


class Snapshot(InSession):
    """The name of a snapshot, and of the profile that it is of."""

    snapshot: _Name
    profile: _Profile = "default"


class KeptItem(TypedDict):
    """An item of local storage."""

    name: str
    value: str


class OriginState(TypedDict):
    """What one origin keeps."""

    origin: str
    localStorage: list[KeptItem]
    indexedDB: NotRequired[list[dict[str, Any]]]


class BrowserState(TypedDict):
    """Cookies and storage, in the form of Playwright's storageState."""

    cookies: list[CookieRow]
    origins: list[OriginState]


class StateDump(TypedDict):
    """What was found: inline where it fits, and in a file where it was asked for or does not."""

    ok: bool
    cookies: int
    origins: int
    databases: int
    state: NotRequired[BrowserState]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]
    withheld: NotRequired[int]
    """How many cookies and origins belong to sites that the session may not show."""
    warnings: NotRequired[list[str]]


class StateInjected(TypedDict):
    """What was put in place."""

    ok: bool
    mode: str
    cookies: int
    origins: int
    withheld: NotRequired[int]
    warnings: NotRequired[list[str]]


class SlotRow(TypedDict):
    """A kept state."""

    name: str
    path: str
    bytes: int
    modifiedAt: str
    owner: NotRequired[str]
    """The key that saved it, if that is another."""


class SlotSaved(SlotRow):
    """A state that was kept."""

    ok: bool
    cookies: int
    origins: int
    withheld: NotRequired[int]
    warnings: NotRequired[list[str]]


class SlotLoaded(StateInjected):
    """A kept state that was put in place."""

    name: str


class SlotDeleted(TypedDict):
    """Whether there was something to forget."""

    ok: bool
    name: str
    deleted: bool


class SlotList(TypedDict):
    """The kept states, and the snapshots of profiles."""

    ok: bool
    count: int
    slots: list[SlotRow]
    snapshots: list[SlotRow]


class SnapshotTaken(SlotSaved):
    """A snapshot that was kept."""

    snapshot: str
    profile: str


class SnapshotRestored(StateInjected):
    """A snapshot that was put in place."""

    snapshot: str
    profile: str


def _row(call: Call, state: State) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": state.name,
        "path": state.name,
        "bytes": state.size,
        "modifiedAt": instant(state.modified_at),
    }
    if state.owner != call.principal.id:
        row["owner"] = state.owner
    return row


def _beside(withheld: int, warnings: list[str]) -> dict[str, Any]:
    beside: dict[str, Any] = {}
    if withheld:
        beside["withheld"] = withheld
    if warnings:
        beside["warnings"] = warnings
    return beside


async def _dumped(call: Call, *, databases: bool = True) -> Dumped:
    context = await call.session.started()
    return await dump(context, call.policy, databases=databases, left=lambda: call.left)


def _counts(dumped: Dumped) -> dict[str, int]:
    return {"cookies": len(dumped.state["cookies"]), "origins": len(dumped.state["origins"])}


async def _injected(call: Call, state: StorageState, instead_of: InsteadOf) -> dict[str, Any]:
    context = await call.session.started()
    done = await inject(context, call.policy, state, instead_of=instead_of, left=lambda: call.left)
    return {
        "ok": True,
        "mode": "merge" if instead_of == "nothing" else "replace",
        "cookies": done.cookies,
        "origins": done.origins,
        **_beside(done.withheld, done.warnings),
    }


async def _keep(call: Call, kind: Kind, name: str) -> dict[str, Any]:
    """Save what the session knows under a name."""
    dumped = await _dumped(call)
    provenance = call.session.parts.of(Provenance, Provenance)
    content = compact({**dumped.state, "altered": provenance.marks}).encode("utf-8", "replace")
    state = await asyncio.to_thread(call.kernel.states.save, kind, call.principal, name, content)
    return {
        "ok": True,
        **_row(call, state),
        **_counts(dumped),
        **_beside(dumped.withheld, dumped.warnings),
    }


async def _kept(call: Call, kind: Kind, name: str) -> StorageState:
    content = await asyncio.to_thread(call.kernel.states.load, kind, call.principal, name)
    state = read_state(content)
    call.session.parts.of(Provenance, Provenance).take_over(state.altered)
    return state


@tool(Capability.READ, gives=StateDump, toolset="storage", reach="session", reads=True)
async def dump_storage_state(call: Call, args: DumpState) -> Result:
    """Take out cookies, local storage and databases of all origins. They are untrusted."""
    dumped = await _dumped(call, databases=args.indexed_db)
    data: dict[str, Any] = {"ok": True, **_counts(dumped), "databases": dumped.databases}
    data |= _beside(dumped.withheld, dumped.warnings)
    room = MOST_INLINE if args.path is None else _LITTLE
    inline = {"state": dumped.state} if fits(dumped.state, room) else {}
    links: tuple[Any, ...] = ()
    if args.path is not None or not inline:
        content = json.dumps(dumped.state, ensure_ascii=False, indent=1)
        kept = await save(
            call, content.encode("utf-8", "replace"), path=args.path, default="storage-state.json"
        )
        data |= saved(call, kept)
        links = (link_to(kept),)
    return Result(data={**data, **inline}, source="storage", links=links, tokens=_MOST_TOKENS)


@tool(
    Capability.ACTION,
    gives=StateInjected,
    toolset="storage",
    reach="session",
    destructive=True,
    idempotent=True,
    alters="session",
)
async def inject_storage_state(call: Call, args: InjectState) -> dict[str, Any]:
    """Put a storage state in place of what the session's browser knows, or merge it in."""
    given: Any = args.state
    if isinstance(given, str) and given.startswith(_ADDRESS):
        kept = call.kernel.artifacts.find(call.kernel.sessions, call.principal, given)
        try:
            given = await asyncio.to_thread(kept.path.read_bytes)
        except FileNotFoundError:
            raise ArtifactNotFound("the file has just been removed") from None
    elif isinstance(given, str) and not given.lstrip().startswith("{"):
        given = await read_saved(call, given, earlier=True)
    return await _injected(
        call, read_state(given), "named" if args.mode == "replace" else "nothing"
    )


@tool(Capability.ACTION, gives=SlotSaved, toolset="storage", reach="session", idempotent=True)
async def auth_save(call: Call, args: Slot) -> dict[str, Any]:
    """Keep the session's logins and storage under a name, encrypted, for later sessions."""
    return await _keep(call, "slots", args.name)


@tool(
    Capability.ACTION,
    gives=SlotLoaded,
    toolset="storage",
    reach="session",
    destructive=True,
    idempotent=True,
)
async def auth_load(call: Call, args: Slot) -> dict[str, Any]:
    """Put what auth_save kept in place of the session's logins and storage."""
    state = await _kept(call, "slots", args.name)
    return {"name": args.name, **await _injected(call, state, "everything")}


@tool(
    Capability.ACTION,
    gives=SlotDeleted,
    toolset="storage",
    reach="server",
    destructive=True,
    idempotent=True,
)
async def auth_delete(call: Call, args: ForgetSlot) -> dict[str, Any]:
    """Forget what auth_save kept, or a snapshot."""
    kind: Kind = "slots" if args.kind == "auth" else "snapshots"
    try:
        await asyncio.to_thread(call.kernel.states.delete, kind, call.principal, args.name)
    except Missing:
        return {"ok": True, "name": args.name, "deleted": False}
    return {"ok": True, "name": args.name, "deleted": True}


@tool(Capability.READ, gives=SlotList, toolset="storage", reach="server", reads=True)
async def auth_list(call: Call, args: Slots) -> Result:
    """List what auth_save and profile_snapshot kept."""
    del args
    states = call.kernel.states
    slots = await asyncio.to_thread(states.all, "slots", call.principal)
    snapshots = await asyncio.to_thread(states.all, "snapshots", call.principal)
    data = {
        "ok": True,
        "count": len(slots),
        "slots": [_row(call, each) for each in slots],
        "snapshots": [_row(call, each) for each in snapshots],
    }
    return Result(data=data, tokens=_MOST_TOKENS)


@tool(Capability.HUMAN, gives=SnapshotTaken, toolset="storage", reach="session", idempotent=True)
async def profile_snapshot(call: Call, args: Snapshot) -> dict[str, Any]:
    """Keep the session's cookies, local storage and databases as a snapshot of a profile."""
    session = call.session
    own = {DEFAULT_SESSION, session.name, session.options.profile}
    if args.profile not in own and not await asyncio.to_thread(
        call.kernel.profiles.exists, call.principal, args.profile
    ):
        raise ArtifactNotFound(
            "there is no profile of that name",
            hint="`open_session` with mode persistent makes one; `auth_save` keeps any state.",
        )
    kept = await _keep(call, "snapshots", f"{args.profile}~{args.snapshot}")
    return {**kept, "snapshot": args.snapshot, "profile": args.profile}


@tool(
    Capability.HUMAN,
    gives=SnapshotRestored,
    toolset="storage",
    reach="session",
    destructive=True,
    idempotent=True,
)
async def profile_restore(call: Call, args: Snapshot) -> dict[str, Any]:
    """Put a snapshot in place of what the session's browser knows."""
    state = await _kept(call, "snapshots", f"{args.profile}~{args.snapshot}")
    done = await _injected(call, state, "everything")
    return {**done, "snapshot": args.snapshot, "profile": args.profile}
