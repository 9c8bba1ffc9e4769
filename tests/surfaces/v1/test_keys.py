"""REST for keys."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from stockade.store.keys import KeyRecord
from stockade.surfaces.v1.keys import described
from tests.support.serving import Served


def test_a_key_is_described_without_what_proves_it() -> None:
    made = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    shown = described(KeyRecord("k1", "local", "bot", "agent", ("read",), (), made))
    assert shown == {
        "id": "k1",
        "name": "bot",
        "role": "agent",
        "tenant": "local",
        "capabilities": ["read"],
        "origins": [],
        "confirm": [],
        "created_at": "2026-01-02T03:04:05Z",
        "expires_at": None,
        "last_used_at": None,
        "revoked_at": None,
    }


async def test_a_key_is_made_used_listed_and_revoked(server: Served) -> None:
    wanted = {
        "name": "robot",
        "role": "operator",
        "capabilities": ["default", "eval"],
        "origins": ["*.example.com"],
        "expires_at": "2090-01-01T00:00:00+02:00",
    }
    made = await server.client.post("/v1/keys", json=wanted)
    assert made.status_code == 201
    key, token = made.json()["key"], made.json()["token"]
    assert token.startswith(f"stk_{key['id']}_")
    assert key["expires_at"] == "2089-12-31T22:00:00Z"
    used = await server.stranger.get("/metrics", headers={"authorization": f"Bearer {token}"})
    assert used.status_code == 200
    listed = await server.client.get("/v1/keys")
    assert token.rpartition("_")[2] not in listed.text
    mine = next(each for each in listed.json()["keys"] if each["id"] == key["id"])
    assert mine["last_used_at"] is not None
    assert mine["capabilities"] == ["default", "eval"]
    revoked = await server.client.delete(f"/v1/keys/{key['id']}")
    assert revoked.json()["key"]["revoked_at"] is not None


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"name": ""},
        {"name": "x" * 200},
        {"name": "x", "role": "s3cret"},
        {"name": "x", "s3cret": 1},
        {"name": "x", "capabilities": ["flying"]},
        {"name": "x", "capabilities": "read"},
        {"name": "x", "origins": ["*.com"]},
        {"name": "x", "origins": ["ftp://example.com"]},
        {"name": "x", "expires_at": "2001-01-01T00:00:00Z"},
        {"name": "x", "expires_at": "2090-01-01T00:00:00"},
        {"name": "x", "expires_at": "s3cret"},
    ],
)
async def test_a_key_that_could_not_be_used_is_not_made(
    server: Served, wanted: dict[str, object]
) -> None:
    before = (await server.client.get("/v1/keys")).json()["keys"]
    answer = await server.client.post("/v1/keys", json=wanted)
    assert answer.status_code == 422
    assert answer.json()["code"] == "invalid_argument"
    assert "s3cret" not in answer.text.replace("body.s3cret:", "")
    after = (await server.client.get("/v1/keys")).json()["keys"]
    assert len(after) == len(before)


async def test_a_name_is_taken_once(server: Served) -> None:
    assert (await server.client.post("/v1/keys", json={"name": "twin"})).status_code == 201
    answer = await server.client.post("/v1/keys", json={"name": "twin"})
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


async def test_a_key_that_is_not_cannot_be_revoked(server: Served) -> None:
    answer = await server.client.delete("/v1/keys/0000000000000000")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize("role", ["agent", "operator"])
async def test_keys_are_for_admins_alone(server: Served, role: str) -> None:
    _, headers = await server.key(name=f"a-{role}", role=role)
    for method, path in (
        ("GET", "/v1/keys"),
        ("POST", "/v1/keys"),
        ("DELETE", "/v1/keys/x"),
        ("POST", "/v1/logins"),
    ):
        body = {"name": f"by-{role}"} if path == "/v1/keys" and method == "POST" else None
        answer = await server.stranger.request(method, path, headers=headers, json=body)
        assert (answer.status_code, answer.json()["code"]) == (403, "role_required"), path


async def test_a_login_link_can_be_asked_for(server: Served) -> None:
    made = await server.client.post("/v1/logins")
    assert made.status_code == 201
    assert made.json()["expiresIn"] == 900
    entered = await server.stranger.get(made.json()["url"])
    assert (entered.status_code, entered.headers["location"]) == (303, "/console")
