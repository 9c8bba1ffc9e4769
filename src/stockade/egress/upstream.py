"""Upstream proxies: how a session's own proxy is asked to connect somewhere."""

from __future__ import annotations

import base64

from stockade.egress.addresses import packed
from stockade.egress.failures import Failure
from stockade.egress.heads import Header, Malformed, Response, end_of_response
from stockade.egress.limits import DIAL_SECONDS, HEAD_SECONDS
from stockade.egress.protocol import Upstream
from stockade.egress.rules import Target
from stockade.egress.streams import Gone, Stream

__all__ = ["authorization", "refused_by", "through"]

_SOCKS = 5
_PASSWORD = 2
_NO_LOGIN = 0
_CONNECT = 1
_V4, _NAME, _V6 = 1, 3, 4
_PLACE_LENGTHS = {_V4: 4, _V6: 16}


def authorization(upstream: Upstream) -> list[Header]:
    """The header that an HTTP proxy knows its user by."""
    if not upstream.username:
        return []
    pair = f"{upstream.username}:{upstream.password}".encode()
    return [(b"Proxy-Authorization", b"Basic " + base64.b64encode(pair))]


def refused_by(status: int) -> Failure:
    """What it means that an HTTP proxy answers so."""
    if status == 407:  # noqa: PLR2004 - Proxy Authentication Required
        return Failure("upstream", "the session's proxy does not accept its credentials")
    return Failure("upstream", f"the session's proxy answered with status {status}")


async def through(stream: Stream, upstream: Upstream, target: Target) -> None:
    """Have the proxy connect `stream` to the target."""
    try:
        if upstream.by_http:
            await _by_http(stream, upstream, target)
        else:
            await _by_socks(stream, upstream, target)
    except (Gone, Malformed):
        raise Failure("upstream", "the session's proxy broke off") from None


async def _by_http(stream: Stream, upstream: Upstream, target: Target) -> None:
    place = target.place.encode()
    lines = [b"CONNECT %b HTTP/1.1" % place, b"Host: " + place]
    lines += [b"%b: %b" % field for field in authorization(upstream)]
    stream.write(b"\r\n".join([*lines, b"", b""]))
    end = await stream.until(end_of_response, DIAL_SECONDS)
    if end is None:
        raise Gone("it ended")
    answer = Response.parse(stream.take(end))
    if not 200 <= answer.status < 300:  # noqa: PLR2004 - any success
        raise refused_by(answer.status)


async def _exactly(stream: Stream, count: int) -> bytes:
    if await stream.until(lambda buffer: len(buffer) >= count or None, DIAL_SECONDS) is None:
        raise Gone("it ended")
    return stream.take(count)


async def _by_socks(stream: Stream, upstream: Upstream, target: Target) -> None:
    method = _PASSWORD if upstream.username else _NO_LOGIN
    stream.write(bytes([_SOCKS, 1, method]))
    if await _exactly(stream, 2) != bytes([_SOCKS, method]):
        raise Failure("upstream", "the session's proxy wants another kind of login")
    if upstream.username:
        name, password = upstream.username.encode()[:255], upstream.password.encode()[:255]
        stream.write(bytes([1, len(name)]) + name + bytes([len(password)]) + password)
        if (await _exactly(stream, 2))[1]:
            raise Failure("upstream", "the session's proxy does not accept its credentials")
    if target.numeric:
        data = packed(target.host)
        place = bytes([_V6 if ":" in target.host else _V4]) + data
    else:
        place = bytes([_NAME, len(target.host)]) + target.host.encode()
    stream.write(bytes([_SOCKS, _CONNECT, 0]) + place + target.port.to_bytes(2, "big"))
    _, code, _, kind = await _exactly(stream, 4)
    if code:
        raise Failure("upstream", f"the session's proxy could not connect: code {code}")
    length = _PLACE_LENGTHS.get(kind) or (await _exactly(stream, 1))[0]
    await _exactly(stream, length + 2)
    stream.wait_until(HEAD_SECONDS)
