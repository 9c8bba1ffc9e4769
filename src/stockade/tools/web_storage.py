"""Local and session storage."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.port import Frame
from stockade.kernel.arguments import InTab
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.page.reach import named_frame
from stockade.page.storage import Work, origin_of_frame, work_in_frame
from stockade.policy.capabilities import Capability
from stockade.tools.content import whole
from stockade.urls import origin_of

__all__ = [
    "InFrame",
    "localstorage_clear",
    "localstorage_delete",
    "localstorage_get",
    "localstorage_list",
    "localstorage_set",
    "sessionstorage_clear",
    "sessionstorage_delete",
    "sessionstorage_get",
    "sessionstorage_list",
    "sessionstorage_set",
    "working",
]

Area = Literal["local", "session"]
_LONGEST = 12_000_000
_Key = Annotated[str, Field(max_length=_LONGEST)]


class InFrame(InTab):
    """The origin of the tab, or of one of its frames."""

    frame: Annotated[str | None, Field(max_length=20)] = None


class OneItem(InFrame):
    """Which item."""

    key: _Key


class SetItem(OneItem):
    """What it is to hold."""

    value: Annotated[str, Field(max_length=_LONGEST)]


class StoredItem(TypedDict):
    """One item; a large value is in a file."""

    ok: bool
    key: str
    value: NotRequired[str | None]
    origin: str
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class Entry(TypedDict):
    """A key and what it holds."""

    key: str
    value: str


class StoredItems(TypedDict):
    """All items by key; when they are too many, the rest is in a file."""

    ok: bool
    count: int
    entries: list[Entry]
    origin: str
    shown: NotRequired[int]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class ItemSet(TypedDict):
    """An item that was set."""

    ok: bool
    key: str
    origin: str


class ItemDeleted(ItemSet):
    """An item that is gone."""

    deleted: bool
    """Whether it was there."""


class ItemsCleared(TypedDict):
    """How many items are gone."""

    ok: bool
    cleared: int
    origin: str


class Working:
    """Work on the storage of one origin, which the policy admits."""

    def __init__(self, call: Call, frame: Frame, origin: str) -> None:
        self._call = call
        self._frame = frame
        self.origin = origin

    @property
    def base(self) -> str:
        """What relative addresses are relative to."""
        return self._frame.url if origin_of(self._frame.url) == self.origin else self.origin

    async def __call__(self, work: Work, **argument: Any) -> Any:
        """Do it."""
        return await work_in_frame(
            self._frame, work, self.origin, argument, timeout=self._call.left
        )


async def working(call: Call, args: InFrame) -> Working:
    """The storage that a call means."""
    agent = call.tab.agent
    frame = named_frame(agent, args.frame) if args.frame else call.tab.page.main_frame
    origin = await origin_of_frame(frame, timeout=call.left)
    call.policy.check_shown(origin)
    return Working(call, frame, origin)


async def _get(call: Call, args: OneItem, area: Area) -> Result:
    store = await working(call, args)
    value = await store("web_storage", area=area, action="get", key=args.key)
    data = {"ok": True, "key": args.key, "value": value, "origin": store.origin}
    return await whole(call, data, "value", default="storage-item.txt", source=store.origin)


async def _list(call: Call, args: InFrame, area: Area) -> Result:
    store = await working(call, args)
    entries = await store("web_storage", area=area, action="list")
    data = {"ok": True, "count": len(entries), "entries": entries, "origin": store.origin}
    return await whole(call, data, "entries", default=f"{area}-storage.json", source=store.origin)


async def _set(call: Call, args: SetItem, area: Area) -> dict[str, Any]:
    store = await working(call, args)
    await store("web_storage", area=area, action="set", key=args.key, value=args.value)
    return {"ok": True, "key": args.key, "origin": store.origin}


async def _delete(call: Call, args: OneItem, area: Area) -> dict[str, Any]:
    store = await working(call, args)
    deleted = await store("web_storage", area=area, action="delete", key=args.key)
    return {"ok": True, "key": args.key, "deleted": deleted, "origin": store.origin}


async def _clear(call: Call, args: InFrame, area: Area) -> dict[str, Any]:
    store = await working(call, args)
    cleared = await store("web_storage", area=area, action="clear")
    return {"ok": True, "cleared": cleared, "origin": store.origin}


@tool(Capability.READ, gives=StoredItem, toolset="storage", reads=True)
async def localstorage_get(call: Call, args: OneItem) -> Result:
    """Read one item of local storage. It is untrusted."""
    return await _get(call, args, "local")


@tool(Capability.READ, gives=StoredItems, toolset="storage", reads=True)
async def localstorage_list(call: Call, args: InFrame) -> Result:
    """List local storage. It is untrusted."""
    return await _list(call, args, "local")


@tool(Capability.ACTION, gives=ItemSet, toolset="storage", idempotent=True, alters="origin")
async def localstorage_set(call: Call, args: SetItem) -> dict[str, Any]:
    """Set an item of local storage."""
    return await _set(call, args, "local")


@tool(
    Capability.ACTION,
    gives=ItemDeleted,
    toolset="storage",
    destructive=True,
    idempotent=True,
)
async def localstorage_delete(call: Call, args: OneItem) -> dict[str, Any]:
    """Delete an item of local storage."""
    return await _delete(call, args, "local")


@tool(
    Capability.ACTION,
    gives=ItemsCleared,
    toolset="storage",
    destructive=True,
    idempotent=True,
)
async def localstorage_clear(call: Call, args: InFrame) -> dict[str, Any]:
    """Empty local storage."""
    return await _clear(call, args, "local")


@tool(Capability.READ, gives=StoredItem, toolset="storage", reads=True)
async def sessionstorage_get(call: Call, args: OneItem) -> Result:
    """Read one item of the tab's session storage. It is untrusted."""
    return await _get(call, args, "session")


@tool(Capability.READ, gives=StoredItems, toolset="storage", reads=True)
async def sessionstorage_list(call: Call, args: InFrame) -> Result:
    """List the tab's session storage. It is untrusted."""
    return await _list(call, args, "session")


@tool(Capability.ACTION, gives=ItemSet, toolset="storage", idempotent=True, alters="origin")
async def sessionstorage_set(call: Call, args: SetItem) -> dict[str, Any]:
    """Set an item of the tab's session storage."""
    return await _set(call, args, "session")


@tool(
    Capability.ACTION,
    gives=ItemDeleted,
    toolset="storage",
    destructive=True,
    idempotent=True,
)
async def sessionstorage_delete(call: Call, args: OneItem) -> dict[str, Any]:
    """Delete an item of the tab's session storage."""
    return await _delete(call, args, "session")


@tool(
    Capability.ACTION,
    gives=ItemsCleared,
    toolset="storage",
    destructive=True,
    idempotent=True,
)
async def sessionstorage_clear(call: Call, args: InFrame) -> dict[str, Any]:
    """Empty the tab's session storage."""
    return await _clear(call, args, "session")
