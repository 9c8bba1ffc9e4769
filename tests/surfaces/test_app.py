"""The application: one shape for every error, at every address."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.support.serving import Served, until

JSON = {"content-type": "application/json"}

WRONG = [
    ("GET", "/no/such/place", {}, b"", 404, "not_found"),
    ("GET", "/v1", {}, b"", 404, "not_found"),
    ("GET", "/v1/", {}, b"", 404, "not_found"),
    ("GET", "/health/", {}, b"", 404, "not_found"),
    ("GET", "//health", {}, b"", 404, "not_found"),
    ("GET", "/docs/", {}, b"", 404, "not_found"),
    ("GET", "/v1/sessions", {"accept": "text/html"}, b"", 406, "not_acceptable"),
    ("GET", "/v1/sessions?limit=0", {}, b"", 422, "invalid_argument"),
    ("GET", "/v1/sessions?nonsense=1", {}, b"", 422, "invalid_argument"),
    ("POST", "/v1/sessions", {"idempotency-key": "a b"}, b"", 422, "invalid_argument"),
    ("POST", "/v1/tools/click", {}, b"", 422, "invalid_argument"),
    ("POST", "/v1/tools/nothing", {}, b"", 404, "unknown_tool"),
    ("GET", "/v1/tools/nothing", {}, b"", 404, "unknown_tool"),
    ("GET", "/v1/sessions/nothing/events", {}, b"", 404, "session_not_found"),
    ("GET", "/v1/events", {"last-event-id": "x"}, b"", 422, "invalid_argument"),
    ("GET", "/console/../v1/keys", {}, b"", 404, "not_found"),
    ("POST", "/health", {}, b"", 405, "method_not_allowed"),
    ("PUT", "/v1/keys", {}, b"", 405, "method_not_allowed"),
    ("OPTIONS", "/v1/tools", {}, b"", 405, "method_not_allowed"),
    ("TRACE", "/v1/tools", {}, b"", 405, "method_not_allowed"),
    ("DELETE", "/v1/tools", {}, b"", 405, "method_not_allowed"),
    ("GET", "/v1/sessions/a/tools/b", {}, b"", 405, "method_not_allowed"),
    ("POST", "/v1/keys", {}, b"", 422, "invalid_argument"),
    ("POST", "/v1/keys", JSON, b"[]", 422, "invalid_argument"),
    ("POST", "/v1/keys", JSON, b"{", 422, "invalid_argument"),
    ("POST", "/v1/keys", {}, b"{}", 415, "wrong_media_type"),
    ("GET", "/v1/artifacts/a/b/c", {}, b"", 404, "artifact_not_found"),
    ("DELETE", "/v1/sessions/nothing", {}, b"", 404, "session_not_found"),
    ("DELETE", "/v1/keys/nothing", {}, b"", 404, "not_found"),
    ("GET", "/health", {"host": "evil.com"}, b"", 421, "wrong_host"),
    ("GET", "/health", {"origin": "null"}, b"", 403, "forbidden"),
]


@pytest.mark.parametrize(("method", "path", "headers", "body", "status", "code"), WRONG)
async def test_every_error_has_the_one_shape(
    server: Served,
    method: str,
    path: str,
    headers: dict[str, str],
    body: bytes,
    status: int,
    code: str,
) -> None:
    sent = {"host": server.authority, **headers}
    sent["authorization"] = f"Bearer {server.token}"
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    answer = await server.raw(
        f"{method} {path} HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n".encode()
        + body
    )
    top, _, rest = answer.partition(b"\r\n\r\n")
    assert top.startswith(f"HTTP/1.1 {status} ".encode()), answer
    assert b"content-type: application/json" in top
    shown = json.loads(rest)
    assert shown["code"] == code
    assert shown["ok"] is False
    assert shown["error"]
    assert isinstance(shown["retryable"], bool)
    assert shown["failure"]["source"] in {"app", "stockade", "caller", "unknown"}
    assert "detail" not in shown
    assert "Traceback" not in answer.decode()


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/v1/keys", "GET, HEAD, POST"),
        ("/v1/keys/x", "DELETE"),
        ("/health", "GET, HEAD"),
        ("/v1/sessions/a/tools/b", "POST"),
        ("/v1/sessions", "GET, HEAD, POST"),
        ("/v1/sessions/a/artifacts/b/c", "DELETE, GET, HEAD, PUT"),
        ("/v1/events", "GET, HEAD"),
    ],
)
async def test_a_refused_method_is_told_which_are_not(
    server: Served, path: str, allowed: str
) -> None:
    answer = await server.client.patch(path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == allowed
    assert allowed in answer.json()["hint"]


@pytest.mark.parametrize("path", ["/", "/health", "/v1/tools", "/openapi.json", "/no"])
async def test_head_is_get_without_the_body(server: Served, path: str) -> None:
    got, head = await server.client.get(path), await server.client.head(path)
    assert head.status_code == got.status_code
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]
    if path != "/health":
        assert head.headers["content-length"] == got.headers["content-length"]


async def test_mcp_is_at_its_address(server: Served, capsys: pytest.CaptureFixture[str]) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    accept = {"accept": "application/json, text/event-stream"}
    answer = await server.client.post("/mcp", json=hello, headers=accept)
    assert answer.status_code == 200
    assert '"name":"stockade"' in answer.text.replace(" ", "")
    log = ""

    def noted() -> bool:
        nonlocal log
        log += capsys.readouterr().err
        return '"route":"/mcp"' in log

    await until(noted)


async def test_looking_at_mcp_opens_no_stream(server: Served) -> None:
    async with asyncio.timeout(10):
        answer = await server.raw(
            f"HEAD /mcp HTTP/1.1\r\nHost: {server.authority}\r\nConnection: close\r\n"
            f"Authorization: Bearer {server.token}\r\nAccept: text/event-stream\r\n\r\n".encode()
        )
    assert answer.startswith(b"HTTP/1.1 4")


async def test_many_requests_at_once_are_all_answered(server: Served) -> None:
    answers = await asyncio.gather(*(server.client.get("/v1/sessions") for _ in range(80)))
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.headers["x-request-id"] for answer in answers}) == 80
