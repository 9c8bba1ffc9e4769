"""Bodies: JSON that can be read whole, and in one way only."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.errors import InvalidArgument
from stockade.surfaces import bodies
from stockade.surfaces.bodies import LARGEST_BODY, check_json
from stockade.surfaces.json_shape import DEEPEST
from tests.support.serving import Served

JSON = {"content-type": "application/json"}
PATHS = ["/v1/keys", "/v1/sessions/default/tools/tabs", "/mcp", "/no/such/place"]

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=200,
)


def depth(value: object) -> int:
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    return 0


@given(values)
def test_whatever_is_json_is_accepted_up_to_the_depth(value: object) -> None:
    assert depth(value) <= DEEPEST
    check_json(json.dumps(value).encode())
    check_json(json.dumps(value, ensure_ascii=False).encode(errors="replace"))


@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_the_depth_is_counted_where_it_is_one(brackets: str) -> None:
    opening = brackets[0] if brackets == "[]" else '{"a":'
    inner = "" if brackets == "[]" else "1"
    check_json((opening * DEEPEST + inner + brackets[1] * DEEPEST).encode())
    with pytest.raises(InvalidArgument, match="deep"):
        check_json((opening * (DEEPEST + 1) + inner + brackets[1] * (DEEPEST + 1)).encode())
    check_json(json.dumps(["[" * 1000, {"{" * 1000: '"[\\'}]).encode())
    check_json(json.dumps([[]] * 1000).encode())


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"a":1,"a":2}',
        b'{"a":{"b":1,"b":1}}',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":-Infinity}',
        b"{'a':1}",
        b'{"a":1}{"a":1}',
        b'{"a":1,}',
        b'{"a":"\n"}',
        b'\xef\xbb\xbf{"a":1}',
        b'{"a":"\xff"}',
        b'{"a":"\xed\xa0\x80"}',
        b"{" * 100_000,
        b'{"a":' + b"9" * 5000 + b"}",
    ],
)
def test_what_is_not_json_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidArgument):
        check_json(body)


def test_no_text_takes_long_to_refuse() -> None:
    """Each of these took minutes where a scan began anew at every quote."""
    size = LARGEST_BODY // 2
    started = time.process_time()
    for body in (b'"' + b'\\"' * size, b"[" * 65 + b'"\\' * size, b'{"' * size):
        with pytest.raises(InvalidArgument):
            check_json(body)
    assert time.process_time() - started < 20


@pytest.mark.parametrize("path", PATHS)
async def test_a_body_of_four_mebibytes_is_the_largest(server: Served, path: str) -> None:
    answer = await server.client.post(path, content=b" " * (LARGEST_BODY + 1), headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["code"] == "request_too_large"


async def test_a_body_that_is_not_announced_is_counted(server: Served) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(80):
            yield b" " * 65536

    answer = await server.client.post("/v1/keys", content=pieces(), headers=JSON)
    assert answer.status_code == 413


async def test_a_refused_body_does_not_spoil_the_connection(server: Served) -> None:
    for _ in range(3):
        answer = await server.client.post(
            "/v1/keys", content=b" " * (LARGEST_BODY * 3), headers=JSON
        )
        assert answer.status_code == 413
        assert (await server.client.get("/health")).status_code == 200


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "body", [b"[" * 1000 + b"]" * 1000, b'{"name":"\xff\xfe"}', b"{", b'{"name":"a","name":"b"}']
)
async def test_what_cannot_be_read_is_refused_everywhere(
    server: Served, path: str, body: bytes
) -> None:
    answer = await server.client.post(path, content=body, headers=JSON)
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid_argument"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/json", "content-encoding": "gzip"},
    ],
)
async def test_a_body_is_json_and_says_so(server: Served, headers: dict[str, str]) -> None:
    answer = await server.client.post("/v1/keys", content=b'{"name":"x"}', headers=headers)
    assert answer.status_code == 415
    assert answer.json()["code"] == "wrong_media_type"


async def test_a_charset_may_be_named(server: Served) -> None:
    answer = await server.client.post(
        "/v1/sessions/default/tools/list_sessions",
        content=b"{}",
        headers={"content-type": "application/json; charset=utf-8"},
    )
    assert answer.status_code == 200


async def test_a_body_that_does_not_come_is_not_waited_for(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bodies, "_BODY_SECONDS", 0.05)
    answer = await server.raw(
        f"POST /v1/keys HTTP/1.1\r\nHost: {server.authority}\r\nConnection: close\r\n"
        f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n"
        "Content-Length: 100\r\n\r\n{".encode()
    )
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"request_too_slow"' in answer
