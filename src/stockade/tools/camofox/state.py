"""The tab API's cookies, traces and storage of a user."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, NotRequired

from pydantic import Field, WithJsonSchema
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.files.cookie_files import CookieFile, read_cookie_file
from stockade.files.cookie_rows import MOST, check_number, check_rows, cookies_of
from stockade.kernel.arguments import InSession
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.page.cookie_import import import_cookies
from stockade.policy.capabilities import Capability

__all__ = ["camofox_delete_trace", "camofox_import_cookies", "camofox_traces"]

_TOKENS = 20_000

_Cookies = Annotated[
    Any,
    WithJsonSchema({"type": "array", "items": {"type": "object"}, "maxItems": MOST}),
    Field(description="name, value, domain, path, expires, httpOnly, secure, sameSite of each"),
]


# --- cookies --------------------------------------------------------------------------------------


class ImportCookies(InSession):
    """Cookies, or a file of them."""

    cookies: _Cookies = None
    cookies_path: Annotated[
        str | None,
        Field(min_length=1, max_length=1000, description="cookies.txt or JSON on the server"),
    ] = None
    domain_suffix: Annotated[
        str | None, Field(min_length=1, max_length=255, description="only this domain and below")
    ] = None


class SkippedCookie(TypedDict):
    """A cookie that was not set."""

    index: NotRequired[int]
    line: NotRequired[int]
    reason: str


class ImportedCookies(TypedDict):
    """How many cookies the browser keeps now."""

    ok: bool
    count: int
    skipped: NotRequired[list[SkippedCookie]]


@tool(
    Capability.ACTION,
    gives=ImportedCookies,
    toolset="camofox",
    reach="session",
    idempotent=True,
    opens=True,
)
async def camofox_import_cookies(call: Call, args: ImportCookies) -> Result:
    """Import cookies into the session: a list, or a Netscape or JSON file of the server."""
    file = await _given(call, args)
    cookies, refused = cookies_of(file.rows, args.domain_suffix)
    check_number(len(cookies))
    if cookies:
        context = await call.session.started()
        refused |= await import_cookies(context, call.policy, cookies, left=lambda: call.left)
    skipped: list[dict[str, Any]] = [
        {"line": each.line, "reason": each.reason} for each in file.faults
    ]
    for index, reason in sorted(refused.items()):
        place = {"index": index} if file.lines is None else {"line": file.lines[index]}
        skipped.append({**place, "reason": reason})
    data: dict[str, Any] = {"ok": True, "count": len(cookies.keys() - refused.keys())}
    if skipped:
        data["skipped"] = skipped
    return Result(data=data, tokens=_TOKENS)


async def _given(call: Call, args: ImportCookies) -> CookieFile:
    if args.cookies_path is None:
        if "cookies" not in args.model_fields_set:
            raise InvalidArgument('Missing "cookies" field in request body')
        return CookieFile(check_rows(args.cookies))
    if "cookies" in args.model_fields_set:
        raise InvalidArgument("give cookies or cookiesPath, not both")
    call.policy.require(Capability.FILE_IO, f"{call.tool.name} with a path")
    settings = call.kernel.settings
    folder = settings.cookies_dir or settings.workspace / "cookies"
    return await asyncio.to_thread(read_cookie_file, folder, args.cookies_path)


# --- traces ---------------------------------------------------------------------------------------


class ListTraces(InSession):
    """Whose traces; the session need not be open."""


class DeleteTrace(InSession):
    """Which trace."""

    filename: str = Field(max_length=1000)


class TraceRow(TypedDict):
    """A trace; moments are milliseconds since 1970."""

    filename: str
    sizeBytes: int
    createdAt: float
    modifiedAt: float


class ListedTraces(TypedDict):
    """The traces of a user, newest first."""

    traces: list[TraceRow]


class DeletedTrace(TypedDict):
    """It is gone."""

    ok: bool


@tool(Capability.READ, gives=ListedTraces, toolset="camofox", reach="server", reads=True)
async def camofox_traces(call: Call, args: ListTraces) -> Result:
    """List the traces of a session's name, newest first, also when it is closed."""
    found = await asyncio.to_thread(call.kernel.traces.all, call.principal, args.session)
    rows = [
        {
            "filename": each.name,
            "sizeBytes": each.size,
            "createdAt": round(each.made_at * 1000, 3),
            "modifiedAt": round(each.changed_at * 1000, 3),
        }
        for each in found
    ]
    return Result(data={"traces": rows}, tokens=_TOKENS)


@tool(Capability.ACTION, gives=DeletedTrace, toolset="camofox", reach="server", destructive=True)
async def camofox_delete_trace(call: Call, args: DeleteTrace) -> dict[str, Any]:
    """Delete a trace of a session's name."""
    await asyncio.to_thread(call.kernel.traces.delete, call.principal, args.session, args.filename)
    return {"ok": True}
