"""Toolsets: the groups in which clients are shown tools, and what each costs a model."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, Final

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

__all__ = ["DESCRIPTIONS", "description_of", "routes"]

DESCRIPTIONS: Final = {
    "core": "Sessions, tabs, navigation, reading pages and acting on them.",
    "forms": "Forms, fields and files.",
    "media": "Pictures, films, documents and downloads.",
    "inspect": "A closer look at a page: elements, styles, structure.",
    "network": "Requests, responses, routes and streams.",
    "storage": "Cookies, storage, caches and databases.",
    "emulation": "Devices, places, clocks and conditions.",
    "testing": "Checks, recordings, flows and reports.",
    "performance": "Traces, coverage, memory and metrics.",
    "debug": "Consoles, errors and scripts.",
}


def description_of(toolset: str) -> str:
    """What a toolset is for, in a sentence."""
    return DESCRIPTIONS.get(toolset, f"The tools of the set {toolset}.")


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
        policy = caller(request).policy
        if not sizes:
            # The package that says how tools are listed takes half a second to import.
            sizes.update(await asyncio.to_thread(_sizes, kernel.registry))
        names = list(kernel.registry.toolsets)
        page, following = paged("toolsets", names, lambda each: (names.index(each),), wanted)
        rows: list[dict[str, Any]] = []
        for name in page:
            shown = kernel.registry.shown(frozenset({name}), policy)
            rows.append(
                {
                    "name": name,
                    "description": description_of(name),
                    "tools": len(shown),
                    "bytes": sum(sizes[each.name] for each in shown),
                }
            )
        return answer({"ok": True, "toolsets": rows, "next": following})

    return router


def _sizes(registry: Registry) -> dict[str, int]:
    """What each tool takes in `tools/list`."""
    from stockade.surfaces.mcp.schemas import described  # noqa: PLC0415

    found = {}
    for tool in registry:
        entry = described(tool).model_dump(mode="json", by_alias=True, exclude_none=True)
        found[tool.name] = len(
            json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()
        )
    return found
