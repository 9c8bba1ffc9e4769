"""Calls of the tools in `cookies`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


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


class FoundCookie(Beside):
    """The cookie that is sent first, if there is any."""

    ok: bool
    cookie: CookieRow | None
    others: NotRequired[int]


class FoundCookies(Beside):
    """Cookies; when they are too many, the rest is in a file."""

    ok: bool
    count: int
    cookies: list[CookieRow]
    withheld: NotRequired[int]
    shown: NotRequired[int]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]


class CookieSet(Beside):
    """The cookie as the browser keeps it; none when it has expired."""

    ok: bool
    cookie: CookieRow | None


class CookiesDeleted(Beside):
    """How many cookies are gone."""

    ok: bool
    deleted: int


class CookiesCleared(Beside):
    """How many cookies are gone."""

    ok: bool
    cleared: int


class CookiesCalls(Calls):
    """Methods that call tools."""

    async def cookies_get(
        self,
        *,
        name: str,
        url: str | None = None,
    ) -> FoundCookie:
        """Read a cookie by name. Its value is untrusted."""
        answer = await self._call("cookies_get", {"name": name}, {"url": url}, in_tab=False)
        return cast("FoundCookie", answer)

    async def cookies_list(
        self,
        *,
        urls: list[str] | None = None,
    ) -> FoundCookies:
        """List the session's cookies, all or those that urls are sent. Values are untrusted."""
        answer = await self._call("cookies_list", {}, {"urls": urls}, in_tab=False)
        return cast("FoundCookies", answer)

    async def cookies_set(
        self,
        *,
        name: str,
        value: str,
        url: str | None = None,
        domain: str | None = None,
        path: str | None = None,
        expires: float | None = None,
        http_only: bool | None = None,
        secure: bool | None = None,
        same_site: Literal['Strict', 'Lax', 'None'] | None = None,
        partition_key: str | None = None,
    ) -> CookieSet:
        """Set a cookie, for a url or for a domain and path."""
        answer = await self._call("cookies_set", {"name": name, "value": value}, {"url": url, "domain": domain, "path": path, "expires": expires, "httpOnly": http_only, "secure": secure, "sameSite": same_site, "partitionKey": partition_key}, in_tab=False)
        return cast("CookieSet", answer)

    async def cookies_delete(
        self,
        *,
        name: str,
        url: str | None = None,
        domain: str | None = None,
        path: str | None = None,
    ) -> CookiesDeleted:
        """Delete the cookies of a name, everywhere or for a url, domain or path."""
        answer = await self._call("cookies_delete", {"name": name}, {"url": url, "domain": domain, "path": path}, in_tab=False)
        return cast("CookiesDeleted", answer)

    async def cookies_clear(
        self,
    ) -> CookiesCleared:
        """Delete all cookies of the session."""
        answer = await self._call("cookies_clear", {}, {}, in_tab=False)
        return cast("CookiesCleared", answer)
