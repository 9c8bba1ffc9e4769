"""Caches: the answers that an origin keeps for itself."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.arguments import AddressPattern, Arguments
from stockade.kernel.call import Call
from stockade.kernel.downloads import link_to
from stockade.kernel.results import Result
from stockade.kernel.saving import save, saved
from stockade.kernel.tool import tool
from stockade.page.patterns import address_pattern
from stockade.policy.capabilities import Capability
from stockade.policy.scripting import without_scripts
from stockade.tools.content import fits, whole
from stockade.tools.web_storage import InFrame, Working, working
from stockade.urls import absolute

__all__ = [
    "caches_clear",
    "caches_delete",
    "caches_delete_storage",
    "caches_get",
    "caches_list",
    "caches_list_storages",
    "caches_put",
]

_MOST_BYTES = 64 << 20
_LONGEST_BODY = 20_000_000
_TEXTS = ("json", "xml", "javascript", "ecmascript", "x-www-form-urlencoded", "yaml", "graphql")

_Text = Annotated[str, Field(max_length=8192)]


class InCache(InFrame):
    """Which cache."""

    cache_name: str = Field(max_length=1000)


class ListCache(InCache):
    """Which of its entries."""

    url_pattern: AddressPattern | None = None


class CacheEntryOf(InCache):
    """Which entry."""

    url: Annotated[str, Field(max_length=65536, description="/path works too")]

    @property
    def judged_address(self) -> None:
        """It may be relative to the page, so that the tool judges it."""


class CachedResponse(Arguments):
    """What a page will be answered."""

    status: int = Field(200, ge=200, le=599)
    headers: dict[_Text, _Text] = Field(default_factory=dict, max_length=200)
    body: Annotated[str | None, Field(max_length=_LONGEST_BODY)] = None
    content_base64: Annotated[str | None, Field(max_length=_LONGEST_BODY)] = None


class PutCache(CacheEntryOf):
    """What to keep for which address."""

    response: CachedResponse


class CacheNames(TypedDict):
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


class CacheEntries(TypedDict):
    """The entries of a cache; when they are too many, the rest is in a file."""

    ok: bool
    count: int
    entries: list[CacheEntry]
    origin: str
    shown: NotRequired[int]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class CacheAnswer(TypedDict):
    """A kept answer; a large body is in a file."""

    ok: bool
    found: bool
    origin: str
    kind: NotRequired[Literal["text", "binary"]]
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


class CachePut(TypedDict):
    """An entry that was made."""

    ok: bool
    cacheName: str
    url: str
    byteLength: int
    created: bool
    """Whether the cache itself is new."""
    origin: str


class CacheDeleted(TypedDict):
    """Whether there was something to delete."""

    ok: bool
    deleted: bool
    origin: str


class CacheCleared(TypedDict):
    """How many entries are gone."""

    ok: bool
    cleared: int
    origin: str


def _url(call: Call, store: Working, args: CacheEntryOf) -> str:
    """The address of an entry in full."""
    return call.policy.check_address(absolute(args.url, store.base)).href


def _bytes(response: CachedResponse) -> bytes:
    if response.body is not None and response.content_base64 is not None:
        raise InvalidArgument("a response has body or contentBase64, not both")
    if response.content_base64 is None:
        return (response.body or "").encode("utf-8", "replace")
    try:
        return base64.b64decode(response.content_base64, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidArgument("contentBase64 is not base64") from None


def _as_text(content: bytes, content_type: str) -> str | None:
    """The body as text, if it is meant to be and is."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind and not kind.startswith("text/") and not any(each in kind for each in _TEXTS):
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


@tool(Capability.READ, gives=CacheNames, toolset="storage", reads=True)
async def caches_list_storages(call: Call, args: InFrame) -> Result:
    """List the caches of the page's origin. Names are untrusted."""
    store = await working(call, args)
    names = await store("caches", action="storages")
    data = {"ok": True, "count": len(names), "names": names, "origin": store.origin}
    return await whole(call, data, "names", default="caches.json", source=store.origin)


