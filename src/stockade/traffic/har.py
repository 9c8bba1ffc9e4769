"""HAR 1.2: exchanges with servers as an archive describes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.cookies import CookieError, SimpleCookie
from typing import Any, Literal
from urllib.parse import parse_qsl

from stockade.engines.events import Request, StreamFrame
from stockade.traffic.bodies import shown

__all__ = ["Exchange", "HarOptions", "archive", "entry"]

_PROTOCOLS = {"h2": "HTTP/2.0", "h3": "HTTP/3.0", "http/1.1": "HTTP/1.1", "http/1.0": "HTTP/1.0"}
_PRIVATE = frozenset({"cookie", "set-cookie", "authorization", "proxy-authorization"})
_HIDDEN = "<hidden>"
_FLAGS = {"httponly": "httpOnly", "secure": "secure"}


@dataclass(frozen=True)
class HarOptions:
    """What of the traffic is recorded."""

    mode: Literal["full", "minimal"] = "full"
    """Minimal leaves out what replaying does not need."""
    content: Literal["embed", "attach", "omit"] = "embed"
    url_filter: str | None = None
    private: bool = False
    """Whether bodies and credentials are none of the caller's business."""


@dataclass(eq=False)
class Exchange:
    """A request, and what is known of it beyond the log."""

    request: Request
    page: str | None = None
    """The page it belongs to, if any."""
    sent: bytes = b""
    received: bytes | None = None
    """Nothing when the browser does not have it."""
    file: str | None = None
    """Where the body is, if it is kept apart."""
    messages: list[StreamFrame] = field(default_factory=list)


def moment(at: float) -> str:
    """A moment as archives write it."""
    written = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    return written.replace("+00:00", "Z")


def archive(
    browser: str, pages: Sequence[dict[str, Any]], entries: Sequence[dict[str, Any]], version: str
) -> dict[str, Any]:
    """A whole archive."""
    name, _, number = browser.partition("/")
    return {
        "log": {
            "version": "1.2",
            "creator": {"name": "Stockade", "version": version},
            "browser": {"name": name, "version": number},
            "pages": list(pages),
            "entries": list(entries),
        }
    }


def entry(exchange: Exchange, options: HarOptions) -> dict[str, Any]:
    """One exchange as an entry of an archive."""
    request = exchange.request
    full = options.mode == "full"
    timings = _timings(request) if full else dict.fromkeys(("send", "wait", "receive"), -1.0)
    found: dict[str, Any] = {}
    if full and exchange.page is not None:
        found["pageref"] = exchange.page
    found |= {
        "startedDateTime": moment(request.started),
        "time": round(sum(each for each in timings.values() if each > 0) - _nested(timings), 3)
        if full
        else -1,
        "request": _request(exchange, options),
        "response": _response(exchange, options),
        "cache": {},
        "timings": timings,
    }
    if full and request.server:
        found["serverIPAddress"] = request.server.strip("[]")
        found["connection"] = str(request.server_port)
    if full:
        found["_resourceType"] = request.type.lower()
    if request.routed:
        found["_routed"] = True
    if exchange.messages and not options.private:
        found["_webSocketMessages"] = [
            {
                "type": "send" if each.direction == "sent" else "receive",
                "time": each.at,
                "opcode": each.opcode or 1,
                "data": each.payload,
            }
            for each in exchange.messages
        ]
    return found


def _nested(timings: dict[str, float]) -> float:
    """The handshake of TLS is part of the connecting, and counted there."""
    return max(timings.get("ssl", 0), 0)


def _timings(request: Request) -> dict[str, float]:
    total = ((request.ended or request.answered or request.started) - request.started) * 1000
    timing = request.timing
    if timing is None:
        wait = ((request.answered or request.started) - request.started) * 1000
        return {"send": 0, "wait": round(wait, 3), "receive": round(max(total - wait, 0), 3)}
    parts = {
        "blocked": timing.blocked,
        "dns": timing.dns,
        "connect": timing.connect,
        "ssl": timing.ssl,
        "send": max(timing.send, 0),
        "wait": max(timing.wait, 0),
    }
    spent = sum(each for name, each in parts.items() if each > 0 and name != "ssl")
    parts["receive"] = max(total - spent, 0)
    return {name: round(each, 3) for name, each in parts.items()}


