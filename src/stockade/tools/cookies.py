"""Cookies of a session."""

from __future__ import annotations

from posixpath import dirname
from typing import Annotated, Any, Literal, NotRequired
from urllib.parse import urlsplit

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.values import Cookie
from stockade.errors import AddressDenied, InvalidArgument
from stockade.kernel.arguments import InSession
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.tool import tool
from stockade.page.storage_state import shown_cookie
from stockade.policy.capabilities import Capability
from stockade.tools.content import whole
from stockade.urls import parse

__all__ = ["cookies_clear", "cookies_delete", "cookies_get", "cookies_list", "cookies_set"]

_SOURCE = "cookies"

_Url = Annotated[str, Field(max_length=65536)]
_Name = Annotated[str, Field(max_length=4096)]
_Domain = Annotated[str | None, Field(max_length=300)]
_Path = Annotated[str | None, Field(max_length=4096)]


class GetCookie(InSession):
    """Which cookie."""

    name: _Name
    url: Annotated[_Url | None, Field(description="that it is sent to")] = None


class ListCookies(InSession):
    """Which cookies."""

    urls: Annotated[
        tuple[_Url, ...], Field(max_length=100, description="that they are sent to")
    ] = ()


class SetCookie(InSession):
    """What to set; for a url, or for a domain and path."""

    name: _Name
    value: Annotated[str, Field(max_length=4096)]
    url: _Url | None = None
    domain: _Domain = None
    path: _Path = None
    expires: Annotated[
        float | None, Field(ge=-1, le=1e11, description="seconds since 1970; -1 or none: session")
    ] = None
    http_only: bool = False
    secure: bool | None = None
    same_site: Literal["Strict", "Lax", "None"] | None = None
    partition_key: Annotated[str | None, Field(max_length=2000)] = None


class DeleteCookies(InSession):
    """Which cookies, by name and by where they are sent."""

    name: _Name
    url: _Url | None = None
    domain: _Domain = None
    path: _Path = None


class ClearCookies(InSession):
    """The session whose cookies go."""


class CookieRow(TypedDict):
    """A cookie."""

    name: str
    value: str
    domain: str
    path: str
    expires: float
    httpOnly: bool
    secure: bool
    sameSite: NotRequired[str]
    partitionKey: NotRequired[str]


class FoundCookie(TypedDict):
    """The cookie that is sent first, if there is any."""

    ok: bool
    cookie: CookieRow | None
    others: NotRequired[int]
    """How many more have the name."""


class FoundCookies(TypedDict):
    """Cookies; when they are too many, the rest is in a file."""

    ok: bool
    count: int
    cookies: list[CookieRow]
    withheld: NotRequired[int]
    """How many belong to sites that the session may not show."""
    shown: NotRequired[int]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class CookieSet(TypedDict):
    """The cookie as the browser keeps it; none when it has expired."""

    ok: bool
    cookie: CookieRow | None


class CookiesDeleted(TypedDict):
    """How many cookies are gone."""

    ok: bool
    deleted: int


class CookiesCleared(TypedDict):
    """How many cookies are gone."""

    ok: bool
    cleared: int


async def _cookies(call: Call, urls: tuple[str, ...]) -> tuple[list[Cookie], int]:
    """The cookies that are sent there, and how many the policy withholds."""
    context = await call.session.started()
    addresses = [call.policy.check_address(each).href for each in urls]
    found = await context.cookies(addresses, timeout=call.left)
    admitted = [each for each in found if call.policy.admits_cookie(each.domain or "")]
    return admitted, len(found) - len(admitted)


