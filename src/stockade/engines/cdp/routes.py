"""The routes of a context: who answers a request that is held, and how browsers are told."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from stockade.engines.routing import Answer, Gate, HeldRequest, Route
from stockade.errors import InvalidArgument
from stockade.urls import WEB_SCHEMES, origin_of, parse

__all__ = ["Routes", "fulfilment"]

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_WITHOUT_BODY = frozenset({204, 205, 304})


class Routes:
    """The routes of all tabs and workers of a context, the first that answers first."""

    def __init__(self) -> None:
        self.current: tuple[Route, ...] = ()
        self.gate: Gate | None = None
        """Asked about everything that no route answers."""

    @property
    def patterns(self) -> Sequence[str]:
        """The addresses to hold, as Chromium writes patterns."""
        if self.gate is not None:
            return ["*"]
        found = {_escaped(each) for route in self.current for each in route.patterns}
        return ["*"] if "*" in found else sorted(found)

    def answer(self, request: HeldRequest) -> Answer | None:
        """The answer of the first route that has one."""
        asked = request.headers.get("Access-Control-Request-Method")
        if request.method == "OPTIONS" and asked is not None:
            wanted = replace(request, method=asked)
            if any(route.matches(wanted) for route in self.current):
                return _consent(request, asked)
        for route in self.current:
            answer = route.answer(request)
            if answer is not None:
                return _shareable(request, answer)
        return None


def _escaped(pattern: str) -> str:
    return pattern.replace("\\", "\\\\").replace("?", "\\?")


def _consent(request: HeldRequest, method: str) -> Answer:
    """What a server says before the browser lets a page ask another origin."""
    headers = [
        ("Access-Control-Allow-Origin", request.headers.get("Origin", "*")),
        ("Access-Control-Allow-Methods", method),
        ("Access-Control-Allow-Credentials", "true"),
    ]
    names = request.headers.get("Access-Control-Request-Headers")
    if names:
        headers.append(("Access-Control-Allow-Headers", names))
    return Answer(204, tuple(headers))


def _shareable(request: HeldRequest, answer: Answer) -> Answer:
    """Let the page read what it was meant to get, whosever origin it asked."""
    origin = request.headers.get("Origin")
    names = {name.lower() for name, _ in answer.headers}
    if origin is None or "access-control-allow-origin" in names or origin_of(request.url) == origin:
        return answer
    added = (
        ("Access-Control-Allow-Origin", origin),
        ("Access-Control-Allow-Credentials", "true"),
        ("Vary", "Origin"),
    )
    return replace(answer, headers=(*answer.headers, *added))


def fulfilment(method: str, answer: Answer) -> dict[str, Any] | None:
    """The answer as `Fetch.fulfillRequest` takes it; nothing for one that must not be given."""
    given = {name.lower(): value for name, value in answer.headers}
    if answer.status in _REDIRECTS and not _leads_to_the_web(given.get("location", "")):
        return None
    headers = list(answer.headers)
    body = b"" if answer.status in _WITHOUT_BODY else answer.body
    if "content-length" not in given and answer.status not in _WITHOUT_BODY:
        headers.append(("Content-Length", str(len(body))))
    if method == "HEAD":
        body = b""
    try:
        phrase = HTTPStatus(answer.status).phrase
    except ValueError:
        phrase = ""
    return {
        "responseCode": answer.status,
        "responsePhrase": phrase,
        "responseHeaders": [{"name": name, "value": value} for name, value in headers],
        "body": base64.b64encode(body).decode(),
    }


def _leads_to_the_web(location: str) -> bool:
    try:
        return parse(location).scheme in WEB_SCHEMES
    except InvalidArgument:
        return True  # It is relative to an address of the web.
