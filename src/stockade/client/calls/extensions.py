"""Calls of the tools in `extensions`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class InstalledExtension(Beside):
    """An extension that is installed now."""

    id: str
    name: str
    version: str
    path: str
    commands: list[str]
    ok: bool
    rebuilt: bool


class ExtensionRow(TypedDict):
    """An extension that is installed."""

    id: str
    name: str
    version: str
    path: str
    commands: list[str]


class ExtensionList(Beside):
    """The extensions of a session."""

    ok: bool
    count: int
    extensions: list[ExtensionRow]


class TriggeredExtension(Beside):
    """What was pressed."""

    ok: bool
    id: str
    triggered: str


class RemovedExtension(Beside):
    """An extension that is gone."""

    ok: bool
    id: str


class ExtensionsCalls(Calls):
    """Methods that call tools."""

    async def extensions_install(
        self,
        *,
        path: str,
    ) -> InstalledExtension:
        """Install an unpacked extension; `rebuilt` says that tabs, refs and logs began anew."""
        answer = await self._call("extensions_install", {"path": path}, {}, in_tab=False)
        return cast("InstalledExtension", answer)

    async def extensions_list(
        self,
    ) -> ExtensionList:
        """List the session's extensions."""
        answer = await self._call("extensions_list", {}, {}, in_tab=False)
        return cast("ExtensionList", answer)

    async def extensions_reload(
        self,
        *,
        id: str,
    ) -> InstalledExtension:
        """Load an extension's files again."""
        answer = await self._call("extensions_reload", {"id": id}, {}, in_tab=False)
        return cast("InstalledExtension", answer)

    async def extensions_trigger(
        self,
        *,
        id: str,
        command: str | None = None,
    ) -> TriggeredExtension:
        """Press an extension's button, or the key of one of its commands."""
        answer = await self._call("extensions_trigger", {"id": id}, {"command": command}, in_tab=True)
        return cast("TriggeredExtension", answer)

    async def extensions_uninstall(
        self,
        *,
        id: str,
    ) -> RemovedExtension:
        """Take an extension out of the session."""
        answer = await self._call("extensions_uninstall", {"id": id}, {}, in_tab=False)
        return cast("RemovedExtension", answer)
