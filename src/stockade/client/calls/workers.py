"""Calls of the tools in `workers`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class WorkerRow(TypedDict):
    """A worker that runs."""

    workerId: str
    type: str
    url: str
    state: str
    status: NotRequired[str]


class WorkerRows(Beside):
    """The workers of the session, oldest first."""

    ok: bool
    workers: list[WorkerRow]


class WorkerMessage(TypedDict):
    """A message that a worker posted."""

    workerId: str
    data: Any
    at: str
    truncated: NotRequired[bool]


class WorkerMessages(Beside):
    """What was posted since the last time, oldest first."""

    ok: bool
    messages: list[WorkerMessage]


class WorkerMessageSent(Beside):
    """A worker was given a message."""

    ok: bool
    workerId: str
    type: str
    url: str
    bytes: int


class CannedResponse(TypedDict):
    """What to answer; a body that is no text is given as JSON."""

    status: NotRequired[int]
    body: NotRequired[Any]
    contentBase64: NotRequired[str | None]
    contentType: NotRequired[str]
    headers: NotRequired[dict[str, str]]


class SwIntercepted(Beside):
    """A rule was added."""

    ok: bool
    pattern: str
    status: int
    active: list[str]


class SwReleased(Beside):
    """Rules were removed."""

    ok: bool
    removed: int
    active: list[str]


class WorkersCalls(Calls):
    """Methods that call tools."""

    async def workers_list(
        self,
        *,
        type_: Literal['web', 'service', 'all'] | None = None,
    ) -> WorkerRows:
        """The dedicated, shared and service workers of the session; their messages are kept since."""
        answer = await self._call("workers_list", {}, {"type": type_}, in_tab=False)
        return cast("WorkerRows", answer)

    async def worker_messages_read(
        self,
        *,
        worker_id: str | None = None,
    ) -> WorkerMessages:
        """What workers posted since the last read, or since workers_list. It is untrusted."""
        answer = await self._call("worker_messages_read", {}, {"workerId": worker_id}, in_tab=False)
        return cast("WorkerMessages", answer)

    async def worker_message_send(
        self,
        *,
        worker_id: str,
        message: Any,
    ) -> WorkerMessageSent:
        """Post a message to a worker, as a page would."""
        answer = await self._call("worker_message_send", {"workerId": worker_id, "message": message}, {}, in_tab=False)
        return cast("WorkerMessageSent", answer)

    async def sw_intercept_fetch(
        self,
        *,
        pattern: str,
        response: CannedResponse,
    ) -> SwIntercepted:
        """Answer fetches that service workers handle or make, in place of them."""
        answer = await self._call("sw_intercept_fetch", {"pattern": pattern, "response": response}, {}, in_tab=False)
        return cast("SwIntercepted", answer)

    async def sw_unintercept_fetch(
        self,
        *,
        pattern: str | None = None,
    ) -> SwReleased:
        """Let service workers answer fetches again: those of a pattern, or all."""
        answer = await self._call("sw_unintercept_fetch", {}, {"pattern": pattern}, in_tab=False)
        return cast("SwReleased", answer)
