"""Code in a page: calls with JSON in and out, and handles to what stays there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from stockade.engines.cdp.connection import Session
from stockade.engines.port import DEADLINE
from stockade.errors import ScriptFailed, TabClosed

if TYPE_CHECKING:
    from stockade.engines.cdp.frames import ChromiumFrame

__all__ = [
    "OBJECT_GROUP",
    "Answer",
    "ChromiumHandle",
    "Remote",
    "call_function",
    "call_function_handle",
    "checked",
]

OBJECT_GROUP = "stockade"
_UNSERIALIZABLE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf, "-0": -0.0}


class Remote(msgspec.Struct):
    """Something in the page, or its value."""

    type: str = "undefined"
    subtype: str = ""
    value: Any = None
    objectId: str = ""
    unserializableValue: str = ""
    description: str = ""


class _Thrown(msgspec.Struct):
    text: str = ""
    lineNumber: int = 0
    columnNumber: int = 0
    exception: Remote | None = None
    stackTrace: dict[str, Any] | None = None


class Answer(msgspec.Struct):
    """What became of code: its value, or what it threw."""

    result: Remote
    exceptionDetails: _Thrown | None = None


def checked(answer: Answer) -> Remote:
    """The value; what was thrown is raised."""
    thrown = answer.exceptionDetails
    if thrown is None:
        return answer.result
    text = thrown.text
    if thrown.exception is not None:
        text = thrown.exception.description or str(thrown.exception.value)
    raise ScriptFailed(text.split("\n", 1)[0], stack=text[:4000], line=thrown.lineNumber)


def _value(remote: Remote) -> Any:
    if remote.unserializableValue:
        if remote.type == "bigint":
            return int(remote.unserializableValue.rstrip("n"))
        return _UNSERIALIZABLE.get(remote.unserializableValue)
    return remote.value


async def _call(
    session: Session,
    function: str,
    arguments: Sequence[Any],
    place: dict[str, Any],
    *,
    by_value: bool,
    timeout: float,
) -> Remote:
    params = {
        "functionDeclaration": function,
        "arguments": [
            {"objectId": argument.object_id}
            if isinstance(argument, ChromiumHandle)
            else {"value": argument}
            for argument in arguments
        ],
        "returnByValue": by_value,
        "awaitPromise": True,
        **place,
    }
    if not by_value:
        params["objectGroup"] = OBJECT_GROUP
    return checked(
        await session.send_typed("Runtime.callFunctionOn", params, Answer, timeout=timeout)
    )


def _place(context: int | None, object_id: str | None) -> dict[str, Any]:
    return {"objectId": object_id} if object_id else {"executionContextId": context}


async def call_function(
    session: Session,
    function: str,
    arguments: Sequence[Any],
    *,
    context: int | None = None,
    object_id: str | None = None,
    timeout: float,
) -> Any:
    """Call a function in a context, or on an object, and bring its answer out."""
    place = _place(context, object_id)
    return _value(await _call(session, function, arguments, place, by_value=True, timeout=timeout))


async def call_function_handle(
    session: Session,
    function: str,
    arguments: Sequence[Any],
    *,
    context: int,
    timeout: float,
) -> str:
    """Call a function in a context and leave its answer in the page."""
    place = _place(context, None)
    remote = await _call(session, function, arguments, place, by_value=False, timeout=timeout)
    if not remote.objectId:
        raise ScriptFailed(f"the answer is not an object but {remote.type}")
    return remote.objectId


class ChromiumHandle:
    """An object in a frame's script world."""

    def __init__(self, frame: ChromiumFrame, context: int, object_id: str) -> None:
        self.frame = frame
        self.object_id = object_id
        self._context = context
        self._session = frame.session

    async def call(self, function: str, *arguments: Any, timeout: float = DEADLINE) -> Any:
        """Call a function with this object as `this`."""
        return await call_function(
            self._session, function, arguments, object_id=self.object_id, timeout=timeout
        )

    async def items(self, *, timeout: float = DEADLINE) -> Sequence[ChromiumHandle]:
        """The elements of an array."""
        answer = await self._session.send(
            "Runtime.getProperties",
            {"objectId": self.object_id, "ownProperties": True},
            timeout=timeout,
        )
        return [
            ChromiumHandle(self.frame, self._context, entry["value"]["objectId"])
            for entry in answer["result"]
            if entry["name"].isdigit() and entry.get("value", {}).get("objectId")
        ]

    async def instances(self, *, timeout: float = DEADLINE) -> ChromiumHandle:
        """All live objects whose prototype this is."""
        answer = await self._session.send(
            "Runtime.queryObjects",
            {"prototypeObjectId": self.object_id, "objectGroup": OBJECT_GROUP},
            timeout=timeout,
        )
        return ChromiumHandle(self.frame, self._context, answer["objects"]["objectId"])

    async def closed_shadow_root(self, *, timeout: float = DEADLINE) -> ChromiumHandle | None:
        """The closed shadow root of this element."""
        node = await self._describe(timeout)
        for root in node.get("shadowRoots", ()):
            if root.get("shadowRootType") == "closed":
                resolved = await self._session.send(
                    "DOM.resolveNode",
                    {
                        "backendNodeId": root["backendNodeId"],
                        "executionContextId": self._context,
                        "objectGroup": OBJECT_GROUP,
                    },
                    timeout=timeout,
                )
                return ChromiumHandle(self.frame, self._context, resolved["object"]["objectId"])
        return None

    async def in_world(self, context: int, *, timeout: float = DEADLINE) -> ChromiumHandle:
        """The same element as another script world of its document sees it."""
        node = await self._describe(timeout)
        resolved = await self._session.send(
            "DOM.resolveNode",
            {
                "backendNodeId": node["backendNodeId"],
                "executionContextId": context,
                "objectGroup": OBJECT_GROUP,
            },
            timeout=timeout,
        )
        return ChromiumHandle(self.frame, context, resolved["object"]["objectId"])

    async def content_frame(self, *, timeout: float = DEADLINE) -> ChromiumFrame | None:
        """The frame inside this frame element."""
        node = await self._describe(timeout)
        return self.frame.page.frame_tree.by_id.get(node.get("frameId", ""))

    async def _describe(self, timeout: float) -> dict[str, Any]:
        answer = await self._session.send(
            "DOM.describeNode", {"objectId": self.object_id, "depth": 0}, timeout=timeout
        )
        node: dict[str, Any] = answer["node"]
        return node

    async def set_files(self, paths: Sequence[str], *, timeout: float = DEADLINE) -> None:
        """Put files into this file input."""
        await self._session.send(
            "DOM.setFileInputFiles",
            {"files": list(paths), "objectId": self.object_id},
            timeout=timeout,
        )

    async def dispose(self) -> None:
        """Let the page forget it."""
        try:
            self._session.post(("Runtime.releaseObject", {"objectId": self.object_id}))
        except TabClosed:
            return
