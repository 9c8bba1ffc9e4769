from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest

from stockade.surfaces.mcp.lines import LONGEST_LINE
from tests.support.callers import Caller
from tests.support.mcp import STATELESS, Web, on_the_web, stateless

ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
JUNK: dict[str, tuple[bytes, int]] = {
    "nothing": (b"", -32700),
    "invalid UTF-8": (b'{"jsonrpc":"2.0","id":1,"method":"\xff"}', -32700),
    "no JSON": (b"hunter2", -32700),
    "deep": (b"[" * 100_000, -32700),
    "NaN": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', -32700),
    "a batch": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    "wrong params": (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":["hunter2"]}', -32600),
    "a wrong id": (b'{"jsonrpc":"2.0","id":["hunter2"],"method":"ping"}', -32600),
}


@asynccontextmanager
async def client_of(caller: Caller) -> AsyncIterator[tuple[httpx2.AsyncClient, Web]]:
    known = {"me": caller.principal}
    headers = {**ACCEPT, "authorization": "me"}
    async with (
        asyncio.timeout(60),
        on_the_web(caller.kernel, known) as web,
        httpx2.AsyncClient(headers=headers, timeout=30) as client,
    ):
        yield client, web


@pytest.mark.parametrize("era", ["2025-11-25", STATELESS])
@pytest.mark.parametrize("junk", JUNK)
async def test_junk_is_a_bad_request_that_is_not_repeated(
    caller: Caller, junk: str, era: str
) -> None:
    body, code = JUNK[junk]
    async with client_of(caller) as (client, web):
        headers = {"mcp-protocol-version": era}
        answer = await client.post(web.url, content=body, headers=headers)
        assert answer.status_code == 400
        assert answer.json()["error"]["code"] == code
        assert "hunter2" not in answer.text


async def test_a_body_has_an_end(caller: Caller) -> None:
    async with client_of(caller) as (client, web):
        answer = await client.post(web.url, content=b"x" * (LONGEST_LINE + 1))
        assert answer.status_code == 413


@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("PUT", {}, 405),
        ("GET", {}, 400),
        ("DELETE", {}, 400),
        ("GET", {"mcp-session-id": "none"}, 404),
        ("POST", {"content-type": "text/plain"}, 400),
        ("POST", {"accept": "text/html"}, 406),
    ],
)
async def test_requests_that_make_no_sense(
    caller: Caller, method: str, headers: dict[str, str], status: int
) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}' if method == "POST" else b""
    async with client_of(caller) as (client, web):
        answer = await client.request(method, web.url, content=body, headers=headers)
        assert answer.status_code == status


async def test_white_space_around_a_header_is_no_part_of_it(caller: Caller) -> None:
    params = stateless(name="list_sessions", arguments={})
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    content = json.dumps(body).encode()
    head = [
        "POST /mcp HTTP/1.1",
        "Host: 127.0.0.1",
        "Authorization: me",
        "Accept: application/json, text/event-stream",
        "Content-Type: application/json",
        f"MCP-Protocol-Version: \t{STATELESS} ",
        "Mcp-Method:   tools/call\t ",
        "Mcp-Name: list_sessions  ",
        "Connection: close",
        f"Content-Length: {len(content)}",
        *("", ""),
    ]
    async with client_of(caller) as (_, web):
        port = int(web.url.rpartition(":")[2].partition("/")[0])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write("\r\n".join(head).encode() + content)
        answer = await reader.read()
        writer.close()
    assert answer.startswith(b"HTTP/1.1 200")
    assert b'"sessions":[]' in answer
