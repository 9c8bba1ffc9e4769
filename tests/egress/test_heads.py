"""Heads: read strictly from clients, as browsers do from servers."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.egress.framing import Chunked, Sized, Unframed
from stockade.egress.heads import (
    Malformed,
    Request,
    Response,
    end_of_request,
    end_of_response,
)
from tests.egress.corpus.raw import BAD


def request(*lines: str, first: str = "GET http://a.test/x?y HTTP/1.1") -> Request:
    return Request.parse("\r\n".join([first, *lines, "", ""]).encode("latin-1"))


def read(data: bytes) -> Request:
    end = end_of_request(bytearray(data))
    assert end is not None
    found = Request.parse(data[:end])
    found.absolute()
    return found


@pytest.mark.parametrize(
    "data", [v for k, v in BAD.items() if k not in {"a port too large", "an asterisk for a host",
                                                  "a bad percent", "a zone"}]
)  # fmt: skip
def test_what_is_not_http(data: bytes) -> None:
    with pytest.raises(Malformed):
        read(data)


def test_what_goes_on_is_what_was_understood() -> None:
    found = request(
        "Host: 10.1.1.1",
        "Cookie: a=b",
        "Connection: keep-alive, X-Hop, Content-Length",
        "X-Hop: 1",
        "Proxy-Authorization: Basic secret",
        "Proxy-Connection: keep-alive",
        "TE: trailers",
        "Upgrade: h2c",
        "HTTP2-Settings: x",
        "Content-Length: 5",
        "X-Latin: ä  ",
    )
    authority, path = found.absolute()
    assert found.written(path, authority) == (
        b"GET /x?y HTTP/1.1\r\nHost: a.test\r\nCookie: a=b\r\nX-Latin: \xe4\r\n"
        b"Content-Length: 5\r\n\r\n"
    )
    assert not found.repeatable
    assert request("Host: x", first="GET http://a.test?q HTTP/1.1").absolute() == ("a.test", b"/?q")


def test_a_websocket_is_told_from_other_upgrades() -> None:
    assert request("Host: x", "Upgrade: WebSocket", "Connection: keep-alive, Upgrade").upgrade
    assert not request("Host: x", "Upgrade: websocket").upgrade
    assert not request("Host: x", "Upgrade: h2c, websocket", "Connection: upgrade").upgrade
    assert not request(
        "Host: x", "Upgrade: websocket", "Connection: upgrade", "Content-Length: 1"
    ).upgrade


def test_a_head_that_may_still_come() -> None:
    assert end_of_request(bytearray(b"GET http://a.test/ HTTP/1.1\r\nHost: x\r")) is None
    assert end_of_response(bytearray(b"HTTP/1.1 200 OK\r\nA: b\r\n")) is None
    assert end_of_response(bytearray(b"HTTP/1.1 200 OK\nA: b\n\nbody")) == 22


@pytest.mark.parametrize(
    ("head", "method", "kind"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n", "GET", Sized),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "GET", Chunked),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
            "GET",
            Chunked,
        ),
        (b"HTTP/1.0 200\n\n", "GET", Unframed),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "HEAD", Sized),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", "GET", Sized),
    ],
)
def test_how_answers_end(head: bytes, method: str, kind: type) -> None:
    assert isinstance(Response.parse(head).body(method), kind)


def test_an_answer_is_written_anew() -> None:
    found = Response.parse(
        b"HTTP/1.1 200 O\rK\r\nSet-Cookie: a\r\n  b\r\nno colon\r\nbad name: x\r\nX: \0y\r\n"
        b"Proxy-Authenticate: Basic\r\nKeep-Alive: 5\r\nContent-Length: 3\r\n\r\n"
    )
    assert found.written(found.body("GET")) == (
        b"HTTP/1.1 200 OK\r\nSet-Cookie: a b\r\nX: y\r\nContent-Length: 3\r\n\r\n"
    )
    unclear = Response.parse(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n")
    with pytest.raises(Malformed):
        unclear.body("GET")
    with pytest.raises(Malformed):
        Response.parse(b"<html>\r\n\r\n")


PLAIN = re.compile(r"[0-9A-Za-z.:_~%\[\]-]+")


@given(st.binary(max_size=200), st.integers(0, 60))
def test_whatever_passes_reads_the_same_again(noise: bytes, at: int) -> None:
    base = b"POST http://a.test/x HTTP/1.1\r\nHost: a.test\r\nX: y\r\nContent-Length: 3\r\n\r\n"
    for data in (base[:at] + noise + base[at:], base[:at] + noise + base[at + len(noise) :]):
        try:
            found = read(data)
            authority, path = found.absolute()
            written = found.written(path, authority)
        except Malformed:
            continue
        except AssertionError:
            continue
        if not PLAIN.fullmatch(authority):
            continue  # the address is read once more before its host is written
        again = Request.parse(written)
        assert written.count(b"\r\n\r\n") == 1
        assert b"\n" not in written.replace(b"\r\n", b"")
        assert again.all(b"host") == [authority.encode()]
        assert again.kept() == found.kept()
