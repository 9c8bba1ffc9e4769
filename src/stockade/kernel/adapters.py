"""What a plugin is given to work with, and how an operation of one is run.

A plugin reaches a browser only by calling tools, and those calls go the one way that all go. They
can do what both the session's policy and the plugin's own capabilities allow, and where plugins ask
each other, what every one on the way allows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from stockade.errors import InternalError, InvalidArgument, ProviderFailed, StockadeError
from stockade.flows.plugins import Plugin
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.telemetry.logs import get_logger
from stockade.urls import origin_of

__all__ = ["PluginApi", "asked"]

_MOST_SHOWN = 20
_TOKENS = 20_000
_log = get_logger("stockade.plugins")


class PluginApi:
    """One call of an operation, as the plugin sees it."""

    def __init__(self, call: Call, plugin: Plugin) -> None:
        outer = call.ceiling
        within = plugin.capabilities if outer is None else plugin.capabilities & outer
        self._call = replace(call, ceiling=within)
        self._plugin = plugin

    async def call_tool(self, name: str, args: Mapping[str, Any] | None = None) -> Any:
        """Call a tool in the tab of the call; its data or text. What fails is raised."""
        call, registry = self._call, self._call.kernel.registry
        tool = registry.find(name)
        closed = tool.name == call.tool.name or tool in registry.apart
        if closed or not tool.inner or tool.capability is None or tool.reach == "server":
            raise InvalidArgument(f"{tool.name} cannot be called by a plugin")
        place = call.placed(name, {"session": call.session.name, "tab": call.tab.id})
        reply = await call.inner(name, {**(args or {}), **place}, shown=False)
        if reply.error is not None:
            raise reply.error
        if not reply.ok:
            raise ProviderFailed(f"{tool.name} did not succeed", tool=tool.name)
        return reply.data if reply.data is not None else reply.text

    async def ask(self, plugin: str, op: str, args: Mapping[str, Any] | None = None) -> Any:
        """Run an operation of a plugin that this one depends on."""
        found = self._call.kernel.plugins.find(plugin)
        if found is None or plugin not in self._plugin.depends_on:
            raise InvalidArgument("a plugin can ask those alone that it depends on")
        return await _run(self._call, found, op, dict(args or {}))


async def asked(call: Call, adapter: str, op: str, args: dict[str, Any]) -> Result:
    """What an adapter answers, or that there is none."""
    plugin = call.kernel.plugins.adapter(adapter)
    if plugin is None:
        return _none(
            "no-adapter", adapter, "no canvas adapter of that name is loaded", _adapters(call)
        )
    if op not in plugin.operations:
        known = ", ".join(list(plugin.operations)[:_MOST_SHOWN])
        return _none("no-op", adapter, "the adapter has no such operation", f"It has: {known}.")
    answer = await _run(call, plugin, op, args)
    data = {"ok": True, "adapter": adapter, "op": op, "result": answer}
    return Result(data=data, source=origin_of(call.tab.url), tokens=_TOKENS)


async def _run(call: Call, plugin: Plugin, op: str, args: dict[str, Any]) -> Any:
    operation = plugin.operations.get(op)
    if operation is None:
        raise InvalidArgument(f"{plugin.name} has no such operation")
    try:
        answer = await operation.run(PluginApi(call, plugin), args)
        return msgspec.json.decode(msgspec.json.encode(answer))
    except StockadeError as error:
        if isinstance(error, InternalError):
            raise
        error.details.setdefault("plugin", plugin.name)
        raise
    except Exception as error:  # noqa: BLE001
        # Somebody else's code: what went wrong in it is for the operator, not for the agent.
        _log.warning("plugin failed", plugin=plugin.name, op=operation.name, exc_info=True)
        raise ProviderFailed(
            f"the plugin {plugin.name} failed at {operation.name}: {type(error).__name__}",
            plugin=plugin.name,
        ) from None


def _adapters(call: Call) -> str:
    loaded = [each.namespace for each in call.kernel.plugins if each.status == "loaded"]
    if loaded:
        return f"There are: {', '.join(loaded[:_MOST_SHOWN])}."
    return "The operator can install one and name it in STOCKADE_PLUGINS."


def _none(code: str, adapter: str, error: str, hint: str) -> Result:
    data = {"ok": False, "adapter": adapter, "error": error, "code": code, "hint": hint}
    return Result(data=data, ok=False)
