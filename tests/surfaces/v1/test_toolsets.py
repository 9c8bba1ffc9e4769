"""Toolsets over REST."""

from __future__ import annotations

import json

from stockade.surfaces.mcp.schemas import described
from stockade.tools import registry
from tests.support.serving import Served


async def test_their_size_is_what_a_client_is_sent(server: Served) -> None:
    rows = (await server.client.get("/v1/toolsets")).json()["toolsets"]
    assert [each["name"] for each in rows] == list(registry().toolsets)
    core = rows[0]
    shown = (await server.client.get("/v1/tools?toolset=core")).json()["tools"]
    assert (core["name"], core["tools"]) == ("core", len(shown))
    entries = [
        described(registry().find(each["name"])).model_dump(
            mode="json", by_alias=True, exclude_none=True
        )
        for each in shown
    ]
    whole = len(json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode())
    # But for the brackets around them, and the commas between.
    assert core["bytes"] == whole - len(entries) - 1


async def test_they_come_in_pages(server: Served) -> None:
    first = (await server.client.get("/v1/toolsets?limit=1")).json()
    assert [each["name"] for each in first["toolsets"]] == ["core"]
    rest = await server.client.get("/v1/toolsets", params={"cursor": first["next"]})
    assert len(rest.json()["toolsets"]) == len(registry().toolsets) - 1


async def test_a_narrow_key_has_fewer_tools(server: Served) -> None:
    _, reader = await server.key(name="reader", capabilities=["read"])
    wide = (await server.client.get("/v1/toolsets")).json()["toolsets"][0]
    narrow = (await server.stranger.get("/v1/toolsets", headers=reader)).json()["toolsets"][0]
    assert narrow["tools"] < wide["tools"]
    assert narrow["bytes"] < wide["bytes"]
