"""Idempotency: carried out once, however often it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from stockade.surfaces.v1 import outcomes
from tests.support.serving import WAIT_SECONDS, Served, served
from tests.support.site import Site

PLACE = "/v1/sessions/default/artifacts"


def named(key: str) -> dict[str, str]:
    return {"idempotency-key": key}


def replayed(answer: httpx.Response) -> bool:
    return bool(answer.headers.get("idempotency-replayed") == "true")


async def test_a_request_is_carried_out_once(mighty_server: Served) -> None:
    client = mighty_server.client
    first = await client.post("/v1/keys", json={"name": "once"}, headers=named("k1"))
    again = await client.post("/v1/keys", json={"name": "once"}, headers=named("k1"))
    assert first.status_code == again.status_code == 201
    assert first.content == again.content
    assert (replayed(first), replayed(again)) == (False, True)
    assert first.headers["x-request-id"] != again.headers["x-request-id"]
    assert again.headers["x-content-type-options"] == "nosniff"
    other = await client.post("/v1/keys", json={"name": "once"}, headers=named("k2"))
    assert other.status_code == 409


async def test_calls_have_their_id_and_their_effect_once(mighty_server: Served, site: Site) -> None:
    site.page("/page", "<button onclick='document.title += 1'>Go</button>")
    await mighty_server.call("navigate", url=site.url("/page"))
    answers = [
        await mighty_server.call("click", headers=named("click"), selector="role=button")
        for _ in range(3)
    ]
    assert len({each.headers["stockade-call"] for each in answers}) == 1
    assert len({each.content for each in answers}) == 1
    tabs = (await mighty_server.client.get("/v1/sessions/default")).json()["tabs"]
    assert [each["title"] for each in tabs] == ["1"]


async def test_errors_of_the_caller_are_outcomes_too(mighty_server: Served) -> None:
    for number in range(2):
        answer = await mighty_server.client.delete("/v1/sessions/nothing", headers=named("d"))
        assert answer.status_code == 404
        assert replayed(answer) is bool(number)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/v1/sessions", {"session": "idem-2"}),
        ("POST", "/v1/tools/open_session", {"session": "idem"}),
        ("POST", "/v1/sessions?x=1", {"session": "idem"}),
        ("DELETE", "/v1/sessions", {"session": "idem"}),
        ("POST", "/v1/sessions", None),
    ],
)
async def test_a_key_belongs_to_one_request(
    mighty_server: Served, method: str, path: str, body: object
) -> None:
    wanted = {"session": "idem"}
    await mighty_server.client.post("/v1/sessions", json=wanted, headers=named("one"))
    answer = await mighty_server.client.request(method, path, json=body, headers=named("one"))
    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")


async def test_everyone_has_keys_of_their_own(mighty_server: Served) -> None:
    _, one = await mighty_server.key(name="first of two")
    _, two = await mighty_server.key(name="second of two")
    for who in (one, two):
        answer = await mighty_server.stranger.post(
            "/v1/sessions", json={"session": "s"}, headers={**who, **named("same")}
        )
        assert (answer.status_code, replayed(answer)) == (201, False)


@pytest.mark.parametrize("key", ["", "a b", "x" * 256, "é".encode("latin-1")])
async def test_a_key_is_a_word(mighty_server: Served, key: str | bytes) -> None:
    given = key if isinstance(key, bytes) else key.encode()
    answer = await mighty_server.client.post(
        "/v1/tools/list_sessions", headers=[(b"idempotency-key", given)]
    )
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_argument")


async def test_two_keys_are_none(mighty_server: Served) -> None:
    twice = [("idempotency-key", "a"), ("idempotency-key", "a")]
    answer = await mighty_server.client.post("/v1/tools/list_sessions", headers=twice)
    assert answer.status_code == 422


async def test_reading_needs_no_key(mighty_server: Served) -> None:
    for _ in range(2):
        answer = await mighty_server.client.get("/v1/sessions", headers=named("read"))
        assert not replayed(answer)


async def test_who_comes_meanwhile_waits_for_the_first(mighty_server: Served, site: Site) -> None:
    gate = asyncio.Event()
    site.page("/slow", "late", delay=gate)
    async with asyncio.TaskGroup() as group:
        calls = [
            group.create_task(
                mighty_server.call("navigate", headers=named("slow"), url=site.url("/slow"))
            )
            for _ in range(3)
        ]
        await site.wait_asked("/slow")
        other = await mighty_server.call("navigate", headers=named("slow"), url=site.url("/x"))
        assert other.json()["code"] == "idempotency_key_reused"
        assert not any(each.done() for each in calls)
        gate.set()
    answers = [each.result() for each in calls]
    assert len({each.content for each in answers}) == 1
    assert sorted(map(replayed, answers)) == [False, True, True]
    assert len([each for each in site.requests if each.path == "/slow"]) == 1


async def test_who_left_is_told_how_it_ended(mighty_server: Served, site: Site) -> None:
    gate = asyncio.Event()
    site.page("/left", "late", delay=gate)
    async with asyncio.TaskGroup() as group:
        call = group.create_task(
            mighty_server.call("navigate", headers=named("left"), url=site.url("/left"))
        )
        await site.wait_asked("/left")
        call.cancel()
    async with asyncio.TaskGroup() as group:
        back = group.create_task(
            mighty_server.call("navigate", headers=named("left"), url=site.url("/left"))
        )
        gate.set()
    assert back.result().status_code == 200
    assert replayed(back.result())
    assert len([each for each in site.requests if each.path == "/left"]) == 1


async def test_what_may_work_later_is_tried_again(mighty_server: Served) -> None:
    _, agent = await mighty_server.key(name="hasty")
    headers = {**agent, **named("late")}
    arguments = {"url": "http://127.0.0.1:1/", "timeoutMs": 2000}
    path = "/v1/sessions/default/tools/navigate"
    for _ in range(2):
        answer = await mighty_server.stranger.post(path, json=arguments, headers=headers)
        assert answer.status_code >= 500
        assert not replayed(answer)


async def test_an_answer_too_large_to_keep_is_not_given_by_doing_it_again(
    mighty_server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcomes, "LARGEST", 10)
    first = await mighty_server.client.post("/v1/tools/list_sessions", headers=named("big"))
    again = await mighty_server.client.post("/v1/tools/list_sessions", headers=named("big"))
    assert first.status_code == 200
    assert (again.status_code, again.json()["code"]) == (409, "conflict")


# --- files ----------------------------------------------------------------------------------------


async def test_a_file_is_put_once(mighty_server: Served) -> None:
    client = mighty_server.client
    first = await client.put(f"{PLACE}/a.txt", content=b"one", headers=named("f1"))
    await client.put(f"{PLACE}/a.txt", content=b"two")
    again = await client.put(f"{PLACE}/a.txt", content=b"one", headers=named("f1"))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    assert replayed(again)
    assert (await client.get(f"{PLACE}/a.txt")).content == b"two"
    for content in (b"One", b"one more", b""):
        other = await client.put(f"{PLACE}/a.txt", content=content, headers=named("f1"))
        assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


async def test_a_file_that_broke_off_is_put_again(mighty_server: Served) -> None:
    head = (
        f"PUT {PLACE}/broken HTTP/1.1\r\nHost: {mighty_server.authority}\r\n"
        f"Authorization: Bearer {mighty_server.token}\r\nIdempotency-Key: f2\r\n"
        "Content-Length: 1000\r\n\r\nonly this"
    )
    _, writer = await asyncio.open_connection("127.0.0.1", mighty_server.port)
    writer.write(head.encode())
    await writer.drain()
    writer.close()
    await writer.wait_closed()
    answer = await mighty_server.client.put(
        f"{PLACE}/broken", content=b"all of it", headers=named("f2")
    )
    assert (answer.status_code, replayed(answer)) == (201, False)


async def test_files_that_come_at_once_are_one(mighty_server: Served) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slowly() -> AsyncIterator[bytes]:
        yield b"a" * 1000
        begun.set()
        await go_on.wait()
        yield b"b"

    async with asyncio.timeout(WAIT_SECONDS), asyncio.TaskGroup() as group:
        first = group.create_task(
            mighty_server.client.put(f"{PLACE}/both", content=slowly(), headers=named("f3"))
        )
        await begun.wait()
        second = group.create_task(
            mighty_server.client.put(
                f"{PLACE}/both", content=b"a" * 1000 + b"b", headers=named("f3")
            )
        )
        await asyncio.sleep(0)
        go_on.set()
    assert first.result().content == second.result().content
    assert {replayed(first.result()), replayed(second.result())} == {False, True}


async def test_a_server_that_ends_keeps_nothing_half_done(
    tmp_path_factory: pytest.TempPathFactory, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stockade.server._GRACE_SECONDS", 0.05)
    answers: list[int] = []

    async def call(server: Served) -> None:
        try:
            answer = await server.call("navigate", headers=named("x"), url=site.url("/never"))
        except httpx.HTTPError:
            return
        answers.append(answer.status_code)

    async with (
        asyncio.TaskGroup() as group,
        served(tmp_path_factory.mktemp("workspace")) as server,
    ):
        group.create_task(call(server))
        await site.wait_asked("/never")
    assert answers in ([], [503])
