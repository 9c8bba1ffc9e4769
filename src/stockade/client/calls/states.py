"""Calls of the tools in `states`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class CookieRow(TypedDict):
    """A cookie."""

    name: str
    value: str
    domain: str
    path: str
    expires: float
    httpOnly: bool
    secure: bool
    sameSite: NotRequired[str]
    partitionKey: NotRequired[str]


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


class StateDump(Beside):
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
    warnings: NotRequired[list[str]]


class StateInjected(Beside):
    """What was put in place."""

    ok: bool
    mode: str
    cookies: int
    origins: int
    withheld: NotRequired[int]
    warnings: NotRequired[list[str]]


class SlotSaved(Beside):
    """A state that was kept."""

    name: str
    path: str
    bytes: int
    modifiedAt: str
    owner: NotRequired[str]
    ok: bool
    cookies: int
    origins: int
    withheld: NotRequired[int]
    warnings: NotRequired[list[str]]


class SlotLoaded(Beside):
    """A kept state that was put in place."""

    ok: bool
    mode: str
    cookies: int
    origins: int
    withheld: NotRequired[int]
    warnings: NotRequired[list[str]]
    name: str


class SnapshotTaken(Beside):
    """A snapshot that was kept."""

    name: str
    path: str
    bytes: int
    modifiedAt: str
    owner: NotRequired[str]
    ok: bool
    cookies: int
    origins: int
    withheld: NotRequired[int]
    warnings: NotRequired[list[str]]
    snapshot: str
    profile: str


class SnapshotRestored(Beside):
    """A snapshot that was put in place."""

    ok: bool
    mode: str
    cookies: int
    origins: int
    withheld: NotRequired[int]
    warnings: NotRequired[list[str]]
    snapshot: str
    profile: str


class SlotDeleted(Beside):
    """Whether there was something to forget."""

    ok: bool
    name: str
    deleted: bool


class SlotRow(TypedDict):
    """A kept state."""

    name: str
    path: str
    bytes: int
    modifiedAt: str
    owner: NotRequired[str]


class SlotList(Beside):
    """The kept states, and the snapshots of profiles."""

    ok: bool
    count: int
    slots: list[SlotRow]
    snapshots: list[SlotRow]


class StatesCalls(Calls):
    """Methods that call tools."""

    async def dump_storage_state(
        self,
        *,
        path: str | None = None,
        indexed_db: bool | None = None,
    ) -> StateDump:
        """Take out cookies, local storage and databases of all origins. They are untrusted."""
        answer = await self._call("dump_storage_state", {}, {"path": path, "indexedDB": indexed_db}, in_tab=False)
        return cast("StateDump", answer)

    async def inject_storage_state(
        self,
        *,
        state: dict[str, Any] | str,
        mode: Literal['replace', 'merge'] | None = None,
    ) -> StateInjected:
        """Put a storage state in place of what the session's browser knows, or merge it in."""
        answer = await self._call("inject_storage_state", {"state": state}, {"mode": mode}, in_tab=False)
        return cast("StateInjected", answer)

    async def auth_save(
        self,
        *,
        name: str,
    ) -> SlotSaved:
        """Keep the session's logins and storage under a name, encrypted, for later sessions."""
        answer = await self._call("auth_save", {"name": name}, {}, in_tab=False)
        return cast("SlotSaved", answer)

    async def auth_load(
        self,
        *,
        name: str,
    ) -> SlotLoaded:
        """Put what auth_save kept in place of the session's logins and storage."""
        answer = await self._call("auth_load", {"name": name}, {}, in_tab=False)
        return cast("SlotLoaded", answer)

    async def profile_snapshot(
        self,
        *,
        snapshot: str,
        profile: str | None = None,
    ) -> SnapshotTaken:
        """Keep the session's cookies, local storage and databases as a snapshot of a profile."""
        answer = await self._call("profile_snapshot", {"snapshot": snapshot}, {"profile": profile}, in_tab=False)
        return cast("SnapshotTaken", answer)

    async def profile_restore(
        self,
        *,
        snapshot: str,
        profile: str | None = None,
    ) -> SnapshotRestored:
        """Put a snapshot in place of what the session's browser knows."""
        answer = await self._call("profile_restore", {"snapshot": snapshot}, {"profile": profile}, in_tab=False)
        return cast("SnapshotRestored", answer)


class StatesServerCalls(Calls):
    """Methods that call tools."""

    async def auth_delete(
        self,
        *,
        name: str,
        session: str | None = None,
        kind: Literal['auth', 'snapshot'] | None = None,
    ) -> SlotDeleted:
        """Forget what auth_save kept, or a snapshot."""
        answer = await self._call("auth_delete", {"name": name}, {"session": session, "kind": kind}, in_tab=False)
        return cast("SlotDeleted", answer)

    async def auth_list(
        self,
        *,
        session: str | None = None,
    ) -> SlotList:
        """List what auth_save and profile_snapshot kept."""
        answer = await self._call("auth_list", {}, {"session": session}, in_tab=False)
        return cast("SlotList", answer)
