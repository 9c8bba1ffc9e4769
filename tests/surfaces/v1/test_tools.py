"""Tools over REST: listed, described, and called outside a session."""

from __future__ import annotations

import pytest

from tests.support.serving import Served


async def test_the_list_can_be_narrowed(server: Served) -> None:
    async def names(**wanted: str) -> set[str]:
        answer = await server.client.get("/v1/tools", params=wanted)
        assert answer.status_code == 200, answer.text
        return {each["name"] for each in answer.json()["tools"]}

    every = await names()
    core = await names(toolset="core")
    assert {"click", "navigate"} <= core < every
    assert "list_sessions" not in await names(capability="action")
    assert await names(capability="action", toolset="core") == core & await names(
        capability="action"
    )
    assert "tabs" in await names(q="CLOSE tabs")
    assert await names(q="no tool says this") == set()
    assert await names(capability="eval") == set()


@pytest.mark.parametrize("wanted", ["toolset=nothing", "capability=nothing", "limit=x", "x=1"])
async def test_what_means_nothing_is_refused(server: Served, wanted: str) -> None:
    answer = await server.client.get(f"/v1/tools?{wanted}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_argument")


async def test_pages_of_tools(server: Served) -> None:
    every = [each["name"] for each in (await server.client.get("/v1/tools")).json()["tools"]]
    found: list[str] = []
    cursor = None
    while True:
        params = {"limit": "40", **({"cursor": cursor} if cursor else {})}
        body = (await server.client.get("/v1/tools", params=params)).json()
        found += [each["name"] for each in body["tools"]]
        cursor = body["next"]
        if cursor is None:
            break
    assert found == every


async def test_a_list_that_is_known_is_not_sent_again(server: Served) -> None:
    for path in ("/v1/tools", "/v1/tools/click", "/openapi.json"):
        first = await server.client.get(path)
        tag = first.headers["etag"]
        for known in (tag, f'"x", W/{tag}', "*"):
            again = await server.client.get(path, headers={"if-none-match": known})
            assert (again.status_code, again.content) == (304, b""), path
            assert again.headers["etag"] == tag
        other = await server.client.get(path, headers={"if-none-match": '"x"'})
        assert other.content == first.content


async def test_one_tool_is_described_in_full(server: Served) -> None:
    tool = (await server.client.get("/v1/tools/click")).json()["tool"]
    assert tool["inputSchema"]["properties"]["ref"]
    assert tool["outputSchema"]["properties"]["navigation"]
    assert tool["example"]["arguments"]
    assert tool["example"]["result"]["ok"] is True
    assert (tool["reach"], tool["reads"], tool["destructive"]) == ("tab", False, True)


async def test_a_tool_behind_a_switch_that_is_off_is_not_described(server: Served) -> None:
    answer = await server.client.get("/v1/tools/upload_file")
    assert (answer.status_code, answer.json()["code"]) == (403, "capability_disabled")


async def test_a_tool_of_the_server_needs_no_session(server: Served) -> None:
    opened = await server.client.post("/v1/tools/open_session", json={"session": "outside"})
    assert opened.json()["session"] == "outside"
    listed = await server.client.post("/v1/tools/list_sessions")
    assert "outside" in {each["id"] for each in listed.json()["sessions"]}
    closed = await server.client.post("/v1/tools/close_session", json={"session": "outside"})
    assert closed.json()["ok"] is True


async def test_a_tool_of_a_session_is_called_there(server: Served) -> None:
    answer = await server.client.post("/v1/tools/click", json={"ref": "e1"})
    assert answer.status_code == 422
    assert "/v1/sessions/default/tools/click" in answer.json()["hint"]


async def test_another_systems_names_are_for_who_asks_for_them(server: Served) -> None:
    usual = (await server.client.get("/v1/tools?limit=500")).json()["tools"]
    assert not [each for each in usual if each["name"].startswith("camofox_")]
    asked = (await server.client.get("/v1/tools?toolset=camofox")).json()["tools"]
    assert {each["toolset"] for each in asked} == {"camofox"}
