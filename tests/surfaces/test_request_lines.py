"""Two lines for every request, whoever it is for."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from stockade.surfaces.request_lines import RequestLines
from stockade.telemetry.logs import configure
from tests.support.serving import logging_restored


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    with logging_restored():
        configure("json", stream=stream)
        yield stream


def rows(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def request(path: str, query: str = "", *, method: str = "GET", body: bool = False) -> RequestLines:
    headers = [(b"content-length", b"9")] if body else []
    asked = {"method": method, "path": path, "query_string": query.encode(), "headers": headers}
    return RequestLines(asked)


def part(body: bytes, *, more: bool = False) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


def test_one_when_it_begins_and_one_when_it_ends(log: io.StringIO) -> None:
    lines = request("/tabs", "userId=agent1&url=s3cret")
    lines.heard(part(b""))
    lines.begin()
    lines.end(200, 333.0, route="/tabs")
    begun, ended = rows(log)
    assert (begun["msg"], begun["level"], begun["path"]) == ("req", "info", "/tabs")
    assert begun["userId"] == ended["userId"] == "agent1"
    assert (ended["msg"], ended["status"], ended["ms"], ended["route"]) == (
        "res",
        200,
        333,
        "/tabs",
    )
    assert "s3cret" not in log.getvalue()


@pytest.mark.parametrize(
    ("body", "user"),
    [
        (b'{"userId":"agent1","text":"s3cret"}', "agent1"),
        (b'{"userId":7}', "7"),
        (b'{"userId":{"s3cret":1}}', None),
        (b'{"userId":"' + b"x" * 5000 + b'"}', "x" * 100),
        (b"[1]", None),
        (b"s3cret", None),
        (b"\xff", None),
        (b"", None),
    ],
)
def test_a_body_may_say_whose_it_is(log: io.StringIO, body: bytes, user: str | None) -> None:
    lines = request("/tabs", method="POST", body=True)
    lines.heard(part(body[:5], more=True))
    assert rows(log) == []
    lines.heard(part(body[5:]))
    (line,) = rows(log)
    assert line.get("userId") == user
    lines.end(500, 1.0)
    assert [(row["msg"], row["level"]) for row in rows(log)] == [("req", "info"), ("res", "warn")]
    assert "s3cret" not in log.getvalue()


def test_an_answer_does_not_wait_for_the_body(log: io.StringIO) -> None:
    lines = request("/tabs", method="POST", body=True)
    lines.begin()
    lines.heard(part(b'{"userId":"late"}'))
    assert [row["msg"] for row in rows(log)] == ["req"]


def test_a_body_that_is_too_large_is_not_kept(log: io.StringIO) -> None:
    lines = request("/tabs", method="POST", body=True)
    for _ in range(20):
        lines.heard(part(b"x" * 100_000, more=True))
    assert len(rows(log)) == 1
    assert not lines._body


@pytest.mark.parametrize(
    ("path", "user"),
    [
        ("/sessions/agent1/cookies", "agent1"),
        ("/v1/sessions/agent1/tools/click", "agent1"),
        ("/v1/keys", None),
        ("/mcp", None),
    ],
)
def test_an_address_may_say_it_too(log: io.StringIO, path: str, user: str | None) -> None:
    request(path, method="POST", body=True)
    assert rows(log)[0].get("userId") == user


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_nothing_is_said_of_health(log: io.StringIO, method: str) -> None:
    request("/health", method=method).end(200, 1.0)
    assert rows(log) == []
