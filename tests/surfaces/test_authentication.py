"""Authentication: whose token a request comes with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from stockade.policy.capabilities import Capability
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from stockade.policy.principal import Role
from stockade.store.database import Database
from stockade.store.keys import KeyRecord, Keys
from stockade.surfaces.authentication import anonymous, principal_of
from tests.support.serving import Served, served

NOW = datetime.now(UTC)
CLOSED = ["/v1/tools", "/v1/sessions", "/v1/keys", "/metrics", "/mcp", "/openapi.json", "/no/such"]


def record(capabilities: tuple[str, ...] | None = None, origins: tuple[str, ...] = ()) -> KeyRecord:
    return KeyRecord("k1", "acme", "bot", "agent", capabilities, origins, NOW)


def test_a_key_without_lists_has_what_the_server_allows() -> None:
    base = Policy(blocked=(OriginRule.parse("evil.com"),))
    principal = principal_of(record(), base)
    assert principal.policy == base
    assert (principal.id, principal.tenant, principal.name) == ("k1", "acme", "bot")
    assert principal.role is Role.AGENT


def test_a_key_only_ever_narrows() -> None:
    base = Policy(
        capabilities=frozenset({Capability.READ, Capability.NAVIGATION}),
        allowed=((OriginRule.parse("example.com"),),),
    )
    principal = principal_of(record(("read", "eval"), ("*.example.com", "example.org")), base)
    assert principal.policy.capabilities == {Capability.READ}
    assert len(principal.policy.allowed) == 2
    assert principal_of(record(()), base).policy.capabilities == frozenset()


def test_nobody_in_particular_is_an_agent() -> None:
    assert anonymous(Policy()).role is Role.AGENT


@pytest.mark.parametrize("path", CLOSED)
async def test_everything_is_closed_to_who_has_no_token(server: Served, path: str) -> None:
    for method in ("GET", "POST", "DELETE", "PUT", "OPTIONS"):
        answer = await server.stranger.request(method, path)
        assert answer.status_code == 401, method
        assert answer.json()["code"] == "unauthenticated"
        assert answer.headers["www-authenticate"] == 'Bearer realm="stockade"'


@pytest.mark.parametrize("path", ["/", "/health", "/console/style.css"])
async def test_little_is_open(server: Served, path: str) -> None:
    assert (await server.stranger.get(path)).status_code == 200


@pytest.mark.parametrize(
    "given",
    [
        "Bearer",
        "Bearer stk_0_0",
        "Bearer " + "x" * 300,
        "Basic YWRtaW46YWRtaW4=",
        "bogus",
        "Bearer stk_ffffffffffffffff_" + "A" * 43,
    ],
)
async def test_what_is_no_token_opens_nothing(server: Served, given: str) -> None:
    answer = await server.stranger.get("/v1/sessions", headers={"authorization": given})
    assert answer.status_code == 401
    assert "stk_" not in answer.text


async def test_two_tokens_are_none(server: Served) -> None:
    token = f"Bearer {server.token}"
    answer = await server.stranger.get(
        "/v1/sessions", headers=[("authorization", token), ("authorization", token)]
    )
    assert answer.status_code == 401


async def test_a_token_in_the_address_or_in_a_cookie_opens_nothing(server: Served) -> None:
    for answer in (
        await server.stranger.get(f"/v1/sessions?token={server.token}"),
        await server.stranger.get("/v1/sessions", headers={"cookie": f"token={server.token}"}),
    ):
        assert answer.status_code == 401


async def test_the_scheme_may_be_written_anyhow(server: Served) -> None:
    answer = await server.stranger.get(
        "/v1/sessions", headers={"authorization": f"bEARER  {server.token}"}
    )
    assert answer.status_code == 200


async def test_a_revoked_token_opens_nothing_at_once(server: Served) -> None:
    key, headers = await server.key(name="short-lived")
    assert (await server.stranger.get("/v1/sessions", headers=headers)).status_code == 200
    assert (await server.client.delete(f"/v1/keys/{key}")).status_code == 200
    assert (await server.stranger.get("/v1/sessions", headers=headers)).status_code == 401


async def test_an_expired_token_opens_nothing(server: Served) -> None:
    async with await Database.open(f"sqlite:///{server.workspace / 'stockade.db'}") as database:
        yesterday = Keys(database, now=lambda: NOW - timedelta(days=1))
        _, token = await yesterday.create(
            name="old", role="agent", expires_at=NOW - timedelta(hours=1)
        )
    headers = {"authorization": f"Bearer {token}"}
    assert (await server.stranger.get("/v1/sessions", headers=headers)).status_code == 401


async def test_a_session_of_one_key_is_no_session_of_another(server: Served) -> None:
    _, one = await server.key(name="one")
    _, other = await server.key(name="other")
    opened = await server.call("open_session", "mine", headers=one)
    assert opened.status_code == 200
    named, by_id = "mine", opened.json()["session_id"]
    for name in (named, by_id):
        unknown = await server.stranger.delete("/v1/sessions/nothing", headers=other)
        answer = await server.stranger.delete(f"/v1/sessions/{name}", headers=other)
        assert answer.status_code == unknown.status_code == 404
        assert answer.json()["code"] == unknown.json()["code"]
    assert (await server.stranger.get("/v1/sessions", headers=other)).json()["sessions"] == []
    assert (await server.stranger.delete("/v1/sessions/mine", headers=one)).status_code == 200


async def test_a_key_may_do_what_it_lists(server: Served) -> None:
    _, reader = await server.key(name="reader", capabilities=["read"])
    tools = (await server.stranger.get("/v1/tools", headers=reader)).json()["tools"]
    assert {each["capability"] for each in tools} == {None, "read"}
    answer = await server.call("navigate", headers=reader, url="http://127.0.0.1:1/")
    assert answer.status_code == 403
    assert answer.json()["code"] == "capability_disabled"
    _, homebody = await server.key(name="homebody", origins=["example.com"])
    # To open a page there would be asked about.
    answer = await server.call("cookies_get", headers=homebody, name="a", url="http://example.org/")
    assert answer.json()["code"] == "address_denied"


async def test_wrong_tokens_are_counted_and_right_ones_go_on(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    async with served(tmp_path_factory.mktemp("workspace")) as server:
        _, unused = await server.key(name="not used before")
        answers = []
        for number in range(25):
            headers = {"authorization": f"Bearer stk_{number:016x}_{'A' * 43}"}
            answers.append(await server.stranger.get("/v1/sessions", headers=headers))
        assert [answer.status_code for answer in answers] == [401] * 20 + [429] * 5
        assert answers[-1].json()["code"] == "limit_reached"
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
        assert (await server.client.get("/v1/sessions")).status_code == 200
        assert (await server.stranger.get("/v1/sessions", headers=unused)).status_code == 200
        assert (await server.stranger.get("/health")).status_code == 200


async def test_right_keys_of_the_tab_api_are_not_locked_out_either(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    keys: dict[str, Any] = {
        "access_key": "access-key-1",
        "api_key": "api-key-22",
        "admin_key": "admin-key-3",
    }
    async with served(tmp_path_factory.mktemp("workspace"), compat=True, **keys) as server:
        ask = server.stranger.request
        for number in range(25):
            wrong = {"authorization": f"Bearer guess-{number}"}
            answer = await ask("GET", "/tabs?userId=u", headers=wrong)
            assert answer.status_code == (401 if number < 20 else 429)
        wrong = {"x-admin-key": "guess"}
        assert (await ask("POST", "/stop", headers=wrong)).status_code == 429
        right = {"authorization": f"Bearer {keys['access_key']}"}
        assert (await ask("GET", "/tabs?userId=u", headers=right)).status_code == 200
        right = {"authorization": f"Bearer {keys['api_key']}"}
        assert (await ask("GET", "/sessions/u/traces", headers=right)).status_code == 200
        right = {"x-admin-key": keys["admin_key"]}
        assert (await ask("POST", "/stop", headers=right)).status_code == 200


# --- without tokens -------------------------------------------------------------------------------


async def test_without_tokens_everyone_is_an_agent(open_server: Served) -> None:
    stranger = open_server.stranger
    assert (await stranger.get("/v1/sessions")).status_code == 200
    for path in ("/v1/keys", "/metrics"):
        answer = await stranger.get(path)
        assert answer.status_code == 403
        assert answer.json()["code"] == "role_required"
    assert (await stranger.post("/v1/logins")).status_code == 403
    assert (await stranger.get("/console")).status_code == 401


async def test_without_tokens_a_wrong_one_is_still_wrong(open_server: Served) -> None:
    headers = {"authorization": "Bearer nonsense"}
    assert (await open_server.stranger.get("/v1/sessions", headers=headers)).status_code == 401
    assert (await open_server.client.get("/v1/keys")).status_code == 200


async def test_the_sessions_of_nobody_and_of_a_key_are_apart(open_server: Served) -> None:
    path = "/v1/sessions/theirs/tools/open_session"
    assert (await open_server.stranger.post(path)).status_code == 200
    _, agent = await open_server.key(name="agent")
    found = await open_server.stranger.get("/v1/sessions", headers=agent)
    assert found.json()["sessions"] == []
    seen: httpx.Response = await open_server.client.get("/v1/sessions")
    assert [each["id"] for each in seen.json()["sessions"]] == ["theirs"]
