"""Access: an id, a line and an answer for every request, however it ends."""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from stockade.errors import Missing
from stockade.surfaces.access import Access, principal_in
from stockade.surfaces.answers import refusal
from stockade.telemetry.metrics import Metrics
from tests.support.serving import Served


def scope(method: str = "GET") -> dict[str, Any]:
    return {"type": "http", "method": method, "path": "/", "headers": [], "query_string": b""}


async def nothing() -> Message:
    return {"type": "http.disconnect"}


class Sent:
    def __init__(self) -> None:
        self.messages: list[Message] = []

    async def __call__(self, message: Message) -> None:
        self.messages.append(message)

    @property
    def status(self) -> int:
        return int(self.messages[0]["status"])

    @property
    def body(self) -> dict[str, Any]:
        whole: dict[str, Any] = json.loads(b"".join(m.get("body", b"") for m in self.messages))
        return whole


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


async def test_every_request_has_an_id_and_a_line(
    server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    answer = await server.client.get("/v1/artifacts/ses_1/downloads/a.txt?token=s3cret")
    id = answer.headers["x-request-id"]  # noqa: A001
    assert re.fullmatch("[0-9a-f]{8}", id)
    begun, ended = lines(capsys)
    assert (begun["msg"], ended["msg"]) == ("req", "res")
    assert begun["reqId"] == ended["reqId"] == id
    assert begun["method"] == "GET"
    assert begun["path"] == "/v1/artifacts/ses_1/downloads/a.txt"
    assert ended["route"] == "/v1/artifacts/{session}/{kind}/{name}"
    assert ended["status"] == 404
    assert ended["ms"] >= 0
    assert re.fullmatch("[0-9a-f]+", ended["principal"])
    assert "s3cret" not in json.dumps([begun, ended])


async def test_ids_differ_and_are_in_the_lines_of_calls(
    server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    answers = [await server.call("list_sessions") for _ in range(2)]
    found = lines(capsys)
    for answer in answers:
        mine = [each for each in found if each["reqId"] == answer.headers["x-request-id"]]
        assert [each["msg"] for each in mine] == ["req", "call", "res"]
        assert mine[1]["call"] == answer.headers["stockade-call"]


@pytest.mark.parametrize(
    ("path", "status"),
    [("/nothing?s3cret", 401), ("/v1/keys?s3cret", 401), ("/login?code=s3cret", 410)],
)
async def test_nothing_that_was_sent_is_logged(
    server: Served, capsys: pytest.CaptureFixture[str], path: str, status: int
) -> None:
    capsys.readouterr()
    answer = await server.stranger.get(
        path, headers={"user-agent": "s3cret", "referer": "http://s3cret/", "cookie": "a=s3cret"}
    )
    assert answer.status_code == status
    text = capsys.readouterr().err
    assert "s3cret" not in text
    assert f'"status":{status}' in text


async def test_a_fault_is_told_by_its_id_and_logged_in_full(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def broken(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise RuntimeError("the s3cret detail")

    sent = Sent()
    await Access(broken, Metrics())(scope(), nothing, sent)
    assert sent.status == 500
    assert sent.body["code"] == "internal_error"
    assert "s3cret" not in json.dumps(sent.body)
    id = dict(sent.messages[0]["headers"])[b"x-request-id"].decode()  # noqa: A001
    assert id in sent.body["hint"]


async def test_a_request_that_the_server_ends_is_told_so() -> None:
    begun = asyncio.Event()

    async def long(_scope: Scope, _receive: Receive, _send: Send) -> None:
        begun.set()
        await asyncio.Event().wait()

    sent = Sent()
    async with asyncio.TaskGroup() as group:
        task = group.create_task(Access(long, Metrics())(scope(), nothing, sent))
        await begun.wait()
        task.cancel()
    assert not task.cancelled()
    assert sent.status == 503
    assert (sent.body["code"], sent.body["retryable"]) == ("stopping", True)


async def test_an_answer_that_has_begun_gets_no_second_one() -> None:
    async def half(scope: Scope, receive: Receive, send: Send) -> None:
        await refusal(Missing("x"))(scope, receive, send)
        raise RuntimeError("late")

    sent = Sent()
    await Access(half, Metrics())(scope(), nothing, sent)
    assert [message["type"] for message in sent.messages] == [
        "http.response.start",
        "http.response.body",
    ]


async def test_other_kinds_of_connections_are_not_answered() -> None:
    sent = Sent()
    await Access(nothing, Metrics())({"type": "websocket"}, nothing, sent)  # type: ignore[arg-type]
    assert sent.messages == []


def test_who_asks_is_known_once_it_is() -> None:
    assert principal_in({}) is None
    assert principal_in({"stockade.principal": None}) is None
