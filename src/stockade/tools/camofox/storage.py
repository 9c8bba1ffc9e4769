"""The tab API's storage of a user: taken out as a whole, and forgotten."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import Conflict, Missing
from stockade.kernel.arguments import InSession
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.page.forgetting import forget_everything
from stockade.page.storage_state import dump
from stockade.policy.capabilities import Capability
from stockade.sessions.session import Session
from stockade.tools.states import BrowserState

__all__ = ["camofox_reset_storage", "camofox_storage_state"]

_TOKENS = 20_000_000
"""A state is of no use in part."""


class ExportStorage(InSession):
    """What to take out."""

    indexed_db: Annotated[bool, Field(alias="indexedDB")] = False


class ResetStorage(InSession):
    """Whose storage to forget."""


class StorageReset(TypedDict):
    """What was forgotten."""

    ok: bool
    clearedLive: bool
    """Whether a browser ran for the session."""
    removedPersisted: bool
    """Whether anything had been kept of it."""


class _Resets:
    """Whether a session is being reset."""

    running = False


@tool(Capability.READ, gives=BrowserState, toolset="camofox", reach="server", reads=True)
async def camofox_storage_state(call: Call, args: ExportStorage) -> Result:
    """Cookies and local storage of a session that is open, as Playwright's storageState."""
    session = call.kernel.sessions.named(call.principal, args.session)
    if session is None or session.context is None:
        raise Missing("no session of that name has a browser", hint="Open a tab in it first.")
    dumped = await dump(
        session.context, session.policy, databases=args.indexed_db, left=lambda: call.left
    )
    return Result(data=dumped.state, source="storage", tokens=_TOKENS)


@tool(
    Capability.ACTION,
    gives=StorageReset,
    toolset="camofox",
    reach="server",
    destructive=True,
    idempotent=True,
)
async def camofox_reset_storage(call: Call, args: ResetStorage) -> dict[str, Any]:
    """Forget all cookies and storage of a session, in its browser and in its profile."""
    session = call.kernel.sessions.named(call.principal, args.session)
    if session is None:
        profiles = call.kernel.profiles
        removed = await asyncio.to_thread(profiles.remove, call.principal, args.session)
        return {"ok": True, "clearedLive": False, "removedPersisted": removed}
    resets = session.parts.of(_Resets, _Resets)
    if resets.running:
        raise Conflict("the storage of this session is being reset already")
    resets.running = True
    try:
        return await _reset(call, session)
    finally:
        resets.running = False


async def _reset(call: Call, session: Session) -> dict[str, Any]:
    context = session.context

    async def clear() -> None:
        if context is not None:
            await forget_everything(context, left=lambda: call.left)

    removed = False
    if session.keeping is not None:
        removed = await session.keeping.reset(clear)
    else:
        await clear()
    return {"ok": True, "clearedLive": context is not None, "removedPersisted": removed}
