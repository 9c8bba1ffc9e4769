"""Answers from archives."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stockade.engines.routing import HeldRequest
from stockade.errors import InvalidArgument
from stockade.traffic.replaying import Replay, attachments


def row(url: str, *, method: str = "GET", status: int = 200, **parts: Any) -> dict[str, Any]:
    content = parts.get("content", {"text": "body", "mimeType": "text/plain"})
    asked = {"method": method, "url": url, "headers": parts.get("headers", [])}
    if "sent" in parts:
        asked["postData"] = {"mimeType": "text/plain", "text": parts["sent"]}
    answered = {
        "status": status,
        "headers": [
            {"name": "Content-Encoding", "value": "gzip"},
            {"name": ":status", "value": "200"},
            {"name": "Content-Type", "value": "text/plain"},
        ],
        "content": content,
        "redirectURL": parts.get("redirect", ""),
    }
    return {"request": asked, "response": answered}


def replay(*rows: dict[str, Any], **attached: bytes) -> Replay:
    return Replay(json.dumps({"log": {"entries": rows}}).encode(), attached.get)


def test_method_and_address_decide() -> None:
    known = replay(row("https://a.test/x#part"), row("https://a.test/x", method="PUT", status=201))
    found = known.answer(HeldRequest("https://a.test/x"))
    assert found is not None
    assert (found.status, found.body) == (200, b"body")
    assert found.headers == (("Content-Type", "text/plain"),)
    put = known.answer(HeldRequest("https://a.test/x", "PUT"))
    assert put is not None
    assert put.status == 201
    assert known.answer(HeldRequest("https://a.test/y")) is None
    assert not known.matches(HeldRequest("https://a.test/x", "DELETE"))
    assert known.patterns == ["https://a.test/*"]
    assert len(known) == 2


def test_the_most_alike_answers() -> None:
    german = row(
        "https://a.test/",
        headers=[{"name": "accept-language", "value": "de"}],
        content={"text": "de"},
    )
    english = row(
        "https://a.test/",
        headers=[{"name": "Accept-Language", "value": "en"}],
        content={"text": "en"},
    )
    known = replay(german, english)
    for language in ("de", "en"):
        found = known.answer(HeldRequest("https://a.test/", headers={"Accept-Language": language}))
        assert found is not None
        assert found.body == language.encode()


def test_another_body_is_another_request() -> None:
    known = replay(row("https://a.test/", method="POST", sent="one"))
    assert known.matches(HeldRequest("https://a.test/", "POST", body=b"one"))
    assert known.matches(HeldRequest("https://a.test/", "POST", body=None))
    assert not known.matches(HeldRequest("https://a.test/", "POST", body=b"two"))


def test_bodies_of_every_kind() -> None:
    known = replay(
        row("https://a.test/bytes", content={"text": "/wA=", "encoding": "base64"}),
        row("https://a.test/file", content={"_file": "there"}),
        row("https://a.test/lost", content={"_file": "elsewhere"}),
        row("https://a.test/omitted", content={"size": 5}),
        row("https://a.test/empty", content={"size": 0}),
        row("https://a.test/failed", status=0),
        row(
            "https://a.test/moved", status=302, redirect="https://a.test/file", content={"size": 9}
        ),
        there=b"in a file",
    )

    def body(path: str) -> bytes | None:
        found = known.answer(HeldRequest(f"https://a.test{path}"))
        return None if found is None else found.body

    assert [body(each) for each in ("/bytes", "/file", "/empty")] == [
        b"\xff\x00",
        b"in a file",
        b"",
    ]
    assert [body(each) for each in ("/lost", "/omitted", "/failed")] == [None] * 3
    moved = known.answer(HeldRequest("https://a.test/moved"))
    assert moved is not None
    assert ("Location", "https://a.test/file") in moved.headers


def test_files_of_an_archive() -> None:
    rows = [row("https://a.test/", content={"_file": "b/1"}), row("https://a.test/x")]
    assert attachments(json.dumps({"log": {"entries": rows}}).encode()) == {"b/1"}


@pytest.mark.parametrize(
    "content", [b"", b"no", b"\xff", b'{"log": {}}', b'{"log": {"entries": [1]}}']
)
def test_what_is_no_archive(content: bytes) -> None:
    with pytest.raises(InvalidArgument):
        Replay(content)