@tool(Capability.READ, gives=CacheEntries, toolset="storage", reads=True)
async def caches_list(call: Call, args: ListCache) -> Result:
    """List what a cache has answers to. It is untrusted."""
    store = await working(call, args)
    entries = await store("caches", action="list", cacheName=args.cache_name)
    if args.url_pattern is not None:
        wanted = address_pattern(args.url_pattern)
        entries = [each for each in entries if wanted.matches(each["url"])]
    data = {"ok": True, "count": len(entries), "entries": entries, "origin": store.origin}
    return await whole(call, data, "entries", default="cache-entries.json", source=store.origin)


@tool(Capability.READ, gives=CacheAnswer, toolset="storage", reads=True, raw=True)
async def caches_get(call: Call, args: CacheEntryOf) -> Result:
    """Read the answer that a cache has for an address. It is untrusted."""
    store = await working(call, args)
    url = _url(call, store, args)
    found = await store(
        "caches", action="get", cacheName=args.cache_name, url=url, most=_MOST_BYTES
    )
    if found is None:
        return Result(data={"ok": True, "found": False, "origin": store.origin})
    content = base64.b64decode(found["content"])
    content_type = found["headers"].get("content-type", "")
    text = _as_text(content, content_type)
    inline = {"text": text} if text is not None else {"contentBase64": found["content"]}
    data: dict[str, Any] = {
        "ok": True,
        "found": True,
        "kind": "binary" if text is None else "text",
        **inline,
        "contentType": content_type,
        "status": found["status"],
        "headers": found["headers"],
        "byteLength": found["byteLength"],
        "origin": store.origin,
    }
    if found["type"] == "opaque":
        # Another site's answer, which scripts of this one may pass on but not read.
        data["opaque"] = True
    if fits(data):
        return Result(data=data, source=store.origin, tokens=60_000)
    kept = await save(
        call, content, default="cached-body.txt" if text is not None else "cached-body"
    )
    rest = {name: value for name, value in data.items() if name not in inline}
    return Result(data={**rest, **saved(call, kept)}, source=store.origin, links=(link_to(kept),))


@tool(Capability.ACTION, gives=CachePut, toolset="storage", idempotent=True, alters="origin")
async def caches_put(call: Call, args: PutCache) -> dict[str, Any]:
    """Put an answer into a cache, made if need be: status, headers, body or contentBase64."""
    store = await working(call, args)
    url = _url(call, store, args)
    content = _bytes(args.response)
    response = {
        "status": args.response.status,
        "headers": dict(
            without_scripts(call.policy, args.response.headers.items(), call.tool.name)
        ),
        "content": base64.b64encode(content).decode(),
    }
    put = await store("caches", action="put", cacheName=args.cache_name, url=url, response=response)
    return {
        "ok": True,
        "cacheName": args.cache_name,
        "url": url,
        "byteLength": len(content),
        "created": put["created"],
        "origin": store.origin,
    }


@tool(Capability.ACTION, gives=CacheDeleted, toolset="storage", destructive=True, idempotent=True)
async def caches_delete(call: Call, args: CacheEntryOf) -> dict[str, Any]:
    """Delete one entry of a cache."""
    store = await working(call, args)
    url = _url(call, store, args)
    deleted = await store("caches", action="delete", cacheName=args.cache_name, url=url)
    return {"ok": True, "deleted": deleted, "origin": store.origin}


@tool(Capability.ACTION, gives=CacheCleared, toolset="storage", destructive=True, idempotent=True)
async def caches_clear(call: Call, args: InCache) -> dict[str, Any]:
    """Delete every entry of a cache."""
    store = await working(call, args)
    cleared = await store("caches", action="clear", cacheName=args.cache_name)
    return {"ok": True, "cleared": cleared, "origin": store.origin}


@tool(Capability.ACTION, gives=CacheDeleted, toolset="storage", destructive=True, idempotent=True)
async def caches_delete_storage(call: Call, args: InCache) -> dict[str, Any]:
    """Delete a whole cache."""
    store = await working(call, args)
    deleted = await store("caches", action="deleteStorage", cacheName=args.cache_name)
    return {"ok": True, "deleted": deleted, "origin": store.origin}
