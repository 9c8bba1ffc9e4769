"""Files of the tab API: a download or a trace, byte by byte."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from typing import BinaryIO
from urllib.parse import quote

import anyio
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from stockade.errors import InvalidArgument
from stockade.kernel.dispatch import Kernel
from stockade.policy.capabilities import Capability
from stockade.surfaces.access import caller
from stockade.surfaces.tabs.asked import asked
from stockade.surfaces.tabs.errors import Where, refusal
from stockade.surfaces.tabs.segments import part
from stockade.surfaces.v1.calls import reply_to
from stockade.surfaces.v1.files import file_answer

__all__ = ["download", "trace"]

_LEFT = 499
_PIECE = 1 << 18


async def download(kernel: Kernel, request: Request) -> Response:
    """The bytes of what a tab has downloaded, or the part that is asked for."""
    wanted = await asked(request)
    if not wanted.user:
        raise InvalidArgument("userId required")
    tab = part(request, "tabId") or ""
    which = part(request, "downloadId")
    arguments = {"session": wanted.session, "tabId": tab, "downloadId": which}
    reply = await reply_to(kernel, request, "camofox_download", arguments)
    if reply is None:
        return Response(status_code=_LEFT)
    if reply.error is not None:
        return refusal(reply.error, where=Where(tab), mask=kernel.masker_of(caller(request)))
    artifact = kernel.artifacts.find(kernel.sessions, caller(request), reply.links[0].uri)
    return await file_answer(request, kernel.masker_of(caller(request)), artifact)


async def trace(kernel: Kernel, request: Request) -> Response:
    """The bytes of a trace."""
    wanted = await asked(request)
    if not wanted.user:
        raise InvalidArgument("userId required")
    principal = caller(request)
    principal.policy.require(Capability.READ, "reading a trace")
    name = part(request, "filename") or ""
    file = await to_thread.run_sync(kernel.traces.open, principal, wanted.session, name)
    headers = {
        "content-length": str(os.fstat(file.fileno()).st_size),
        "content-disposition": f"attachment; filename*=utf-8''{quote(name, safe='')}",
        "content-security-policy": "sandbox; default-src 'none'",
    }
    return StreamingResponse(_pieces(file), headers=headers, media_type="application/zip")


async def _pieces(file: BinaryIO) -> AsyncIterator[bytes]:
    async with anyio.wrap_file(file) as content:
        while piece := await content.read(_PIECE):
            yield piece
