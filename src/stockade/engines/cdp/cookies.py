"""The cookies of a context, kept by the browser process: they answer whatever a page does."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import msgspec

from stockade.engines.cdp.connection import Command
from stockade.engines.values import Cookie
from stockade.errors import InvalidArgument, ProtocolFault

if TYPE_CHECKING:
    from stockade.engines.cdp.context import ChromiumContext

__all__ = ["Cookies"]

_LONGEST = 4096
_LONG_AGO = 1.0
_EMPTY = b'{"cookies":[]}'
_TOLD_ONLY = frozenset({"size", "session", "sameParty", "partitionKeyOpaque"})
"""What the browser tells of a cookie but takes from nobody."""
_NAME = re.compile(r"[^\x00-\x20\x7f;=]*")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f;]*")
_LOOPBACK = re.compile(r"(.+\.)?localhost|127(\.\d+){3}|::1")


class _Partition(msgspec.Struct):
    topLevelSite: str = ""
    hasCrossSiteAncestor: bool = False


class _Kept(msgspec.Struct):
    """A cookie as the browser lists it."""

    name: str
    value: str
    domain: str
    path: str
    expires: float = -1
    httpOnly: bool = False
    secure: bool = False
    sameSite: Literal["Strict", "Lax", "None"] | None = None
    partitionKey: _Partition | None = None


class _Jar(msgspec.Struct):
    cookies: list[_Kept]


class Cookies:
    """Reads and writes the cookies of one context."""

    def __init__(self, context: ChromiumContext) -> None:
        self._context = context
        self._root = context.browser.connection.root

    async def get(self, urls: Sequence[str], timeout: float) -> Sequence[Cookie]:
        """All cookies, or those that a request to one of `urls` would carry."""
        kept = await self._list(timeout)
        return [
            _plain(cookie)
            for cookie in kept
            if not urls or any(_would_be_sent(cookie, url) for url in urls)
        ]

    async def set(self, cookies: Sequence[Cookie], timeout: float) -> None:
        """Add or replace cookies; the error names every one that the browser would not keep."""
        for cookie in cookies:
            if problem := _problem(cookie):
                raise InvalidArgument(
                    f"cookie {cookie.name!r}: {problem}", field="cookies", cookie=cookie.name
                )
        if not cookies:
            return
        try:
            await self._root.send_all([self._command(cookies)], timeout=timeout)
        except ProtocolFault as error:
            raise await self._refusal(cookies, error.message, timeout) from error

    async def _refusal(
        self, cookies: Sequence[Cookie], reason: str, timeout: float
    ) -> InvalidArgument:
        # The browser refuses the whole list without a word on which; one by one it tells.
        answers = await self._root.gather(
            [self._command([cookie]) for cookie in cookies], timeout=timeout
        )
        refused = [
            cookie.name
            for cookie, answer in zip(cookies, answers, strict=True)
            if isinstance(answer, ProtocolFault)
        ]
        names = ", ".join(repr(name) for name in refused)
        return InvalidArgument(
            f"the browser did not take: {names}; the others are set",
            field="cookies",
            refused=refused,
            reason=reason,
        )

    async def delete(
        self,
        name: str,
        url: str | None,
        domain: str | None,
        path: str | None,
        timeout: float,
    ) -> None:
        """Delete the cookies of that name that the other words describe."""
        doomed = [
            cookie
            for cookie in await self._list(timeout)
            if cookie.name == name
            and (url is None or _would_be_sent(cookie, url))
            and (domain is None or cookie.domain.lstrip(".") == domain.lstrip("."))
            and (path is None or cookie.path == path)
        ]
        if doomed:
            await self._root.send_all(
                [
                    (
                        "Storage.setCookies",
                        {"cookies": [_expired(each) for each in doomed]} | self._here,
                    )
                ],
                timeout=timeout,
            )

    async def clear(self, timeout: float) -> None:
        """Delete all."""
        await self._root.send("Storage.clearCookies", self._here, timeout=timeout)

    async def jar(self, timeout: float) -> bytes:
        """All there are, with everything the browser tells of them; nothing when there are none."""
        command = ("Storage.getCookies", self._here)
        [answer] = self._root.connection.submit(self._root, [command], timeout)
        jar = bytes(await answer)
        return jar if jar != _EMPTY else b""

    async def fill(self, jar: bytes, timeout: float) -> Sequence[str]:
        """Put a jar back but for what has expired; the names of those that were not taken."""
        kept = msgspec.json.decode(jar, type=dict[str, list[dict[str, Any]]])["cookies"]
        cookies = [_again(each) for each in kept if not _over(each)]
        try:
            await self._root.send_all([self._set(cookies)], timeout=timeout)
        except ProtocolFault:
            # The browser refuses the whole list for one of them.
            answers = await self._root.gather(
                [self._set([each]) for each in cookies], timeout=timeout
            )
            return [
                str(cookie["name"])
                for cookie, answer in zip(cookies, answers, strict=True)
                if isinstance(answer, ProtocolFault)
            ]
        return ()

    def _set(self, cookies: Sequence[dict[str, Any]]) -> Command:
        return "Storage.setCookies", {"cookies": cookies} | self._here

    @property
    def _here(self) -> dict[str, Any]:
        return {"browserContextId": self._context.id}

    async def _list(self, timeout: float) -> Sequence[_Kept]:
        jar = await self._root.send_typed("Storage.getCookies", self._here, _Jar, timeout=timeout)
        return jar.cookies

    def _command(self, cookies: Sequence[Cookie]) -> Command:
        return "Storage.setCookies", {"cookies": [_raw(each) for each in cookies]} | self._here


def _plain(cookie: _Kept) -> Cookie:
    partition = cookie.partitionKey
    return Cookie(
        cookie.name,
        cookie.value,
        cookie.domain,
        cookie.path,
        expires=cookie.expires,
        http_only=cookie.httpOnly,
        secure=cookie.secure,
        same_site=cookie.sameSite,
        partition=partition.topLevelSite if partition else None,
        cross_site_ancestor=partition.hasCrossSiteAncestor if partition else False,
    )


def _raw(cookie: Cookie) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "name": cookie.name,
        "value": cookie.value,
        "path": cookie.path,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
    }
    if cookie.url is not None:
        raw["url"] = cookie.url
    if cookie.domain is not None:
        raw["domain"] = cookie.domain
    if cookie.expires >= 0:
        raw["expires"] = cookie.expires
    if cookie.same_site is not None:
        raw["sameSite"] = cookie.same_site
    if cookie.partition is not None:
        raw["partitionKey"] = {
            "topLevelSite": cookie.partition,
            "hasCrossSiteAncestor": cookie.cross_site_ancestor,
        }
    return raw


def _expired(cookie: _Kept) -> dict[str, Any]:
    raw: dict[str, Any] = msgspec.to_builtins(cookie)
    if cookie.sameSite is None:
        del raw["sameSite"]
    if cookie.partitionKey is None:
        del raw["partitionKey"]
    return raw | {"value": "", "expires": _LONG_AGO}


def _over(raw: dict[str, Any]) -> bool:
    """Whether a cookie of a jar is of no use any more."""
    if raw.get("partitionKeyOpaque"):
        return True
    return 0 <= float(raw.get("expires", -1)) <= time.time()


def _again(raw: dict[str, Any]) -> dict[str, Any]:
    """A cookie of a jar as it is set."""
    told = {name: value for name, value in raw.items() if name not in _TOLD_ONLY}
    if told.get("expires", -1) < 0:
        told.pop("expires", None)
    if told.get("secure") and told.get("sourceScheme") == "NonSecure":
        # Pages on loopback can make such a cookie, but nobody can set one from outside.
        del told["sourceScheme"]
    return told


def _problem(cookie: Cookie) -> str | None:
    """What the browser would refuse, or drop without a word."""
    return next((problem for bad, problem in _rules(cookie) if bad), None)


def _rules(cookie: Cookie) -> Iterator[tuple[bool, str]]:
    name, domain = cookie.name.lower(), cookie.domain or ""
    size = len(cookie.name.encode()) + len(cookie.value.encode())
    yield not _NAME.fullmatch(cookie.name), "its name has a character cookies cannot have"
    yield not _VALUE.fullmatch(cookie.value), "its value has a character cookies cannot have"
    yield not size, "it has neither name nor value"
    yield size > _LONGEST, f"name and value exceed {_LONGEST} bytes"
    yield cookie.domain is None and cookie.url is None, "it needs a domain or a url"
    yield not cookie.path.startswith("/"), "its path does not begin with /"
    if cookie.url is not None:
        scheme = urlsplit(cookie.url).scheme
        yield scheme not in {"http", "https"}, "its url is not http or https"
    if not cookie.secure:
        yield cookie.same_site == "None", "SameSite=None needs secure"
        yield cookie.partition is not None, "a partitioned cookie needs secure"
        yield name.startswith(("__secure-", "__host-")), "its name prefix needs secure"
    if name.startswith("__host-"):
        yield cookie.path != "/", "the __Host- prefix needs path /"
        yield domain.startswith("."), "the __Host- prefix needs a host without leading dot"


def _would_be_sent(cookie: _Kept, url: str) -> bool:
    parts = urlsplit(url)
    host, path = parts.hostname or "", parts.path or "/"
    domain = cookie.domain.lstrip(".").lower()
    same_host = host == domain or (cookie.domain.startswith(".") and host.endswith("." + domain))
    same_path = path == cookie.path or path.startswith(cookie.path.rstrip("/") + "/")
    safe = parts.scheme in {"https", "wss"} or _LOOPBACK.fullmatch(host) is not None
    return same_host and same_path and (safe or not cookie.secure)
