"""Event listeners of a page's own scripts, which no other world can see in the document."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from stockade.engines.values import World
from stockade.errors import EngineError

if TYPE_CHECKING:
    from stockade.engines.cdp.frames import ChromiumFrame
    from stockade.engines.cdp.scripts import ChromiumHandle

__all__ = ["call_with_listeners"]

_GROUP = "stockade-listeners"
_MOST = 200
"""How many elements are handed over at a time."""
_RELAY = 30
"""What listens to so many kinds of event hands them on to the components of a framework."""


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


def _listening(
    listeners: Iterable[_Listener], types: Collection[str], known: Collection[int]
) -> list[int]:
    """The elements that listen for their own sake, other than those that are known."""
    kinds: dict[int, set[str]] = {}
    for listener in listeners:
        kinds.setdefault(listener.backendNodeId, set()).add(listener.type)
    return [
        node
        for node, heard in kinds.items()
        if node and node not in known and not heard.isdisjoint(types) and len(heard) < _RELAY
    ]


async def _documents(frame: ChromiumFrame, context: int, timeout: float) -> list[str]:
    asked = {"expression": "document", "contextId": context, "objectGroup": _GROUP}
    document = await frame.session.send_typed(
        "Runtime.evaluate", {**asked, "silent": True}, _Evaluated, timeout=timeout
    )
    return [document.result.objectId]


async def _as_page_sees(roots: Sequence[ChromiumHandle], context: int, timeout: float) -> list[str]:
    async def resolve(root: ChromiumHandle) -> str:
        try:
            return (await root.in_world(context, timeout=timeout)).object_id
        except EngineError:
            return ""  # removed meanwhile

    return [each for each in await asyncio.gather(*map(resolve, roots)) if each]


async def call_with_listeners(
    frame: ChromiumFrame,
    function: str,
    types: Collection[str],
    known: set[int],
    roots: Sequence[ChromiumHandle] | None = None,
    *,
    timeout: float,
) -> int:
    """Call `function` in the agent's world with elements that listen to `types`.

    They are looked for in the document, or in shadow roots, which a look at it leaves out. Those in
    `known` are left out, and those that were handed over are added to it.
    """
    session = frame.session
    context = await frame.world(World.AGENT, timeout=timeout)
    # Asked for all worlds at once, from ours, the renderer crashes at its next garbage collection.
    page_context = await frame.world(World.MAIN, timeout=timeout)
    if roots is None:
        places = await _documents(frame, page_context, timeout)
    else:
        places = await _as_page_sees(roots, page_context, timeout)

    async def ask(place: str) -> list[_Listener]:
        asked = {"objectId": place, "depth": -1, "pierce": False}
        answer = await session.send_typed(
            "DOMDebugger.getEventListeners", asked, _Listeners, timeout=timeout
        )
        return answer.listeners

    async def resolve(node: int) -> str:
        place: dict[str, Any] = {"backendNodeId": node, "executionContextId": context}
        try:
            found = await session.send_typed(
                "DOM.resolveNode", {**place, "objectGroup": _GROUP}, _Resolved, timeout=timeout
            )
        except EngineError:
            return ""  # removed meanwhile
        return found.object.objectId

    try:
        answers = await asyncio.gather(*map(ask, places))
        nodes = _listening(chain.from_iterable(answers), types, known)[:_MOST]
        objects = await asyncio.gather(*map(resolve, nodes))
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
        for place in places if roots is not None else ():
            session.post(("Runtime.releaseObject", {"objectId": place}))
