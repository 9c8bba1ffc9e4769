"""Tools: listed, described and called."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Annotated, Any, NotRequired

from fastapi import APIRouter, Body, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.arguments import InSession
from stockade.kernel.dispatch import Kernel
from stockade.kernel.registry import ALL_TOOLSETS, Registry
from stockade.kernel.shapes import schema_of
from stockade.kernel.tool import Tool
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Principal
from stockade.surfaces.access import caller
from stockade.surfaces.answers import encoded, tagged
from stockade.surfaces.v1.accepting import json_only
from stockade.surfaces.v1.calls import called, given
from stockade.surfaces.v1.paging import Paged, paged
from stockade.surfaces.v1.sessions import InPath
from stockade.surfaces.v1.statuses import LIST, ONE, TOOL, documented
from stockade.tools.examples import examples

__all__ = ["routes"]

ToolName = Annotated[str, Path(description="The name of a tool.", max_length=100)]
Given = Annotated[dict[str, Any] | None, Body()]


class ToolRow(TypedDict):
    """A tool: what it is for, what it takes and what it does."""

    name: str
    description: str
    capability: str | None
    toolset: str
    reach: str
    reads: bool
    destructive: bool
    idempotent: bool
    inputSchema: dict[str, Any]


class ToolPage(TypedDict):
    """The tools that the token may call."""

    ok: bool
    tools: list[ToolRow]
    next: str | None


class ToolExample(TypedDict):
    """A call, and what came of it."""

    arguments: dict[str, Any]
    result: Any


class ToolFull(ToolRow):
    """A tool with what it gives, and a worked example."""

    outputSchema: dict[str, Any]
    example: NotRequired[ToolExample]


class ToolShown(TypedDict):
    """One tool."""

    ok: bool
    tool: ToolFull


class ToolAnswer(TypedDict):
    """What came of it: the data of the tool, or its text."""

    ok: bool


class WantedTools(Paged):
    """Which tools are wanted."""

    toolset: str | None = Field(None, max_length=100, description="Those of this toolset alone.")
    capability: Capability | None = Field(
        None, description="Those that stand behind this capability alone."
    )
    q: str | None = Field(
        None, max_length=100, description="Those with this in their name or description."
    )


def routes(kernel: Kernel) -> APIRouter:
    """The routes of this noun."""
    router = APIRouter(prefix="/v1", tags=["tools"], dependencies=[Depends(json_only)])
    known: dict[str, dict[str, Any]] = {}

    def row(tool: Tool) -> dict[str, Any]:
        if tool.name not in known:
            known[tool.name] = _row(tool)
        return known[tool.name]

    @router.get(
        "/tools",
        summary="The tools this token may call",
        responses={304: {"description": "As it was."}, **documented(ToolPage, LIST)},
    )
    async def get_tools(request: Request, wanted: Annotated[WantedTools, Query()]) -> Response:
        # Their code is loaded with the first list, which takes most of a second.
        body = await asyncio.to_thread(_listed, kernel.registry, caller(request), wanted, row)
        return tagged(request, encoded(body))

    @router.get(
        "/tools/{tool}",
        summary="A tool, with its schemas and an example",
        responses={304: {"description": "As it was."}, **documented(ToolShown, ONE)},
    )
    async def get_tool(request: Request, tool: ToolName) -> Response:
        found = kernel.registry.find(tool)
        caller(request).policy.require(found.capability, found.name)
        shown = {**row(found), "outputSchema": schema_of(found.gives)}
        example = examples().get(tool)
        if example is not None and example.shown:
            shown["example"] = example.shown
        return tagged(request, encoded({"ok": True, "tool": shown}))

    @router.post(
        "/tools/{tool}",
        summary="Call any tool that needs no session",
        responses=documented(ToolAnswer, TOOL),
    )
    async def post_tool(request: Request, tool: ToolName, arguments: Given = None) -> Response:
        if kernel.registry.knows(tool) and kernel.registry.find(tool).reach != "server":
            raise InvalidArgument(
                f"{tool} works in a session",
                hint=f"POST /v1/sessions/default/tools/{tool}, or name another session.",
            )
        return await called(kernel, request, tool, await given(request, arguments))

    @router.post(
        "/sessions/{session}/tools/{tool}",
        summary="Call any tool in a session",
        responses=documented(ToolAnswer, TOOL),
    )
    async def post_session_tool(
        request: Request, session: InPath, tool: ToolName, arguments: Given = None
    ) -> Response:
        await kernel.registry.load(tool)
        wanted = _within(kernel, session, tool, await given(request, arguments))
        return await called(kernel, request, tool, wanted)

    return router


def _listed(
    registry: Registry,
    principal: Principal,
    wanted: WantedTools,
    row: Callable[[Tool], dict[str, Any]],
) -> dict[str, Any]:
    """A page of the tools that somebody may call."""
    if wanted.toolset is not None and wanted.toolset not in registry.toolsets:
        raise InvalidArgument(
            "there is no such toolset", hint=f"There are: {', '.join(registry.toolsets)}."
        )
    order = {each.name: number for number, each in enumerate((*registry, *registry.apart))}
    # Those with another system's names are for who asks for them.
    among = registry.chosen([wanted.toolset or ALL_TOOLSETS])
    shown = [each for each in registry.shown(among, principal) if _is_wanted(each, wanted)]
    page, following = paged("tools", shown, lambda each: (order[each.name],), wanted)
    return {"ok": True, "tools": [row(each) for each in page], "next": following}


def _row(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "capability": tool.capability,
        "toolset": tool.toolset,
        "reach": tool.reach,
        "reads": tool.reads,
        "destructive": tool.destructive,
        "idempotent": tool.idempotent,
        "inputSchema": tool.arguments.model_json_schema(by_alias=True),
    }


def _is_wanted(tool: Tool, wanted: WantedTools) -> bool:
    if wanted.toolset is not None and tool.toolset != wanted.toolset:
        return False
    if wanted.capability is not None and tool.capability is not wanted.capability:
        return False
    words = (wanted.q or "").casefold()
    return words in tool.name.casefold() or words in tool.description.casefold()


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
