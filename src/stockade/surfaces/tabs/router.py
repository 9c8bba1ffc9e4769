"""Every route of the tab API."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import APIRouter, Request
from fastapi.responses import Response

from stockade.errors import Missing
from stockade.kernel.dispatch import Kernel
from stockade.surfaces.tabs import calls, files
from stockade.surfaces.tabs.operations import OPERATIONS, Operation

__all__ = ["routes"]

_LEFT_OUT = ("/vnc", "/vnc/{rest:path}")


def routes(kernel: Kernel) -> APIRouter:
    """The routes of this surface."""
    router = APIRouter(include_in_schema=False)

    def add(method: str, path: str, handler: Callable[[Request], Awaitable[Response]]) -> None:
        router.add_api_route(path, handler, methods=[method], name=f"{method} {path}")

    for each in sorted(OPERATIONS, key=_place):
        add(each.method, each.path, _handler(kernel, each))

    async def act(request: Request) -> Response:
        return await calls.act(kernel, request)

    async def download(request: Request) -> Response:
        return await files.download(kernel, request)

    async def trace(request: Request) -> Response:
        return await files.trace(kernel, request)

    add("POST", "/act", act)
    add("GET", "/tabs/{tabId}/downloads/{downloadId}", download)
    add("GET", "/sessions/{userId}/traces/{filename}", trace)
    for path in _LEFT_OUT:
        router.add_api_route(path, _left_out, methods=["GET"])
    return router


def _handler(kernel: Kernel, operation: Operation) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        return await calls.carried_out(kernel, request, operation)

    return handle


def _place(operation: Operation) -> tuple[bool, int]:
    """What is named in full before what is a name, and the longer before the shorter."""
    return "{" in operation.path, -operation.path.count("/")


async def _left_out(request: Request) -> Response:
    del request
    raise Missing(
        "this server shows no browser over VNC",
        hint="That part of the tab API is left out; the console and screenshots show pages.",
    )
