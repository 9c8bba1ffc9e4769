"""Databases that pages keep in the browser (IndexedDB).

Values and keys are JSON. Kinds that JSON lacks are tagged: `{"$date": "2026-01-31T12:00:00Z"}`,
`{"$binary": base64}` (with `type` for a typed array), `{"$bigint": "9"}`, `{"$map": [[k, v]]}`,
`{"$set": […]}`, `{"$undefined": true}`, `{"$number": "NaN"}`, `{"$regexp": …, "flags": …}`,
`{"$blob": {base64, type, name}}`; an object whose own fields begin with `$` stands in `$object`.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.tools.content import whole
from stockade.tools.web_storage import InFrame, Working, working

__all__ = [
    "idb_clear",
    "idb_delete",
    "idb_get",
    "idb_list_databases",
    "idb_list_stores",
    "idb_put",
]

_PATIENCE = 3.0
"""How long a page may keep a database to itself while it changes it."""

_Key = Annotated[
    str | Annotated[float, Field(strict=True)] | list[Any] | dict[str, Any],
    Field(description='or {"$date": iso}, {"$binary": base64}'),
]


class InDatabase(InFrame):
    """Which database."""

    db_name: str = Field(max_length=10_000)


class InStore(InDatabase):
    """Which of its stores."""

    store_name: str = Field(max_length=10_000)


class OneRecord(InStore):
    """Which record."""

    key: _Key


class PutRecord(InStore):
    """What to keep."""

    key: _Key | None = None
    value: Annotated[Any, Field(description="JSON; tags as {$date, $binary, $map, …}")]


class DatabaseRow(TypedDict):
    """A database."""

    name: str
    version: int


class Databases(TypedDict):
    """The databases of an origin."""

    ok: bool
    count: int
    databases: list[DatabaseRow]
    origin: str
    supported: bool
    shown: NotRequired[int]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class IndexRow(TypedDict):
    """An index of a store."""

    name: str
    keyPath: str | list[str]
    unique: bool
    multiEntry: bool


class StoreRow(TypedDict):
    """What a store is like, and the first of its keys."""

    name: str
    keyPath: str | list[str] | None
    autoIncrement: bool
    indexes: list[IndexRow]
    count: int
    firstKeys: list[Any]


class Stores(TypedDict):
    """The stores of a database; when the details are too many, the rest is in a file."""

    ok: bool
    count: int
    stores: list[str]
    version: int
    details: list[StoreRow]
    origin: str
    shown: NotRequired[int]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class FoundRecord(TypedDict):
    """A record; a large one is in a file."""

    ok: bool
    found: bool
    value: NotRequired[Any]
    origin: str
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class RecordPut(TypedDict):
    """A record that was put."""

    ok: bool
    key: Any
    origin: str


class RecordDeleted(TypedDict):
    """Whether there was such a record."""

    ok: bool
    deleted: bool
    origin: str


class RecordsCleared(TypedDict):
    """How many records are gone."""

    ok: bool
    cleared: int
    origin: str


async def _work(call: Call, store: Working, action: str, args: InDatabase, **more: Any) -> Any:
    given: dict[str, Any] = {"action": action, "dbName": args.db_name, **more}
    if isinstance(args, InStore):
        given["storeName"] = args.store_name
    given["patience"] = int(min(_PATIENCE, call.left) * 1000)
    return await store("databases", **given)


@tool(Capability.READ, gives=Databases, toolset="storage", reads=True)
async def idb_list_databases(call: Call, args: InFrame) -> Result:
    """List the IndexedDB databases of the page's origin. Names are untrusted."""
    store = await working(call, args)
    found = await store("databases", action="databases")
    data = {"ok": True, "count": len(found), "databases": found, "origin": store.origin}
    data["supported"] = True
    return await whole(call, data, "databases", default="databases.json", source=store.origin)


@tool(Capability.READ, gives=Stores, toolset="storage", reads=True)
async def idb_list_stores(call: Call, args: InDatabase) -> Result:
    """List the stores of a database with their first keys. They are untrusted."""
    store = await working(call, args)
    found = await _work(call, store, "stores", args)
    names = [each["name"] for each in found["stores"]]
    data = {"ok": True, "count": len(names), "stores": names, "version": found["version"]}
    data |= {"details": found["stores"], "origin": store.origin}
    return await whole(call, data, "details", default="stores.json", source=store.origin)


@tool(Capability.READ, gives=FoundRecord, toolset="storage", reads=True)
async def idb_get(call: Call, args: OneRecord) -> Result:
    """Read one record of a store. It is untrusted; kinds that JSON lacks have tags ($date, …)."""
    store = await working(call, args)
    found = await _work(call, store, "get", args, key=args.key)
    data = {"ok": True, "found": found["found"], "origin": store.origin}
    if not found["found"]:
        return Result(data=data)
    data["value"] = found["value"]
    return await whole(call, data, "value", default="record.json", source=store.origin)


@tool(Capability.ACTION, gives=RecordPut, toolset="storage", alters="origin")
async def idb_put(call: Call, args: PutRecord) -> dict[str, Any]:
    """Put a record into a store; no key where the store makes it or finds it in the value."""
    store = await working(call, args)
    given = {"value": args.value}
    if args.key is not None:
        given["key"] = args.key
    put = await _work(call, store, "put", args, **given)
    return {"ok": True, "key": put["key"], "origin": store.origin}


@tool(Capability.ACTION, gives=RecordDeleted, toolset="storage", destructive=True, idempotent=True)
async def idb_delete(call: Call, args: OneRecord) -> dict[str, Any]:
    """Delete one record of a store."""
    store = await working(call, args)
    count = await _work(call, store, "delete", args, key=args.key)
    return {"ok": True, "deleted": count > 0, "origin": store.origin}


@tool(Capability.ACTION, gives=RecordsCleared, toolset="storage", destructive=True, idempotent=True)
async def idb_clear(call: Call, args: InStore) -> dict[str, Any]:
    """Delete every record of a store."""
    store = await working(call, args)
    return {"ok": True, "cleared": await _work(call, store, "clear", args), "origin": store.origin}
