"""Calls of the tools in `plugins`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class PluginRow(TypedDict):
    """A plugin."""

    name: str
    namespace: str
    version: str
    trust: str
    capabilities: list[str]
    dependsOn: list[str]
    status: str
    declaredAt: str
    enabledAt: NotRequired[str]
    problem: NotRequired[str]


class PluginRows(Beside):
    """The plugins that are installed or named in the settings."""

    rows: list[PluginRow]


class PluginOperation(TypedDict):
    """What canvas_query can ask of it."""

    name: str
    description: str


class PluginInfo(Beside):
    """All about a plugin."""

    ok: bool
    name: str
    error: NotRequired[str]
    code: NotRequired[str]
    hint: NotRequired[str]
    namespace: NotRequired[str]
    version: NotRequired[str]
    status: NotRequired[str]
    capabilities: NotRequired[list[str]]
    dependsOn: NotRequired[list[str]]
    transitiveDeps: NotRequired[list[str]]
    tools: NotRequired[list[PluginOperation]]


class PluginsServerCalls(Calls):
    """Methods that call tools."""

    async def plugins_list(
        self,
    ) -> PluginRows:
        """The canvas adapters that are installed or enabled, and what became of each."""
        answer = await self._call("plugins_list", {}, {}, in_tab=False)
        return cast("PluginRows", answer)

    async def plugins_info(
        self,
        *,
        name: str,
    ) -> PluginInfo:
        """What a plugin declares, what it depends on, and its operations."""
        answer = await self._call("plugins_info", {"name": name}, {}, in_tab=False)
        return cast("PluginInfo", answer)
