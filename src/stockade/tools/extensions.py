"""Extensions: those that the operator offers, in sessions that want them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from stockade.files.unpacked import read_unpacked
from stockade.kernel.arguments import InSession, InTab
from stockade.kernel.call import Call
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.sessions.extensions import Extensions, Unpacked
from stockade.workspace import Workspace

__all__ = [
    "extensions_install",
    "extensions_list",
    "extensions_reload",
    "extensions_trigger",
    "extensions_uninstall",
]

_Id = Annotated[str, Field(pattern="^[a-p]{32}$")]


class InstallExtension(InSession):
    """Which directory holds it."""

    path: Annotated[
        str, Field(min_length=1, max_length=500, description="below extensions/ of the workspace")
    ]


class ListExtensions(InSession):
    """In which session."""


class NamedExtension(InSession):
    """Which extension."""

    id: _Id


class TriggerExtension(InTab):
    """Which extension, and which of its commands."""

    id: _Id
    command: Annotated[
        str | None, Field(max_length=100, description="its button, unless given")
    ] = None


class ExtensionRow(TypedDict):
    """An extension that is installed."""

    id: str
    name: str
    version: str
    path: str
    commands: list[str]


class InstalledExtension(ExtensionRow):
    """An extension that is installed now."""

    ok: bool
    rebuilt: bool


class ExtensionList(TypedDict):
    """The extensions of a session."""

    ok: bool
    count: int
    extensions: list[ExtensionRow]


class TriggeredExtension(TypedDict):
    """What was pressed."""

    ok: bool
    id: str
    triggered: str


class RemovedExtension(TypedDict):
    """An extension that is gone."""

    ok: bool
    id: str


def _part(call: Call) -> Extensions:
    return call.session.parts.of(Extensions, lambda: Extensions(call.session))


async def _read(call: Call, path: str) -> Unpacked:
    def root() -> Path:
        return Workspace.open(call.kernel.settings.workspace).directory("extensions")

    return await asyncio.to_thread(read_unpacked, root, path)


def _row(unpacked: Unpacked) -> dict[str, Any]:
    return {
        "id": unpacked.id,
        "name": unpacked.name,
        "version": unpacked.version,
        "path": unpacked.path,
        "commands": list(unpacked.commands),
    }


@tool(
    Capability.EXTENSIONS,
    gives=InstalledExtension,
    reach="session",
    toolset="test",
    alters="session",
)
async def extensions_install(call: Call, args: InstallExtension) -> dict[str, Any]:
    """Install an unpacked extension; `rebuilt` says that tabs, refs and logs began anew."""
    unpacked = await _read(call, args.path)
    rebuilt = await _part(call).install(unpacked)
    return {"ok": True, **_row(unpacked), "rebuilt": rebuilt}


@tool(Capability.EXTENSIONS, gives=ExtensionList, reach="session", toolset="test", reads=True)
async def extensions_list(call: Call, args: ListExtensions) -> dict[str, Any]:
    """List the session's extensions."""
    del args
    rows = [_row(each) for each in _part(call).all]
    return {"ok": True, "count": len(rows), "extensions": rows}


@tool(
    Capability.EXTENSIONS,
    gives=InstalledExtension,
    reach="session",
    toolset="test",
    alters="session",
)
async def extensions_reload(call: Call, args: NamedExtension) -> dict[str, Any]:
    """Load an extension's files again."""
    extensions = _part(call)
    unpacked = await _read(call, extensions.find(args.id).path)
    rebuilt = await extensions.install(unpacked)
    return {"ok": True, **_row(unpacked), "rebuilt": rebuilt}


@tool(Capability.EXTENSIONS, gives=TriggeredExtension, toolset="test", alters="session")
async def extensions_trigger(call: Call, args: TriggerExtension) -> dict[str, Any]:
    """Press an extension's button, or the key of one of its commands."""
    await _part(call).trigger(args.id, call.tab, args.command, timeout=call.left)
    return {"ok": True, "id": args.id, "triggered": args.command or "action"}


@tool(
    Capability.EXTENSIONS,
    gives=RemovedExtension,
    reach="session",
    toolset="test",
    destructive=True,
)
async def extensions_uninstall(call: Call, args: NamedExtension) -> dict[str, Any]:
    """Take an extension out of the session."""
    await _part(call).uninstall(args.id)
    return {"ok": True, "id": args.id}
