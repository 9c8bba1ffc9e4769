"""Restoring: a new browser state is given what a profile has kept, before anything is shown."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Final, Protocol

from stockade.engines.port import Context
from stockade.engines.values import StorageKey
from stockade.errors import BrowserGone, DeadlineExceeded, StockadeError, TabClosed
from stockade.page.kept_storage import KeptStorage, read_part, restore_storage

__all__ = ["COOKIES", "PROVENANCE", "Profile", "Restored", "restore"]

COOKIES: Final = "cookies"
"""The part that holds them."""
PROVENANCE: Final = "provenance"
"""The part that says where an agent had a hand in what pages are; every other is an origin's."""

_PATIENCE = 25.0
_SECONDS = 15.0
"""After which no more storage is put back: a session that never starts is of less use."""
_ROOMS = 2


class Profile(Protocol):
    """Where the parts are kept; all but `close` takes its time, so it is called in threads."""

    name: str

    def read(self) -> dict[str, bytes]:
        """Every part, the latest last."""

    def write(self, part: str, content: bytes) -> None:
        """Keep a part."""

    def remove(self, part: str) -> None:
        """Forget a part."""

    def set_aside(self, part: str, why: str) -> None:
        """Keep a part that is of no use out of the way."""

    def clear(self) -> bool:
        """Forget all; whether there was anything."""

    def close(self) -> None:
        """Let others have it."""


@dataclass
class Restored:
    """What was put back."""

    parts: dict[str, bytes]
    """What the profile holds."""
    items: dict[StorageKey, dict[str, str]] = field(default_factory=dict)
    """Local storage as it is now."""
    in_part: set[StorageKey] = field(default_factory=set)
    """Whose storage is not as it was kept."""
    missing: list[tuple[str, str]] = field(default_factory=list)
    """What was not put back, and why."""


async def restore(profile: Profile, context: Context) -> Restored:
    """Put cookies and storage in place; what is of no use is set aside."""
    restored = Restored(await asyncio.to_thread(profile.read))
    try:
        async with asyncio.timeout(_PATIENCE):
            await _cookies(profile, context, restored)
            await _storage(profile, context, restored)
    except TimeoutError:
        raise DeadlineExceeded(f"profile {profile.name} took too long to put back") from None
    return restored


async def _cookies(profile: Profile, context: Context, restored: Restored) -> None:
    jar = restored.parts.get(COOKIES)
    if jar is None:
        return
    try:
        refused = await context.fill_cookie_jar(jar, timeout=_PATIENCE)
    except ValueError as error:
        await _set_aside(profile, restored, [COOKIES], str(error))
        return
    if refused:
        restored.missing.append((f"{len(refused)} cookies", "the browser does not take them"))


async def _storage(profile: Profile, context: Context, restored: Restored) -> None:
    storages: dict[StorageKey, KeptStorage] = {}
    for name, content in tuple(restored.parts.items()):
        if name not in {COOKIES, PROVENANCE}:
            try:
                read_part(name, content, storages)
            except ValueError as error:
                await _set_aside(profile, restored, [name], str(error))
    for key, storage in storages.items():
        context.expect_storage(key)
        restored.items[key] = dict(storage.items)
    left = list(storages.values())
    filling = [_fill(profile, context, restored, left) for _ in left[:_ROOMS]]
    for failure in await asyncio.gather(*filling, return_exceptions=True):
        if failure is not None:
            raise failure
    for storage in left:
        del restored.items[storage.key]
        restored.missing.append((f"storage of {storage.key.origin}", "there was too little time"))


async def _fill(
    profile: Profile, context: Context, restored: Restored, left: list[KeptStorage]
) -> None:
    """Put back storage until there is none left, the latest first."""
    ends = asyncio.get_running_loop().time() + _SECONDS
    async with context.storeroom(timeout=_PATIENCE) as room:
        while left and asyncio.get_running_loop().time() < ends:
            storage = left.pop()
            try:
                omitted = await restore_storage(room, storage, timeout=_PATIENCE)
            except (BrowserGone, DeadlineExceeded, TabClosed):
                raise
            except StockadeError as error:
                omitted = [error.message]
            if omitted:
                await _set_aside(profile, restored, storage.parts, "; ".join(omitted))
                restored.in_part.add(storage.key)


async def _set_aside(profile: Profile, restored: Restored, parts: list[str], why: str) -> None:
    for part in parts:
        await asyncio.to_thread(profile.set_aside, part, why)
        restored.parts.pop(part, None)
