"""Calls of the tools in `databases`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class DatabaseRow(TypedDict):
    """A database."""

    name: str
    version: int


class Databases(Beside):
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


class Stores(Beside):
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


class FoundRecord(Beside):
    """A record; a large one is in a file."""

    ok: bool
    found: bool
    value: NotRequired[Any]
    origin: str
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class RecordPut(Beside):
    """A record that was put."""

    ok: bool
    key: Any
    origin: str


class RecordDeleted(Beside):
    """Whether there was such a record."""

    ok: bool
    deleted: bool
    origin: str


class RecordsCleared(Beside):
    """How many records are gone."""

    ok: bool
    cleared: int
    origin: str


class DatabasesCalls(Calls):
    """Methods that call tools."""

    async def idb_list_databases(
        self,
        *,
        frame: str | None = None,
    ) -> Databases:
        """List the IndexedDB databases of the page's origin. Names are untrusted."""
        answer = await self._call("idb_list_databases", {}, {"frame": frame}, in_tab=True)
        return cast("Databases", answer)

    async def idb_list_stores(
        self,
        *,
        db_name: str,
        frame: str | None = None,
    ) -> Stores:
        """List the stores of a database with their first keys. They are untrusted."""
        answer = await self._call("idb_list_stores", {"dbName": db_name}, {"frame": frame}, in_tab=True)
        return cast("Stores", answer)

    async def idb_get(
        self,
        *,
        db_name: str,
        store_name: str,
        key: str | float | list[Any] | dict[str, Any],
        frame: str | None = None,
    ) -> FoundRecord:
        """Read one record of a store. It is untrusted; kinds that JSON lacks have tags ($date, …)."""
        answer = await self._call("idb_get", {"dbName": db_name, "storeName": store_name, "key": key}, {"frame": frame}, in_tab=True)
        return cast("FoundRecord", answer)

    async def idb_put(
        self,
        *,
        db_name: str,
        store_name: str,
        value: Any,
        frame: str | None = None,
        key: str | float | list[Any] | dict[str, Any] | None = None,
    ) -> RecordPut:
        """Put a record into a store; no key where the store makes it or finds it in the value."""
        answer = await self._call("idb_put", {"dbName": db_name, "storeName": store_name, "value": value}, {"frame": frame, "key": key}, in_tab=True)
        return cast("RecordPut", answer)

    async def idb_delete(
        self,
        *,
        db_name: str,
        store_name: str,
        key: str | float | list[Any] | dict[str, Any],
        frame: str | None = None,
    ) -> RecordDeleted:
        """Delete one record of a store."""
        answer = await self._call("idb_delete", {"dbName": db_name, "storeName": store_name, "key": key}, {"frame": frame}, in_tab=True)
        return cast("RecordDeleted", answer)

    async def idb_clear(
        self,
        *,
        db_name: str,
        store_name: str,
        frame: str | None = None,
    ) -> RecordsCleared:
        """Delete every record of a store."""
        answer = await self._call("idb_clear", {"dbName": db_name, "storeName": store_name}, {"frame": frame}, in_tab=True)
        return cast("RecordsCleared", answer)
