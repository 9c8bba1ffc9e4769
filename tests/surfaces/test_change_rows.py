"""Every change of keys, secrets, logins and files is a row, before it and after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.serving import Served

CHANGES: list[tuple[str, str, dict[str, Any] | None, str]] = [
    ("POST", "/v1/keys", {"name": "made", "role": "agent"}, "keys.create"),
    ("DELETE", "/v1/keys/nobody", None, "keys.revoke"),
    (
        "PUT", "/v1/secrets/ROWS",
        {"value": "r0ws-0f-changes!", "origins": ["https://a.test"]}, "secrets.keep",
    ),
    ("DELETE", "/v1/secrets/ROWS", None, "secrets.remove"),
    ("POST", "/v1/logins", None, "logins.create"),
]  # fmt: skip


def rows_of(log: str, action: str) -> list[Mapping[str, Any]]:
    rows = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    return [each for each in rows if each.get("action") == action]


@pytest.mark.parametrize(
    ("method", "path", "body", "action"), CHANGES, ids=[each[3] for each in CHANGES]
)
async def test_a_change_leaves_a_row(
    server: Served,
    capsys: pytest.CaptureFixture[str],
    method: str,
    path: str,
    body: dict[str, Any] | None,
    action: str,
) -> None:
    answer = await server.client.request(method, path, json=body)
    log = capsys.readouterr().err
    [row] = rows_of(log, action)
    assert row["principal"]
    assert row["tenant"] == "local"
    assert row["outcome"] == ("ok" if answer.is_success else answer.json()["code"])
    assert "r0ws-0f" not in log


async def test_so_do_logging_in_and_out(server: Served, capsys: pytest.CaptureFixture[str]) -> None:
    link = (await server.client.post("/v1/logins")).json()["url"]
    shown = await server.stranger.get(link)
    assert shown.status_code == 303
    cookie = "; ".join(f"{name}={value}" for name, value in shown.cookies.items())
    await server.stranger.post("/console/logout", headers={"origin": server.url, "cookie": cookie})
    log = capsys.readouterr().err
    assert [each["outcome"] for each in rows_of(log, "console.login")] == ["ok"]
    assert [each["outcome"] for each in rows_of(log, "console.logout")] == ["ok"]
