"""Logins over REST."""

from __future__ import annotations

from tests.support.serving import Served


async def test_a_link_logs_in_once(server: Served) -> None:
    made = await server.client.post("/v1/logins")
    assert made.status_code == 201
    body = made.json()
    assert body["expiresIn"] == 900
    assert body["url"].startswith(f"{server.url}/login?code=")
    assert (await server.stranger.get(body["url"])).status_code == 303
    assert (await server.stranger.get(body["url"])).status_code == 410
    server.stranger.cookies.clear()


async def test_links_are_made_by_admins_alone(server: Served) -> None:
    _, operator = await server.key(name="no admin", role="operator")
    answer = await server.stranger.post("/v1/logins", headers=operator)
    assert (answer.status_code, answer.json()["code"]) == (403, "role_required")
