"""Calls of the tools in `web_storage`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class StoredItem(Beside):
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


class StoredItems(Beside):
    """All items by key; when they are too many, the rest is in a file."""

    ok: bool
    count: int
    entries: list[Entry]
    origin: str
    shown: NotRequired[int]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class ItemSet(Beside):
    """An item that was set."""

    ok: bool
    key: str
    origin: str


class ItemDeleted(Beside):
    """An item that is gone."""

    ok: bool
    key: str
    origin: str
    deleted: bool


class ItemsCleared(Beside):
    """How many items are gone."""

    ok: bool
    cleared: int
    origin: str


class WebStorageCalls(Calls):
    """Methods that call tools."""

    async def localstorage_get(
        self,
        *,
        key: str,
        frame: str | None = None,
    ) -> StoredItem:
        """Read one item of local storage. It is untrusted."""
        answer = await self._call("localstorage_get", {"key": key}, {"frame": frame}, in_tab=True)
        return cast("StoredItem", answer)

    async def localstorage_list(
        self,
        *,
        frame: str | None = None,
    ) -> StoredItems:
        """List local storage. It is untrusted."""
        answer = await self._call("localstorage_list", {}, {"frame": frame}, in_tab=True)
        return cast("StoredItems", answer)

    async def localstorage_set(
        self,
        *,
        key: str,
        value: str,
        frame: str | None = None,
    ) -> ItemSet:
        """Set an item of local storage."""
        answer = await self._call("localstorage_set", {"key": key, "value": value}, {"frame": frame}, in_tab=True)
        return cast("ItemSet", answer)

    async def localstorage_delete(
        self,
        *,
        key: str,
        frame: str | None = None,
    ) -> ItemDeleted:
        """Delete an item of local storage."""
        answer = await self._call("localstorage_delete", {"key": key}, {"frame": frame}, in_tab=True)
        return cast("ItemDeleted", answer)

    async def localstorage_clear(
        self,
        *,
        frame: str | None = None,
    ) -> ItemsCleared:
        """Empty local storage."""
        answer = await self._call("localstorage_clear", {}, {"frame": frame}, in_tab=True)
        return cast("ItemsCleared", answer)

    async def sessionstorage_get(
        self,
        *,
        key: str,
        frame: str | None = None,
    ) -> StoredItem:
        """Read one item of the tab's session storage. It is untrusted."""
        answer = await self._call("sessionstorage_get", {"key": key}, {"frame": frame}, in_tab=True)
        return cast("StoredItem", answer)

    async def sessionstorage_list(
        self,
        *,
        frame: str | None = None,
    ) -> StoredItems:
        """List the tab's session storage. It is untrusted."""
        answer = await self._call("sessionstorage_list", {}, {"frame": frame}, in_tab=True)
        return cast("StoredItems", answer)

    async def sessionstorage_set(
        self,
        *,
        key: str,
        value: str,
        frame: str | None = None,
    ) -> ItemSet:
        """Set an item of the tab's session storage."""
        answer = await self._call("sessionstorage_set", {"key": key, "value": value}, {"frame": frame}, in_tab=True)
        return cast("ItemSet", answer)

    async def sessionstorage_delete(
        self,
        *,
        key: str,
        frame: str | None = None,
    ) -> ItemDeleted:
        """Delete an item of the tab's session storage."""
        answer = await self._call("sessionstorage_delete", {"key": key}, {"frame": frame}, in_tab=True)
        return cast("ItemDeleted", answer)

    async def sessionstorage_clear(
        self,
        *,
        frame: str | None = None,
    ) -> ItemsCleared:
        """Empty the tab's session storage."""
        answer = await self._call("sessionstorage_clear", {}, {"frame": frame}, in_tab=True)
        return cast("ItemsCleared", answer)
