"""Calls of the tools in `routes`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class RouteRow(TypedDict):
    """A route that is in force."""

    urlPattern: str
    answered: int
    method: NotRequired[str]
    left: NotRequired[int]


class Routed(Beside):
    """A route was added."""

    ok: bool
    urlPattern: str
    routes: int
    active: list[RouteRow]
    method: NotRequired[str]
    status: NotRequired[int]
    queued: NotRequired[int]


class Timed(TypedDict):
    """The same, after a while."""

    status: NotRequired[int]
    body: NotRequired[Any]
    contentBase64: NotRequired[str | None]
    contentType: NotRequired[str]
    headers: NotRequired[dict[str, str]]
    delayMs: NotRequired[int]


class Unrouted(Beside):
    """Routes were removed."""

    ok: bool
    removed: int
    routes: int
    active: list[RouteRow]


class RoutesCalls(Calls):
    """Methods that call tools."""

    async def route(
        self,
        *,
        url_pattern: str,
        status: int | None = None,
        body: Any | None = None,
        content_base64: str | None = None,
        content_type: str | None = None,
        headers: dict[str, str] | None = None,
        delay_ms: int | None = None,
        method: str | None = None,
    ) -> Routed:
        """Answer every request of the session that matches, in all tabs, frames and workers."""
        answer = await self._call("route", {"urlPattern": url_pattern}, {"status": status, "body": body, "contentBase64": content_base64, "contentType": content_type, "headers": headers, "delayMs": delay_ms, "method": method}, in_tab=False)
        return cast("Routed", answer)

    async def route_queue(
        self,
        *,
        url_pattern: str,
        responses: list[Timed],
        method: str | None = None,
    ) -> Routed:
        """Answer matching requests with each response once, in order; then the network answers."""
        answer = await self._call("route_queue", {"urlPattern": url_pattern, "responses": responses}, {"method": method}, in_tab=False)
        return cast("Routed", answer)

    async def unroute(
        self,
        *,
        url_pattern: str | None = None,
        method: str | None = None,
    ) -> Unrouted:
        """Remove routes by pattern and method, or all of them."""
        answer = await self._call("unroute", {}, {"urlPattern": url_pattern, "method": method}, in_tab=False)
        return cast("Unrouted", answer)
