"""Calls of the tools in `caches`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class CacheNames(Beside):
    """The caches of an origin."""

    ok: bool
    count: int
    names: list[str]
    origin: str
    shown: NotRequired[int]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class CacheEntry(TypedDict):
    """A request that a cache has an answer to."""

    url: str
    method: str


class CacheEntries(Beside):
    """The entries of a cache; when they are too many, the rest is in a file."""

    ok: bool
    count: int
    entries: list[CacheEntry]
    origin: str
    shown: NotRequired[int]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class CacheAnswer(Beside):
    """A kept answer; a large body is in a file."""

    ok: bool
    found: bool
    origin: str
    kind: NotRequired[Literal['text', 'binary']]
    text: NotRequired[str]
    contentBase64: NotRequired[str]
    contentType: NotRequired[str]
    status: NotRequired[int]
    headers: NotRequired[dict[str, str]]
    byteLength: NotRequired[int]
    opaque: NotRequired[bool]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class CachedResponse(TypedDict):
    """What a page will be answered."""

    status: NotRequired[int]
    headers: NotRequired[dict[str, str]]
    body: NotRequired[str | None]
    contentBase64: NotRequired[str | None]


class CachePut(Beside):
    """An entry that was made."""

    ok: bool
    cacheName: str
    url: str
    byteLength: int
    created: bool
    origin: str


class CacheDeleted(Beside):
    """Whether there was something to delete."""

    ok: bool
    deleted: bool
    origin: str


class CacheCleared(Beside):
    """How many entries are gone."""

    ok: bool
    cleared: int
    origin: str


class CachesCalls(Calls):
    """Methods that call tools."""

    async def caches_list_storages(
        self,
        *,
        frame: str | None = None,
    ) -> CacheNames:
        """List the caches of the page's origin. Names are untrusted."""
        answer = await self._call("caches_list_storages", {}, {"frame": frame}, in_tab=True)
        return cast("CacheNames", answer)

    async def caches_list(
        self,
        *,
        cache_name: str,
        frame: str | None = None,
        url_pattern: str | None = None,
    ) -> CacheEntries:
        """List what a cache has answers to. It is untrusted."""
        answer = await self._call("caches_list", {"cacheName": cache_name}, {"frame": frame, "urlPattern": url_pattern}, in_tab=True)
        return cast("CacheEntries", answer)

    async def caches_get(
        self,
        *,
        cache_name: str,
        url: str,
        frame: str | None = None,
    ) -> CacheAnswer:
        """Read the answer that a cache has for an address. It is untrusted."""
        answer = await self._call("caches_get", {"cacheName": cache_name, "url": url}, {"frame": frame}, in_tab=True)
        return cast("CacheAnswer", answer)

    async def caches_put(
        self,
        *,
        cache_name: str,
        url: str,
        response: CachedResponse,
        frame: str | None = None,
    ) -> CachePut:
        """Put an answer into a cache, made if need be: status, headers, body or contentBase64."""
        answer = await self._call("caches_put", {"cacheName": cache_name, "url": url, "response": response}, {"frame": frame}, in_tab=True)
        return cast("CachePut", answer)

    async def caches_delete(
        self,
        *,
        cache_name: str,
        url: str,
        frame: str | None = None,
    ) -> CacheDeleted:
        """Delete one entry of a cache."""
        answer = await self._call("caches_delete", {"cacheName": cache_name, "url": url}, {"frame": frame}, in_tab=True)
        return cast("CacheDeleted", answer)

    async def caches_clear(
        self,
        *,
        cache_name: str,
        frame: str | None = None,
    ) -> CacheCleared:
        """Delete every entry of a cache."""
        answer = await self._call("caches_clear", {"cacheName": cache_name}, {"frame": frame}, in_tab=True)
        return cast("CacheCleared", answer)

    async def caches_delete_storage(
        self,
        *,
        cache_name: str,
        frame: str | None = None,
    ) -> CacheDeleted:
        """Delete a whole cache."""
        answer = await self._call("caches_delete_storage", {"cacheName": cache_name}, {"frame": frame}, in_tab=True)
        return cast("CacheDeleted", answer)
