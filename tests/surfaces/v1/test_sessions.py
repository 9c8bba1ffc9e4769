"""Sessions over REST."""

from __future__ import annotations

import pytest

from tests.support.serving import Served
from tests.support.site import Site


@pytest.fixture(autouse=True)
async def _tidy(server: Served) -> None:
    for each in (await server.client.get("/v1/sessions")).json()["sessions"]:
        await server.client.delete(f"/v1/sessions/{each['session_id']}")


async def test_a_session_is_opened_found_and_closed(server: Served, site: Site) -> None:
    wanted = {"session": "work@home", "viewport": {"width": 640, "height": 480}}
    made = await server.client.post("/v1/sessions", json=wanted)
    assert made.status_code == 201
    assert made.headers["location"] == "/v1/sessions/work%40home"
    assert made.headers["stockade-call"].startswith("call_")
    body = made.json()
    assert (body["ok"], body["session"], body["running"]) == (True, "work@home", False)

    site.page("/page", "<title>Hello</title>")
    await server.call("navigate", "work@home", url=site.url("/page"))
    shown = (await server.client.get(made.headers["location"])).json()
    by_id = (await server.client.get(f"/v1/sessions/{body['session_id']}")).json()
    assert shown == by_id
    assert shown["ok"] is True
    assert shown["tabs"] == [
        {"tab": "t1", "url": site.url("/page"), "title": "Hello", "current": True}
    ]
    closed = await server.client.delete(f"/v1/sessions/{body['session_id']}")
    assert closed.json()["session"] == "work@home"
    gone = await server.client.get(made.headers["location"])
    assert (gone.status_code, gone.json()["code"]) == (404, "session_not_found")
    assert "it was closed" in gone.json()["error"]


async def test_a_name_that_is_taken_is_a_conflict(server: Served) -> None:
    assert (await server.client.post("/v1/sessions")).headers["location"] == "/v1/sessions/default"
    again = await server.client.post("/v1/sessions", json={})
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    assert "location" not in again.headers


@pytest.mark.parametrize("body", [{"session": "a/b"}, {"session": ""}, {"nonsense": 1}])
async def test_what_cannot_be_opened_is_refused(server: Served, body: dict[str, object]) -> None:
    answer = await server.client.post("/v1/sessions", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_argument")


async def test_lists_come_in_pages(server: Served) -> None:
    names = ["one", "two", "three"]
    for name in names:
        await server.client.post("/v1/sessions", json={"session": name})
    first = (await server.client.get("/v1/sessions?limit=2")).json()
    assert [each["id"] for each in first["sessions"]] == ["one", "two"]
    await server.client.delete("/v1/sessions/two")
    rest = await server.client.get("/v1/sessions", params={"cursor": first["next"]})
    assert [each["id"] for each in rest.json()["sessions"]] == ["three"]
    assert rest.json()["next"] is None


async def test_each_sees_what_is_theirs(server: Served) -> None:
    _, one = await server.key(name="one")
    _, two = await server.key(name="two")
    made = await server.stranger.post("/v1/sessions", json={"session": "mine"}, headers=one)
    for name in ("mine", made.json()["session_id"]):
        theirs = await server.stranger.get(f"/v1/sessions/{name}", headers=two)
        absent = await server.stranger.get("/v1/sessions/nothing", headers=two)
        assert theirs.status_code == 404
        assert theirs.json() == absent.json()
    assert (await server.stranger.get("/v1/sessions", headers=two)).json()["sessions"] == []
    # An operator sees the sessions of all, by their ids.
    assert (await server.client.get(f"/v1/sessions/{made.json()['session_id']}")).status_code == 200


async def test_tabs_stand_behind_their_capability(server: Served) -> None:
    _, blind = await server.key(name="blind", capabilities=["read"])
    await server.stranger.post("/v1/sessions", headers=blind)
    answer = await server.stranger.get("/v1/sessions/default", headers=blind)
    assert (answer.status_code, answer.json()["code"]) == (403, "capability_disabled")


async def test_looking_at_a_session_opens_none(server: Served) -> None:
    assert (await server.client.get("/v1/sessions/default")).status_code == 404
    assert (await server.client.get("/v1/sessions")).json()["sessions"] == []
