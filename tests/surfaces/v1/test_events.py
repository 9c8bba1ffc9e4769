"""Events over REST."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from stockade.kernel import news
from stockade.kernel.news import Notice
from stockade.policy.principal import Principal
from stockade.surfaces.v1 import events
from tests.support.serving import WAIT_SECONDS, Served, served, until
from tests.support.site import Site


def test_a_notice_is_written_as_the_format_has_it() -> None:
    facts = {"type": "tab.opened", "url": "https://é.example/\nid: 7", "half": "\ud800"}
    text = events.written(Notice("ab-1", 1, "tab.opened", Principal("a"), "", facts)).decode()
    first, second, third, *rest = text.split("\n")
    assert (first, second, rest) == ("id: ab-1", "event: tab.opened", ["", ""])
    assert third.startswith('data: {"type":"tab.opened","url":"https://é.example/\\nid: 7"')


@dataclass
class Stream:
    """A stream that is read event by event."""

    response: httpx.Response
    lines: AsyncIterator[str]

    async def next(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        async with asyncio.timeout(WAIT_SECONDS):
            async for line in self.lines:
                if not line and "event" in found:
                    found["data"] = json.loads(found["data"])
                    return found
                name, colon, value = line.partition(": ")
                if colon and name:
                    found[name] = value
        raise EOFError

    async def until(self, kind: str) -> list[dict[str, Any]]:
        found = [await self.next()]
        while found[-1]["event"] != kind:
            found.append(await self.next())
        return found


@asynccontextmanager
async def stream(
    client: httpx.AsyncClient, path: str = "/v1/events", **headers: str
) -> AsyncIterator[Stream]:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with client.stream("GET", path, headers=named) as response:
        lines = response.aiter_lines()
        if response.status_code == 200:
            assert await anext(lines) == "retry: 1000"
        yield Stream(response, lines)


async def test_what_happens_is_told_as_it_happens(server: Served, site: Site) -> None:
    site.page("/page", "<title>x</title>")
    async with stream(server.client) as events:
        assert events.response.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert events.response.headers["cache-control"] == "no-store"
        await server.call("navigate", url=f"{site.url('/page')}?s3cret=1")
        found = await events.until("call.finished")
    assert {"session.opened", "tab.opened", "tab.navigated", "call.started"} <= {
        each["event"] for each in found
    }
    finished = found[-1]["data"]
    assert (finished["tool"], finished["ok"]) == ("navigate", True)
    assert finished["session"] == "default"
    for each in found:
        assert each["data"]["type"] == each["event"]
        if each["event"].startswith("call."):
            assert "s3cret" not in str(each)


async def test_a_stream_can_be_resumed(server: Served) -> None:
    async with stream(server.client) as events:
        await server.client.post("/v1/tools/list_sessions")
        (*_, last) = await events.until("call.finished")
    await server.client.post("/v1/tools/list_sessions")
    async with stream(server.client, last_event_id=last["id"]) as events:
        found = await events.until("call.finished")
    assert [each["event"] for each in found] == ["call.started", "call.finished"]
    assert found[0]["id"] > last["id"] or len(found[0]["id"]) > len(last["id"])
    async with stream(server.client, last_event_id="00000000-1") as events:
        assert (await events.next())["event"] == "gap"


async def test_each_hears_what_is_theirs(server: Served) -> None:
    _, one = await server.key(name="listener one")
    _, two = await server.key(name="listener two")
    async with stream(server.client) as all_of_them, stream(server.stranger, **one) as mine:
        await server.stranger.post("/v1/sessions", json={"session": "theirs"}, headers=two)
        await server.stranger.post("/v1/sessions", json={"session": "mine"}, headers=one)
        heard = await mine.until("call.finished")
        operator = await all_of_them.until("call.finished")
        operator += await all_of_them.until("call.finished")
    sessions = [each["data"]["session"] for each in heard if each["event"] == "session.opened"]
    assert sessions == ["mine"]
    opened = [each["data"]["session"] for each in operator if each["event"] == "session.opened"]
    assert opened == ["theirs", "mine"]


async def test_a_stream_may_be_of_one_session(server: Served) -> None:
    for name in ("loud", "quiet"):
        await server.client.post("/v1/sessions", json={"session": name})
    path = "/v1/sessions/loud/events"
    async with stream(server.client, path) as events:
        await server.call("tabs", "quiet")
        await server.call("tabs", "loud")
        found = await events.until("call.finished")
        await server.client.delete("/v1/sessions/loud")
        found += await events.until("session.closed")
    assert {each["data"]["session"] for each in found} == {"loud"}
    async with stream(server.client, path) as events:
        assert events.response.status_code == 404


async def test_a_silent_stream_shows_that_it_lives(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stockade.surfaces.v1.events._BEAT_SECONDS", 0.01)
    async with stream(server.client) as quiet:
        async with asyncio.timeout(WAIT_SECONDS):
            async for line in quiet.lines:
                if line == ": beat":
                    break


async def test_a_stream_ends_when_its_time_is_up(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stockade.surfaces.v1.events._LONGEST_SECONDS", 0.05)
    async with stream(server.client) as short:
        with pytest.raises(EOFError):
            await short.next()


async def test_a_revoked_token_hears_nothing_more(server: Served) -> None:
    key, token = await server.key(name="short-lived")
    async with stream(server.stranger, **token) as events:
        await server.client.delete(f"/v1/keys/{key}")
        with pytest.raises(EOFError):
            await events.until("session.closed")


async def test_a_client_that_leaves_is_forgotten(
    server: Served, capsys: pytest.CaptureFixture[str]
) -> None:
    async with stream(server.client):
        pass
    log = ""

    def ended() -> bool:
        nonlocal log
        log += capsys.readouterr().err
        return '"route":"/v1/events"' in log

    await until(ended)


async def test_a_server_that_stops_ends_its_streams(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    async def follow(server: Served) -> list[str]:
        found = []
        async with stream(server.client) as events:
            begun.set()
            try:
                while True:
                    found.append((await events.next())["event"])
            except EOFError:
                # Not cut off: the client was told that this was all.
                found.append("end")
        return found

    begun = asyncio.Event()
    async with (
        httpx.AsyncClient(trust_env=False) as client,
        asyncio.timeout(WAIT_SECONDS),
        asyncio.TaskGroup() as group,
        served(tmp_path_factory.mktemp("workspace")) as server,
    ):
        client.base_url, client.headers = httpx.URL(server.url), server.client.headers
        apart = Served(server.url, "", server.workspace, client, server.stranger)
        following = group.create_task(follow(apart))
        await begun.wait()
        await server.client.post("/v1/sessions")
    assert "session.opened" in following.result()
    assert following.result()[-1] == "end"


async def test_a_look_opens_no_stream(server: Served) -> None:
    answer = await server.client.head("/v1/events")
    assert (answer.status_code, answer.content) == (200, b"")


async def test_a_key_has_so_many_streams(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "_MOST_LISTENERS", 1)
    _, token = await server.key(name="many")
    async with stream(server.stranger, **token):
        refused = await server.stranger.get("/v1/events", headers=token)
        assert (refused.status_code, refused.json()["code"]) == (429, "limit_reached")
        assert refused.headers["retry-after"] == "1"
