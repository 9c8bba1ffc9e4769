"""What one origin stores, as a profile keeps it: local storage and databases, each by itself."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from stockade.engines.port import Context, Frame, Storeroom
from stockade.engines.values import StorageKey
from stockade.errors import BrowserGone, NavigationRace, StockadeError
from stockade.page.storage import work_in_frame, work_in_storeroom

__all__ = [
    "KeptStorage",
    "dump_databases",
    "local_items",
    "read_part",
    "restore_storage",
    "written_databases",
    "written_items",
]

MOST_BYTES: Final = 20_000_000
"""What the databases of one origin may take."""
_ITEMS = "() => [self.origin, Object.entries(localStorage)]"


class _Part(msgspec.Struct, rename="camel", omit_defaults=True):
    origin: str
    site: str = ""
    items: dict[str, str] = {}
    databases: list[msgspec.Raw] = []


@dataclass
class KeptStorage:
    """All that is kept of one origin, or of its frames below one other site."""

    key: StorageKey
    items: dict[str, str] = field(default_factory=dict)
    databases: list[Any] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    """What it was read from."""


def _name(kind: str, key: StorageKey) -> str:
    told = f"{key.origin} {key.site}".encode()
    return f"{kind}-{hashlib.blake2b(told, digest_size=16).hexdigest()}"


def written_items(key: StorageKey, items: dict[str, str]) -> tuple[str, bytes]:
    """The part that local storage is kept in, and what it holds; nothing when there is none."""
    part = _Part(key.origin, key.site, items=items)
    return _name("local", key), msgspec.json.encode(part) if items else b""


def written_databases(key: StorageKey, databases: Sequence[Any]) -> tuple[str, bytes]:
    """The same for databases."""
    raw = [msgspec.Raw(msgspec.json.encode(each)) for each in databases]
    part = _Part(key.origin, key.site, databases=raw)
    return _name("data", key), msgspec.json.encode(part) if databases else b""


def read_part(name: str, content: bytes, into: dict[StorageKey, KeptStorage]) -> None:
    """Add a part to what is kept of its origin; what is no part is a `ValueError`."""
    part = msgspec.json.decode(content, type=_Part)
    key = StorageKey(part.origin, part.site)
    storage = into.setdefault(key, KeptStorage(key))
    storage.items |= part.items
    storage.databases += [msgspec.json.decode(each) for each in part.databases]
    storage.parts.append(name)


async def restore_storage(room: Storeroom, storage: KeptStorage, *, timeout: float) -> list[str]:
    """Put back what was kept; what could not be is said."""
    argument = {
        "action": "restore",
        "localStorage": [{"name": name, "value": each} for name, each in storage.items.items()],
        "indexedDB": storage.databases,
    }
    done = await work_in_storeroom(room, "origin_state", storage.key, argument, timeout=timeout)
    return _omitted(done)


async def local_items(frame: Frame, key: StorageKey, *, timeout: float) -> dict[str, str]:
    """What a document has in local storage at this moment."""
    origin, items = await frame.call(_ITEMS, timeout=timeout)
    if origin != key.origin:
        raise NavigationRace("the document changed during the call")
    return dict(items)


async def dump_databases(
    context: Context, key: StorageKey, *, timeout: float
) -> tuple[list[Any], list[str]]:
    """The databases there are, and what of them could not be read."""
    argument = {"action": "dump", "databases": True, "most": MOST_BYTES}
    frame = context.frame_storing(key)
    if frame is not None:
        try:
            found = await work_in_frame(
                frame, "origin_state", key.origin, argument, timeout=timeout
            )
            return found["indexedDB"], _omitted(found)
        except BrowserGone:
            raise
        except StockadeError:
            # It has just gone, or does not answer; an empty document of ours will.
            pass
    async with context.storeroom(timeout=timeout) as room:
        found = await work_in_storeroom(room, "origin_state", key, argument, timeout=timeout)
    return found["indexedDB"], _omitted(found)


def _omitted(answer: dict[str, Any]) -> list[str]:
    return [f"database {each['database'][:100]!r}: {each['reason']}" for each in answer["omitted"]]
