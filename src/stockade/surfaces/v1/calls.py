"""Calls: a tool called by a request, and its reply as an answer."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import anyio
from fastapi import Request
from fastapi.responses import Response

from stockade.errors import InvalidArgument
from stockade.kernel.codes import code_of
from stockade.kernel.dispatch import Kernel
from stockade.kernel.results import Link, Reply
from stockade.surfaces.access import caller
from stockade.surfaces.answers import answer, waiting
from stockade.surfaces.cancel_once import cancel_once

__all__ = ["SCHEME", "called", "given", "reply_to", "told"]

_LEFT = 499
SCHEME = "stockade://"
"""What the addresses of kept files begin with."""


async def given(request: Request, arguments: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The arguments that a request came with: an object, or nothing at all."""
    if arguments is None and await request.body():
        raise InvalidArgument("the body is not a JSON object", hint="Leave it out, or send {}.")
    return arguments or {}


async def called(
    kernel: Kernel, request: Request, tool: str, arguments: Mapping[str, Any]
) -> Response:
    """Make a call and answer with what came of it."""
    reply = await reply_to(kernel, request, tool, arguments)
    return Response(status_code=_LEFT) if reply is None else told(reply)


async def reply_to(
    kernel: Kernel, request: Request, tool: str, arguments: Mapping[str, Any]
) -> Reply | None:
    """Make a call; a client that leaves takes its call with it, and gets nothing."""
    principal = caller(request)
    reply: Reply | None = None
    async with anyio.create_task_group() as tasks:

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                continue
            tasks.cancel_scope.cancel()

        tasks.start_soon(watch)
        reply = await cancel_once(kernel.call(principal, tool, arguments))
        tasks.cancel_scope.cancel()
    return reply


def told(reply: Reply, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A reply as an answer: `status` and `headers` are for one without an error."""
    body: dict[str, Any] = {"ok": reply.ok}
    body |= reply.data if reply.data is not None else {"text": reply.text}
    body |= reply.failure or {}
    if reply.aside:
        body["aside"] = reply.aside
    if reply.images:
        body["images"] = [
            {"mimeType": each.mime_type, "data": base64.b64encode(each.data).decode()}
            for each in reply.images
        ]
    if reply.links:
        body["links"] = [_link(each) for each in reply.links]
    known = {"stockade-call": reply.call}
    if reply.error is not None:
        return answer(body, code_of(reply.error).status, {**known, **waiting(reply.error)})
    return answer(body, status, {**known, **(headers or {})})


def _link(link: Link) -> dict[str, Any]:
    shown: dict[str, Any] = {"uri": link.uri, "name": link.name, "mimeType": link.mime_type}
    if link.size is not None:
        shown["size"] = link.size
    if link.uri.startswith(SCHEME):
        shown["href"] = f"/v1/artifacts/{link.uri.removeprefix(SCHEME)}"
    return shown
