"""Segments: a name in an address may hold a slash, and stays one name."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import Message

from stockade.surfaces.tabs.segments import Segments, part


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ("/sessions/a/cookies", "a"),
        ("/sessions/a%2Fb/cookies", "a/b"),
        ("/sessions/%2f%2F/cookies", "//"),
        ("/sessions/%C3%BC%2F/cookies", "ü/"),
        ("/sessions/a/b/cookies", None),
        ("/v1/a%2Fb", None),
    ],
)
async def test_a_slash_that_is_written_otherwise_parts_nothing(raw: str, found: str | None) -> None:
    seen: list[Any] = []

    async def cookies(request: Request) -> Response:
        seen.append(part(request, "userId"))
        assert part(request, "nothing") is None
        return Response()

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        return

    app = Segments(Router([Route("/sessions/{userId}/cookies", cookies)]))
    plain = raw.replace("%2F", "/").replace("%2f", "/").replace("%C3%BC", "ü")
    scope = {
        "type": "http",
        "method": "GET",
        "path": plain,
        "raw_path": raw.encode(),
        "headers": [],
    }
    await app(scope, receive, send)
    assert seen == ([] if found is None else [found])
    assert scope["path"] == plain, "the log says what was sent"
