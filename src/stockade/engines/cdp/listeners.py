"""Event listeners of a page's own scripts, which no other world can see in the document."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import msgspec

from stockade.engines.values import World
from stockade.errors import EngineError

if TYPE_CHECKING:
    from stockade.engines.cdp.frames import ChromiumFrame

__all__ = ["call_with_listeners"]

_GROUP = "stockade-listeners"
_MOST = 200
"""How many elements are handed over at a time."""


class _Object(msgspec.Struct):
    objectId: str = ""


class _Evaluated(msgspec.Struct):
    result: _Object


class _Resolved(msgspec.Struct):
    object: _Object


class _Listener(msgspec.Struct):
    type: str
    backendNodeId: int = 0


class _Listeners(msgspec.Struct):
    listeners: list[_Listener]


async def call_with_listeners(
    frame: ChromiumFrame,
    function: str,
    types: Collection[str],
    known: set[int],
    *,
    timeout: float,
) -> int:
    """Call `function` in the agent's world with elements that listen to `types`.

    Those in `known` are left out, and those that were handed over are added to it.
    """
    session = frame.session
    context = await frame.world(World.AGENT, timeout=timeout)
    # Asked for all worlds at once, from ours, the renderer crashes at its next garbage collection.
    page_context = await frame.world(World.MAIN, timeout=timeout)
    asked = {"expression": "document", "contextId": page_context, "objectGroup": _GROUP}
    document = await session.send_typed(
        "Runtime.evaluate",
        {**asked, "silent": True},
        _Evaluated,
        timeout=timeout,
    )
    try:
        answer = await session.send_typed(
            "DOMDebugger.getEventListeners",
            {"objectId": document.result.objectId, "depth": -1, "pierce": False},
            _Listeners,
            timeout=timeout,
        )
        fresh = dict.fromkeys(
            listener.backendNodeId
            for listener in answer.listeners
            if listener.type in types and listener.backendNodeId not in known
        )
        fresh.pop(0, None)
        nodes = list(fresh)[:_MOST]

        async def resolve(node: int) -> str:
            place: dict[str, Any] = {"backendNodeId": node, "executionContextId": context}
            try:
                found = await session.send_typed(
                    "DOM.resolveNode", {**place, "objectGroup": _GROUP}, _Resolved, timeout=timeout
                )
            except EngineError:
                return ""  # removed meanwhile
            return found.object.objectId

        objects = await asyncio.gather(*(resolve(node) for node in nodes))
        known.update(nodes)
        arguments = [{"objectId": each} for each in objects if each]
        if arguments:
            await session.send_typed(
                "Runtime.callFunctionOn",
                {
                    "functionDeclaration": function,
                    "executionContextId": context,
                    "arguments": arguments,
                    "silent": True,
                },
                dict[str, Any],
                timeout=timeout,
            )
        return len(arguments)
    finally:
        session.post(("Runtime.releaseObjectGroup", {"objectGroup": _GROUP}))
