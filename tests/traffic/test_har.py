"""Exchanges as archives describe them."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.events import Request, StreamFrame, Timing
from stockade.traffic.har import Exchange, HarOptions, archive, entry


def request(**changes: Any) -> Request:
    given: dict[str, Any] = {
        "id": "r1",
        "url": "https://shop.test/tea?q=a%20b&q=&x#part",
        "method": "POST",
        "type": "Fetch",
        "started": 1000.0,
        "answered": 1000.3,
        "ended": 1000.5,
        "status": 200,
        "status_text": "OK",
        "mime_type": "application/json",
        "protocol": "h2",
        "server": "[::1]",
        "server_port": 443,
        "request_headers": {"Cookie": "a=1; b=2=3", "Content-Type": "text/plain"},
        "response_headers": {
            "Set-Cookie": "s=1; Secure\nt=2; Domain=x.test",
            "Content-Length": "7",
        },
        "bytes": 120,
        **changes,
    }
    return Request(**given)


def test_an_entry() -> None:
    timing = Timing(blocked=10, dns=20, connect=100, ssl=60, send=1, wait=150)
    exchange = Exchange(request(timing=timing), "page_1", b"hello", b'{"a":1}')
    made = entry(exchange, HarOptions())
    assert made["startedDateTime"] == "1970-01-01T00:16:40.000Z"
    assert made["time"] == 500
    assert made["timings"] == {
        "blocked": 10,
        "dns": 20,
        "connect": 100,
        "ssl": 60,
        "send": 1,
        "wait": 150,
        "receive": 219,
    }
    assert (made["pageref"], made["serverIPAddress"], made["connection"]) == (
        "page_1",
        "::1",
        "443",
    )
    sent = made["request"]
    assert sent["url"] == "https://shop.test/tea?q=a%20b&q=&x"
    assert [(each["name"], each["value"]) for each in sent["queryString"]] == [
        ("q", "a b"),
        ("q", ""),
        ("x", ""),
    ]
    assert sent["cookies"] == [{"name": "a", "value": "1"}, {"name": "b", "value": "2=3"}]
    assert sent["postData"] == {"mimeType": "text/plain", "text": "hello"}
    got = made["response"]
    assert got["cookies"] == [
        {"name": "s", "value": "1", "secure": True},
        {"name": "t", "value": "2", "domain": "x.test"},
    ]
    assert [each["value"] for each in got["headers"]] == ["s=1; Secure", "t=2; Domain=x.test", "7"]
    assert got["content"] == {"size": 7, "mimeType": "application/json", "text": '{"a":1}'}
    assert (got["httpVersion"], got["bodySize"], got["_transferSize"]) == ("HTTP/2.0", 7, 120)


def test_what_is_none_of_the_callers_business() -> None:
    headers = {"Authorization": "Basic x", "cookie": "a=1", "Accept": "*/*"}
    made = entry(
        Exchange(request(request_headers=headers)), HarOptions(content="omit", private=True)
    )
    shown = {each["name"]: each["value"] for each in made["request"]["headers"]}
    assert shown == {"Authorization": "<hidden>", "cookie": "<hidden>", "Accept": "*/*"}
    assert made["request"]["cookies"] == made["response"]["cookies"] == []
    assert "text" not in made["response"]["content"]


def test_a_failure_and_a_socket() -> None:
    failed = entry(
        Exchange(request(status=None, answered=None, failure="net::ERR_FAILED")), HarOptions()
    )
    assert (failed["response"]["status"], failed["response"]["_error"]) == (0, "net::ERR_FAILED")
    frame = StreamFrame("ws", "wss://x", "sent", "hi", 5.0, "r1", 1)
    talked = entry(Exchange(request(type="WebSocket"), messages=[frame]), HarOptions())
    assert talked["_webSocketMessages"] == [
        {"type": "send", "time": 5.0, "opcode": 1, "data": "hi"}
    ]


@pytest.mark.parametrize("content", ["embed", "attach", "omit"])
def test_where_bodies_are(content: Any) -> None:
    exchange = Exchange(
        request(), received=b"\xff\x00", file="b/1.bin" if content == "attach" else None
    )
    found = entry(exchange, HarOptions(content=content))["response"]["content"]
    assert ("text" in found) is (content == "embed")
    assert found.get("encoding") == ("base64" if content == "embed" else None)
    assert found.get("_file") == ("b/1.bin" if content == "attach" else None)
    assert found["size"] == 2


def test_an_archive() -> None:
    made = archive("HeadlessChrome/156.0", [], [], "1.0")["log"]
    assert made["browser"] == {"name": "HeadlessChrome", "version": "156.0"}
    assert set(made) == {"version", "creator", "browser", "pages", "entries"}
