"""Calls: a request to the tab API as a call of its tool, and the reply as clients know it."""

from __future__ import annotations

import base64
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from stockade.errors import BrowserGone, InvalidArgument, Missing, StockadeError, TabClosed
from stockade.kernel.dispatch import Kernel
from stockade.kernel.results import Reply
from stockade.surfaces.access import caller
from stockade.surfaces.answers import answer
from stockade.surfaces.tabs.asked import Asked, asked
from stockade.surfaces.tabs.errors import Where, refusal
from stockade.surfaces.tabs.operations import KINDS, About, Operation
from stockade.surfaces.tabs.segments import part
from stockade.surfaces.v1.calls import reply_to

__all__ = ["act", "carried_out", "tab_in"]

_LEFT = 499
_NO_TAB = "none"
_LONGEST_ID = 100
_FAILURE = ("ok", "error", "code", "failure")
"""What is told of a result that is one, whatever its shape."""


async def carried_out(kernel: Kernel, request: Request, operation: Operation) -> Response:
    """Do what a request asks for."""
    return await _done(kernel, request, operation, await asked(request))


async def act(kernel: Kernel, request: Request) -> Response:
    """Do what the `kind` of a request says."""
    wanted = await asked(request)
    if not wanted.user:
        raise InvalidArgument("userId is required")
    kind = wanted.fields.get("kind")
    if not kind:
        raise InvalidArgument("kind is required")
    operation = KINDS.get(kind) if isinstance(kind, str) else None
    if operation is None:
        raise InvalidArgument("unsupported kind", hint=f"There are: {', '.join(KINDS)}.")
    return await _done(kernel, request, operation, wanted)


async def _done(kernel: Kernel, request: Request, operation: Operation, wanted: Asked) -> Response:
    if not wanted.user:
        if operation.user:
            raise InvalidArgument(operation.user)
        if operation.absent is not None:
            return answer(operation.absent)
    for check in operation.checks:
        check(wanted.fields)
    tab = tab_in(request, wanted, operation)
    arguments = _arguments(request, operation, wanted, tab)
    reply = await reply_to(kernel, request, operation.tool, arguments)
    if reply is None:
        return Response(status_code=_LEFT)
    known = {"stockade-call": reply.call}
    if reply.error is None:
        return _told(reply, operation, About(wanted.user, tab), known)
    if operation.absent is not None and _is_absent(reply.error):
        return answer(operation.absent, headers=known)
    where = Where(tab, operation.acts, operation.strict, wanted.text("ref"), opens=operation.group)
    return refusal(reply.error, where=where, headers=known, mask=kernel.masker_of(caller(request)))


def tab_in(request: Request, wanted: Asked, operation: Operation) -> str:
    """The tab that a request names; one that need not say which must."""
    named = part(request, "tabId") or ""
    if operation.target:
        named = wanted.text("targetId") or wanted.text("tabId") or _NO_TAB
    # No tab has so long a name, and whoever sends one is told just that.
    return named[:_LONGEST_ID]


def _arguments(request: Request, operation: Operation, wanted: Asked, tab: str) -> dict[str, Any]:
    found = {name: wanted.fields[name] for name in operation.takes if name in wanted.fields}
    found |= operation.fixed
    if tab:
        found["tabId"] = tab
    if operation.group and wanted.fields["sessionKey"]:
        found["sessionKey"] = wanted.fields["sessionKey"]
    for name in ("sessionKey", "filename"):
        named = part(request, name)
        if named is not None:
            found[name] = named
    if operation.whose:
        found["session"] = wanted.session
    return found


def _told(reply: Reply, operation: Operation, about: About, headers: dict[str, str]) -> Response:
    if reply.images and reply.data is None:
        picture = reply.images[0]
        return Response(picture.data, headers=headers, media_type=picture.mime_type)
    body = {"ok": reply.ok, **(reply.data or {})}
    if reply.images:
        picture = reply.images[0]
        encoded = base64.b64encode(picture.data).decode()
        body["screenshot"] = {"data": encoded, "mimeType": picture.mime_type}
    if operation.shaped is not None:
        body = operation.shaped(body, about)
    if reply.data and reply.data.get("warnings"):
        body.setdefault("warnings", reply.data["warnings"])
    if not reply.ok:
        body |= {name: reply.data[name] for name in _FAILURE if reply.data and name in reply.data}
    return answer(body, headers=headers)


def _is_absent(error: StockadeError) -> bool:
    """Whether what was to be closed or listed is not there, which is as well."""
    return isinstance(error, Missing | TabClosed | BrowserGone)
