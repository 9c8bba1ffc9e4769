from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import (
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from stockade.surfaces.mcp.framing import Unreadable, decode, encode

PARSE_ERROR = -32700
INVALID_REQUEST = -32600


def refused(text: bytes) -> JSONRPCError:
    with pytest.raises(Unreadable) as caught:
        decode(text)
    return caught.value.answer


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":"\xff"}',
        b"\xff\xfe",
        b"{",
        b"",
        b"not json",
        b'{"jsonrpc":"2.0","method":"ping","id":NaN}',
        b'{"jsonrpc":"2.0","method":"ping","id":1,"params":{"a":-Infinity}}',
        b"[" * 100_000,
        b'{"params":' * 100_000,
        b'{"a":"\\ud800"}',
        b'{"a":1e999}',
        b"\x00",
        b"{} {}",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_what_is_not_json_is_a_parse_error_without_an_id(text: bytes) -> None:
    answer = refused(text)
    assert answer.error.code == PARSE_ERROR
    assert answer.id is None


@pytest.mark.parametrize(
    ("value", "id"),
    [
        (17, None),
        ("text", None),
        (None, None),
        ({}, None),
        ({"id": 4}, None),
        ({"jsonrpc": "1.0", "id": 4, "method": "ping"}, 4),
        ({"id": 4, "method": "ping"}, 4),
        ({"jsonrpc": "2.0", "id": 4, "method": 5}, 4),
        ({"jsonrpc": "2.0", "id": "x", "method": "ping", "params": [1]}, "x"),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "method": "ping", "params": "x"}, None),
        ({"jsonrpc": "2.0", "id": 1, "result": 5}, None),
        ({"jsonrpc": "2.0", "id": 1, "error": 5}, None),
        ([{"jsonrpc": "2.0", "id": 1, "method": "ping"}], None),
    ],
    ids=str,
)
def test_json_that_is_no_message_is_an_invalid_request(value: Any, id: int | str | None) -> None:
    answer = refused(json.dumps(value).encode())
    assert answer.error.code == INVALID_REQUEST
    assert answer.id == id


def test_an_error_never_repeats_what_was_sent() -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": ["hunter2"], "params": {"password": "hunter2"}}
    assert b"hunter2" not in encode(refused(json.dumps(body).encode()))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"jsonrpc": "2.0", "id": 1, "method": "ping"}, JSONRPCRequest),
        ({"jsonrpc": "2.0", "id": "a", "method": "x", "params": {"y": [1]}}, JSONRPCRequest),
        ({"jsonrpc": "2.0", "method": "notifications/initialized"}, JSONRPCNotification),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, JSONRPCResponse),
        ({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "m"}}, JSONRPCError),
    ],
)
def test_messages_are_what_they_say(value: Any, kind: type) -> None:
    message = decode(json.dumps(value).encode())
    assert isinstance(message, kind)
    assert json.loads(encode(message)) == value


def test_a_message_is_one_line() -> None:
    message = JSONRPCResponse(jsonrpc="2.0", id=1, result={"text": "a\nb\r\u2028c"})
    assert encode(message).count(b"\n") == 1
    assert encode(message).endswith(b"\n")


def test_an_answer_that_cannot_be_written_is_an_error_in_its_place() -> None:
    message = JSONRPCResponse(jsonrpc="2.0", id=7, result={"text": "\ud800"})
    told = json.loads(encode(message))
    assert told["id"] == 7
    assert told["error"]["code"] == -32603


names = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "code", "message"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["2.0", "ping", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=5),
    max_leaves=8,
)


@given(st.binary(max_size=200) | values.map(lambda value: json.dumps(value).encode()))
def test_whatever_comes_is_a_message_or_has_an_answer(text: bytes) -> None:
    try:
        said = decode(text)
    except Unreadable as error:
        said = error.answer
    assert json.loads(encode(said))["jsonrpc"] == "2.0"
