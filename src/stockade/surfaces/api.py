"""REST under `/v1`: tools, sessions and artifacts."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Annotated, Any

import anyio
from fastapi import APIRouter, Body, Request
from fastapi.responses import FileResponse, Response

from stockade.errors import InvalidArgument, StockadeError, Unauthenticated
from stockade.kernel.arguments import InSession
from stockade.kernel.codes import code_of
from stockade.kernel.dispatch import Kernel
from stockade.kernel.results import Link, Reply
from stockade.kernel.tool import Tool
from stockade.policy.principal import Principal
from stockade.surfaces.access import principal_in
from stockade.surfaces.answers import answer

__all__ = ["caller", "routes"]

_LEFT = 499
_SCHEME = "stockade://"


def caller(request: Request) -> Principal:
    """Who makes the request; nothing of this surface is for nobody."""
    principal = principal_in(request.scope)
    if principal is None:
        raise Unauthenticated("a token is needed")
    return principal


def routes(kernel: Kernel) -> APIRouter:
    """The routes of this surface."""
    router = APIRouter(prefix="/v1")

    @router.get("/tools", summary="The tools this token may call")
    async def list_tools(request: Request) -> Response:
        policy = caller(request).policy
        shown = kernel.registry.shown(frozenset(kernel.registry.toolsets), policy)
        return answer({"ok": True, "tools": [_described(each) for each in shown]})

    @router.get("/sessions", summary="The open sessions")
    async def list_sessions(request: Request) -> Response:
        return await _called(kernel, request, "list_sessions", {})

    @router.delete("/sessions/{session}", summary="Close a session")
    async def close_session(request: Request, session: str) -> Response:
        return await _called(kernel, request, "close_session", {"session": session})

    @router.post("/sessions/{session}/tools/{tool}", summary="Call a tool in a session")
    async def call_tool(
        request: Request,
        session: str,
        tool: str,
        arguments: Annotated[dict[str, Any] | None, Body()] = None,
    ) -> Response:
        given = arguments or {}
        return await _called(kernel, request, tool, _within(kernel, session, tool, given))

    @router.get("/artifacts/{session}/{kind}/{name}", summary="The bytes of a picture or download")
    async def artifact(request: Request, session: str, kind: str, name: str) -> Response:
        uri = f"{_SCHEME}{session}/{kind}/{name}"
        found = kernel.artifacts.find(kernel.sessions, caller(request), uri)
        return FileResponse(
            found.path,
            media_type=found.mime_type,
            filename=kernel.masker.text(found.name),
            # Whatever a page made of it, here it is a file and not a page.
            headers={"content-security-policy": "sandbox; default-src 'none'"},
        )

    return router


def _described(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "capability": tool.capability,
        "toolset": tool.toolset,
        "inputSchema": tool.arguments.model_json_schema(by_alias=True),
    }


def _within(
    kernel: Kernel, session: str, tool: str, arguments: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The arguments, with the session that the address names."""
    if not kernel.registry.knows(tool):
        return arguments
    if not issubclass(kernel.registry.find(tool).arguments, InSession):
        return arguments
    if arguments.get("session", session) != session:
        raise InvalidArgument(
            "the session in the body is not the one in the address",
            hint="Leave it out of the body.",
        )
    return {**arguments, "session": session}


async def _called(
    kernel: Kernel, request: Request, tool: str, arguments: Mapping[str, Any]
) -> Response:
    """Make the call; a client that leaves takes its call with it."""
    principal = caller(request)
    reply: Reply | None = None
    async with anyio.create_task_group() as tasks:

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                continue
            tasks.cancel_scope.cancel()

        tasks.start_soon(watch)
        reply = await kernel.call(principal, tool, arguments)
        tasks.cancel_scope.cancel()
    return Response(status_code=_LEFT) if reply is None else _told(reply)


def _told(reply: Reply) -> Response:
    body: dict[str, Any] = {"ok": reply.ok}
    body |= reply.data if reply.data is not None else {"text": reply.text}
    if reply.images:
        body["images"] = [
            {"mimeType": each.mime_type, "data": base64.b64encode(each.data).decode()}
            for each in reply.images
        ]
    if reply.links:
        body["links"] = [_link(each) for each in reply.links]
    status = _status(reply.error)
    return answer(body, status, {"stockade-call": reply.call})


def _status(error: StockadeError | None) -> int:
    return 200 if error is None else code_of(error).status


def _link(link: Link) -> dict[str, Any]:
    shown: dict[str, Any] = {"uri": link.uri, "name": link.name, "mimeType": link.mime_type}
    if link.size is not None:
        shown["size"] = link.size
    if link.uri.startswith(_SCHEME):
        shown["href"] = f"/v1/artifacts/{link.uri.removeprefix(_SCHEME)}"
    return shown
