"""The plugins of the server."""

from __future__ import annotations

from typing import Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.flows.plugins import Plugin
from stockade.kernel.arguments import Arguments
from stockade.kernel.call import Call
from stockade.kernel.instant import instant
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability

__all__ = ["plugins_info", "plugins_list"]

_TRUST = "operator"


class PluginsList(Arguments):
    """Nothing to say."""


class PluginsInfo(Arguments):
    """Which one."""

    name: str = Field(min_length=1, max_length=100)


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


class PluginRows(TypedDict):
    """The plugins that are installed or named in the settings."""

    rows: list[PluginRow]


class PluginOperation(TypedDict):
    """What canvas_query can ask of it."""

    name: str
    description: str


class PluginInfo(TypedDict):
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


def _row(call: Call, plugin: Plugin) -> dict[str, Any]:
    read = instant(call.kernel.plugins.read_at)
    row = {
        "name": plugin.name,
        "namespace": plugin.namespace,
        "version": plugin.version,
        "trust": _TRUST,
        "capabilities": sorted(plugin.capabilities),
        "dependsOn": list(plugin.depends_on),
        "status": plugin.status,
        "declaredAt": read,
    }
    return {
        **row,
        **({"enabledAt": read} if plugin.status == "loaded" else {"problem": plugin.problem}),
    }


@tool(Capability.READ, gives=PluginRows, toolset="debug", reach="server", reads=True)
async def plugins_list(call: Call, args: PluginsList) -> Result:
    """The canvas adapters that are installed or enabled, and what became of each."""
    del args
    return Result(rows=[_row(call, each) for each in call.kernel.plugins])


@tool(Capability.READ, gives=PluginInfo, toolset="debug", reach="server", reads=True)
async def plugins_info(call: Call, args: PluginsInfo) -> Result:
    """What a plugin declares, what it depends on, and its operations."""
    plugin = call.kernel.plugins.find(args.name)
    if plugin is None:
        known = ", ".join(each.name for each in call.kernel.plugins) or "none"
        data = {
            "ok": False,
            "name": args.name,
            "error": "there is no such plugin",
            "code": "no-plugin",
            "hint": f"There are: {known}.",
        }
        return Result(data=data, ok=False)
    tools = [
        {"name": f"{plugin.namespace}.{each.name}", "description": each.about}
        for each in plugin.operations.values()
    ]
    return Result(
        data={
            "ok": True,
            **_row(call, plugin),
            "transitiveDeps": call.kernel.plugins.behind(plugin),
            "tools": tools,
        }
    )
