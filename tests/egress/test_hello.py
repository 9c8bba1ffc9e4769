"""ClientHellos."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.egress.hello import NotTls, server_name
from tests.egress.world import client_hello

HELLO = client_hello("good.test")


def split(hello: bytes, size: int) -> bytes:
    """The same message in records of that size."""
    body = hello[5:]
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(hello[:3] + len(piece).to_bytes(2, "big") + piece for piece in pieces)


def test_whom_it_asks_for() -> None:
    assert server_name(HELLO) == "good.test"
    assert server_name(client_hello("GOOD.test")) == "good.test"
    assert server_name(client_hello(None)) == ""
    assert server_name(split(HELLO, 7)) == "good.test"


def test_it_may_come_in_pieces() -> None:
    assert {server_name(HELLO[:at]) for at in range(len(HELLO))} == {None}
    halves = split(HELLO, 100)
    assert {server_name(halves[:at]) for at in range(0, len(halves), 13)} == {None}


def _with_name(name: bytes) -> bytes:
    at = HELLO.index(b"good.test")
    return HELLO[:at] + name + HELLO[at + 9 :]


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n",
        b"\x16\x02",
        b"\x15\x03\x01\x00\x02\x02\x28",
        b"\x16\x03\x01\x00\x00",
        b"\x16\x03\x01\xff\xff",
        b"\x16\x03\x01\x00\x04\x02\x00\x00\x00",
        b"\x16\x03\x01\x40\x00\x01\xff\xff\xff",
        b"\x16\x03\x01\x00\x08\x01\x00\x00\x04\x03\x03ab",
        _with_name(b"g\xe4\xe4d.test"),
        HELLO[: HELLO.index(b"good.test") - 3] + b"\x01" + HELLO[HELLO.index(b"good.test") - 2 :],
    ],
    ids=count(),
)
def test_what_is_no_hello(data: bytes) -> None:
    with pytest.raises(NotTls):
        server_name(data)


@given(st.binary(max_size=80), st.integers(0, len(HELLO)))
def test_nothing_is_worse_than_no_hello(noise: bytes, at: int) -> None:
    for data in (noise, HELLO[:at] + noise, HELLO[:at] + noise + HELLO[at + len(noise) :]):
        try:
            server_name(data)
        except NotTls:
            continue