@tool(Capability.READ, gives=FoundCookie, toolset="storage", reach="session", reads=True)
async def cookies_get(call: Call, args: GetCookie) -> Result:
    """Read a cookie by name. Its value is untrusted."""
    found, _ = await _cookies(call, (args.url,) if args.url is not None else ())
    mine = [each for each in found if each.name == args.name]
    if args.url is None and len(mine) > 1 and (current := call.session.current) is not None:
        # Of several sites, that of the current page is meant.
        sent, _ = await _sent(call, current.url)
        mine = [each for each in mine if each in sent] or mine
    mine.sort(key=lambda each: len(each.path), reverse=True)
    data: dict[str, Any] = {"ok": True, "cookie": shown_cookie(mine[0]) if mine else None}
    if len(mine) > 1:
        data["others"] = len(mine) - 1
    return Result(data=data, source=_SOURCE)


async def _sent(call: Call, url: str) -> tuple[list[Cookie], int]:
    try:
        return await _cookies(call, (url,))
    except (AddressDenied, InvalidArgument):
        return [], 0


@tool(Capability.READ, gives=FoundCookies, toolset="storage", reach="session", reads=True)
async def cookies_list(call: Call, args: ListCookies) -> Result:
    """List the session's cookies, all or those that urls are sent. Values are untrusted."""
    found, withheld = await _cookies(call, args.urls)
    rows = [shown_cookie(each) for each in found]
    data: dict[str, Any] = {"ok": True, "count": len(rows), "cookies": rows}
    if withheld:
        data["withheld"] = withheld
    return await whole(call, data, "cookies", default="cookies.json", source=_SOURCE)


def _given(args: SetCookie) -> Cookie:
    if (args.url is None) == (args.domain is None):
        raise InvalidArgument("cookies_set takes url, or domain and path")
    path, secure = args.path or "/", bool(args.secure)
    if args.url is not None:
        address = parse(args.url)
        path = args.path or dirname(urlsplit(address.href).path) or "/"
        secure = address.scheme == "https" if args.secure is None else args.secure
    return Cookie(
        args.name,
        args.value,
        args.domain,
        path,
        url=args.url,
        expires=-1.0 if args.expires is None else args.expires,
        http_only=args.http_only,
        secure=secure,
        same_site=args.same_site,
        partition=args.partition_key,
    )


@tool(Capability.ACTION, gives=CookieSet, toolset="storage", reach="session", idempotent=True)
async def cookies_set(call: Call, args: SetCookie) -> Result:
    """Set a cookie, for a url or for a domain and path."""
    cookie = _given(args)
    host = cookie.domain or parse(cookie.url or "").host
    if not call.policy.admits_cookie(host):
        raise AddressDenied(
            "the session may not show pages of that domain",
            hint="Only the operator can allow it: STOCKADE_ALLOWED_ORIGINS.",
            rule="allowed_origins",
        )
    context = await call.session.started()
    await context.set_cookies([cookie], timeout=call.left)
    kept = [
        each
        for each in await context.cookies(timeout=call.left)
        if (each.name, each.path, each.partition) == (cookie.name, cookie.path, cookie.partition)
        and (each.domain or "").removeprefix(".") == host.removeprefix(".")
    ]
    return Result(data={"ok": True, "cookie": shown_cookie(kept[0]) if kept else None})


@tool(
    Capability.ACTION,
    gives=CookiesDeleted,
    toolset="storage",
    reach="session",
    destructive=True,
    idempotent=True,
)
async def cookies_delete(call: Call, args: DeleteCookies) -> dict[str, Any]:
    """Delete the cookies of a name, everywhere or for a url, domain or path."""
    context = await call.session.started()
    before = len(await context.cookies(timeout=call.left))
    await context.delete_cookies(
        args.name, url=args.url, domain=args.domain, path=args.path, timeout=call.left
    )
    after = len(await context.cookies(timeout=call.left))
    return {"ok": True, "deleted": max(before - after, 0)}


@tool(
    Capability.ACTION,
    gives=CookiesCleared,
    toolset="storage",
    reach="session",
    destructive=True,
    idempotent=True,
)
async def cookies_clear(call: Call, args: ClearCookies) -> dict[str, Any]:
    """Delete all cookies of the session."""
    del args
    context = await call.session.started()
    before = len(await context.cookies(timeout=call.left))
    await context.clear_cookies(timeout=call.left)
    return {"ok": True, "cleared": before}
