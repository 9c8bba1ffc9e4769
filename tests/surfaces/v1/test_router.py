"""Every route under /v1."""

from __future__ import annotations

import re

import pytest

from tests.support.serving import Served


async def operations(server: Served) -> list[tuple[str, str]]:
    paths = (await server.client.get("/openapi.json")).json()["paths"]
    return [
        (method.upper(), path)
        for path, item in paths.items()
        for method, operation in item.items()
        if operation["tags"] != ["tabs"]
    ]


async def test_nothing_is_for_who_has_no_token(server: Served) -> None:
    found = await operations(server)
    assert len(found) > 60
    seen = {path for _, path in found if not re.search(r"/tools/\w+$", path)}
    assert {
        "/v1/sessions",
        "/v1/sessions/{session}",
        "/v1/sessions/{session}/artifacts",
        "/v1/sessions/{session}/artifacts/{name}",
        "/v1/sessions/{session}/events",
        "/v1/sessions/{session}/tools/{tool}",
        "/v1/tools",
        "/v1/tools/{tool}",
        "/v1/toolsets",
        "/v1/artifacts/{session}/{kind}/{name}",
        "/v1/events",
        "/v1/approvals",
        "/v1/approvals/{id}",
        "/v1/secrets",
        "/v1/secrets/{name}",
        "/v1/keys",
        "/v1/keys/{id}",
        "/v1/logins",
        "/health",
        "/metrics",
    } == seen
    for method, path in found:
        if path == "/health":
            continue
        answer = await server.stranger.request(method, re.sub(r"\{\w+\}", "x", path))
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated"), path


@pytest.mark.parametrize("role", ["agent", "operator"])
async def test_keys_are_for_admins_alone(server: Served, role: str) -> None:
    _, token = await server.key(name=f"not an admin but {role}", role=role)
    for method, path in await operations(server):
        if "/keys" in path or "/logins" in path:
            body = {"name": "x"} if method == "POST" else None
            answer = await server.stranger.request(
                method, path.replace("{id}", "x"), headers=token, json=body
            )
            assert (answer.status_code, answer.json()["code"]) == (403, "role_required"), path