def _request(exchange: Exchange, options: HarOptions) -> dict[str, Any]:
    request = exchange.request
    url, _, _ = request.url.partition("#")
    _, _, query = url.partition("?")
    found: dict[str, Any] = {
        "method": request.method,
        "url": url,
        "httpVersion": _version(request),
        "cookies": [] if options.private else _sent_cookies(request.request_headers),
        "headers": _headers(request.request_headers, options),
        "queryString": [
            {"name": name, "value": value}
            for name, value in parse_qsl(query, keep_blank_values=True)
        ],
        "headersSize": -1,
        "bodySize": len(exchange.sent) if options.mode == "full" else -1,
    }
    if exchange.sent:
        kind = _named(request.request_headers, "content-type")
        text, encoded = shown(exchange.sent, kind)
        found["postData"] = {"mimeType": kind, "text": text}
        if encoded:
            found["postData"]["_encoding"] = "base64"
        elif kind.startswith("application/x-www-form-urlencoded"):
            found["postData"]["params"] = [
                {"name": name, "value": value}
                for name, value in parse_qsl(text, keep_blank_values=True)
            ]
    return found


def _response(exchange: Exchange, options: HarOptions) -> dict[str, Any]:
    request = exchange.request
    headers = request.response_headers
    length = _named(headers, "content-length")
    size = len(exchange.received) if exchange.received is not None else -1
    content: dict[str, Any] = {
        "size": size if size >= 0 else int(length) if length.isdecimal() else -1,
        "mimeType": request.mime_type or "x-unknown",
    }
    if exchange.file is not None:
        content["_file"] = exchange.file
    elif exchange.received is not None and options.content == "embed":
        content["text"], encoded = shown(exchange.received, request.mime_type)
        if encoded:
            content["encoding"] = "base64"
    found: dict[str, Any] = {
        "status": request.status or 0,
        "statusText": request.status_text,
        "httpVersion": _version(request),
        "cookies": [] if options.private else list(_given_cookies(headers)),
        "headers": _headers(headers, options),
        "content": content,
        "redirectURL": request.redirected_to,
        "headersSize": -1,
        "bodySize": int(length) if length.isdecimal() and options.mode == "full" else -1,
    }
    if options.mode == "full":
        found["_transferSize"] = request.bytes
    if request.failure:
        found["_error"] = request.failure
    return found


def _version(request: Request) -> str:
    return _PROTOCOLS.get(request.protocol.lower(), request.protocol or "HTTP/1.1")


def _headers(headers: dict[str, str], options: HarOptions) -> list[dict[str, str]]:
    return [
        {
            "name": name,
            "value": _HIDDEN if options.private and name.lower() in _PRIVATE else value,
        }
        for name, joined in headers.items()
        for value in joined.split("\n")
    ]


def _named(headers: dict[str, str], wanted: str) -> str:
    return next((value for name, value in headers.items() if name.lower() == wanted), "")


def _sent_cookies(headers: dict[str, str]) -> list[dict[str, str]]:
    pairs = (each.partition("=") for each in _named(headers, "cookie").split(";") if "=" in each)
    return [{"name": name.strip(), "value": value.strip()} for name, _, value in pairs]


def _given_cookies(headers: dict[str, str]) -> Iterable[dict[str, Any]]:
    for line in _named(headers, "set-cookie").split("\n"):
        jar = SimpleCookie()
        try:
            jar.load(line)
        except CookieError:
            continue
        for name, morsel in jar.items():
            found: dict[str, Any] = {"name": name, "value": morsel.value}
            for part in ("path", "domain"):
                if morsel[part]:
                    found[part] = morsel[part]
            if morsel["samesite"]:
                found["sameSite"] = morsel["samesite"]
            for part, shown_as in _FLAGS.items():
                if morsel[part]:
                    found[shown_as] = True
            yield found
