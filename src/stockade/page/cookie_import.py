"""Cookies put into a browser state, with a word on each that it did not keep."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from stockade.engines.port import Context
from stockade.engines.values import Cookie
from stockade.errors import InvalidArgument
from stockade.policy.policy import Policy
from stockade.urls import parse

__all__ = ["import_cookies"]

_DENIED = "the session may not show pages of its domain"
_EXPIRED = "it has expired"
_REPLACED = "a later one has the same name, domain and path"
_REFUSED = "the browser did not take it"
_DROPPED = "the browser did not keep it"


async def import_cookies(
    context: Context, policy: Policy, cookies: Mapping[int, Cookie], *, left: Callable[[], float]
) -> dict[int, str]:
    """Set cookies; why some were left out, by their numbers."""
    refused = {
        number: _DENIED
        for number, cookie in cookies.items()
        if not policy.admits_cookie(_host(cookie))
    }
    now = time.time()
    refused |= {
        number: _EXPIRED
        for number, cookie in cookies.items()
        if number not in refused and 0 <= cookie.expires <= now
    }
    wanted = {number: each for number, each in cookies.items() if number not in refused}
    last = {_place(cookie): number for number, cookie in wanted.items()}
    refused |= {
        number: _REPLACED for number, cookie in wanted.items() if last[_place(cookie)] != number
    }
    wanted = {number: each for number, each in wanted.items() if number not in refused}
    refused |= await _set(context, wanted, left)
    kept = {_content(each) for each in await context.cookies(timeout=left())}
    return refused | {
        number: _DROPPED
        for number, cookie in wanted.items()
        if number not in refused and _content(cookie) not in kept
    }


async def _set(
    context: Context, cookies: Mapping[int, Cookie], left: Callable[[], float]
) -> dict[int, str]:
    """All at once; if one is not taken, one by one, so that it keeps out no other."""
    try:
        await context.set_cookies(list(cookies.values()), timeout=left())
    except InvalidArgument:
        refused = {}
        for number, cookie in cookies.items():
            try:
                await context.set_cookies([cookie], timeout=left())
            except InvalidArgument as error:
                # What the engine says begins with the name, which may be long.
                reason = error.message.removeprefix(f"cookie {cookie.name!r}: ")
                refused[number] = reason if "refused" not in error.details else _REFUSED
        return refused
    return {}


def _host(cookie: Cookie) -> str:
    return cookie.domain or parse(cookie.url or "").host


def _place(cookie: Cookie) -> tuple[Any, ...]:
    """What tells one cookie from another in a browser."""
    return (
        cookie.name,
        _host(cookie),
        cookie.path,
        cookie.partition,
        cookie.cross_site_ancestor,
    )


def _content(cookie: Cookie) -> tuple[Any, ...]:
    """What the browser is asked to keep; it takes the dot of a public suffix away."""
    name, host, *rest = _place(cookie)
    return name, host.removeprefix("."), *rest, cookie.value
