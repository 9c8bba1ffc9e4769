"""MCP over streamable HTTP, mounted into the server's web application."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import TYPE_CHECKING, Self
from urllib.parse import parse_qs

from starlette.types import Receive, Scope, Send

from stockade.errors import BadSetting, InvalidArgument
from stockade.kernel.dispatch import Kernel
from stockade.surfaces.answers import refusal
from stockade.surfaces.mcp.caller import Caller

if TYPE_CHECKING:
    from stockade.surfaces.mcp.streamable import Streamable

__all__ = ["McpEndpoint"]


class McpEndpoint:
    """An ASGI application for one path; it runs while it is entered.

    Whoever mounts it has authenticated the caller (`scope["stockade.principal"]`) and checked the
    Host and Origin headers. What it needs is imported and started with the first request.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._group = asyncio.TaskGroup()
        self._stopping = asyncio.Event()
        self._streamable: asyncio.Future[Streamable] | None = None

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        del kind, error, trace
        self._stopping.set()
        # What goes wrong in the body is to come out of it as it is, not as one of a group.
        await self._group.__aexit__(None, None, None)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            caller = self._caller(scope)
        except InvalidArgument as error:
            await refusal(error, status=400)(scope, receive, send)
            return
        streamable = await self._started()
        await streamable(scope, receive, send, caller)

    def _caller(self, scope: Scope) -> Caller:
        query = parse_qs(scope["query_string"].decode("latin-1"))
        named = [name.strip() for name in ",".join(query.get("toolsets", [])).split(",")]
        wanted = [name for name in named if name] or self._kernel.settings.toolsets
        try:
            toolsets = self._kernel.registry.chosen(wanted)
        except BadSetting as error:
            raise InvalidArgument(error.message, hint=error.hint) from None
        return Caller(scope["stockade.principal"], toolsets, web=True)

    async def _started(self) -> Streamable:
        if self._streamable is None:
            self._streamable = asyncio.get_running_loop().create_future()
            self._group.create_task(self._run(self._streamable))
        return await asyncio.shield(self._streamable)

    async def _run(self, started: asyncio.Future[Streamable]) -> None:
        try:
            make = await asyncio.to_thread(_load)
            streamable = make(self._kernel)
        except Exception as error:  # noqa: BLE001
            # Whoever waits is to hear of it; whoever comes next may have better luck.
            self._streamable = None
            started.set_exception(error)
            return
        async with streamable.running():
            started.set_result(streamable)
            await self._stopping.wait()


def _load() -> type[Streamable]:
    """The rest takes half a second to import, which a server without MCP clients need not spend."""
    from stockade.surfaces.mcp.streamable import Streamable  # noqa: PLC0415

    return Streamable
