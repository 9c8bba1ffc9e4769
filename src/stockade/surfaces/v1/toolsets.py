"""Toolsets: the groups in which clients are shown tools, and what each costs a model."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import Response
from typing_extensions import TypedDict

from stockade.kernel.dispatch import Kernel
from stockade.kernel.registry import Registry
from stockade.surfaces.access import caller
from stockade.surfaces.answers import answer
from stockade.surfaces.v1.accepting import json_only
from stockade.surfaces.v1.paging import Paged, paged
from stockade.surfaces.v1.statuses import LIST, documented
from stockade.tools.toolsets import TOOLSETS

__all__ = ["routes"]


class ToolsetRow(TypedDict):
    """A toolset. `bytes` is what its tools take in the list that an MCP client is given."""

    name: str
    description: str
    tools: int
    bytes: int


class ToolsetPage(TypedDict):
    """The toolsets there are, `core` first."""

    ok: bool
    toolsets: list[ToolsetRow]
    next: str | None


def routes(kernel: Kernel) -> APIRouter:
    """The routes of this noun."""
    router = APIRouter(prefix="/v1", tags=["tools"], dependencies=[Depends(json_only)])
    sizes: dict[str, int] = {}

    @router.get(
        "/toolsets", summary="The toolsets there are", responses=documented(ToolsetPage, LIST)
    )
    async def get_toolsets(request: Request, wanted: Annotated[Paged, Query()]) -> Response:
        principal = caller(request)
        if not sizes:
            # The package that says how tools are listed takes half a second to import.
            sizes.update(await asyncio.to_thread(_sizes, kernel.registry))
        names = list(kernel.registry.toolsets)
        page, following = paged("toolsets", names, lambda each: (names.index(each),), wanted)
        rows: list[dict[str, Any]] = []
        for name in page:
            shown = kernel.registry.shown(frozenset({name}), principal)
            rows.append(
                {
                    "name": name,
                    "description": TOOLSETS[name],
                    "tools": len(shown),
                    "bytes": sum(sizes[each.name] for each in shown),
                }
            )
        return answer({"ok": True, "toolsets": rows, "next": following})

    return router


def _sizes(registry: Registry) -> dict[str, int]:
    """What each tool takes in `tools/list`."""
    from stockade.surfaces.mcp.schemas import size_of  # noqa: PLC0415

    return {tool.name: size_of(tool) for tool in (*registry, *registry.apart)}
