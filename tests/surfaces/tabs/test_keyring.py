"""The keyring: who gets in where, over HTTP, with each of the original's keys and without."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from starlette.types import Scope

from stockade.config import Settings
from stockade.surfaces.tabs.keyring import Keyring
from tests.support.serving import Served, served

ACCESS, API, ADMIN = "access-key-1", "api-key-22", "admin-key-3"
COOKIES, TRACES, STATE = "/sessions/u/cookies", "/sessions/u/traces", "/sessions/u/storage_state"
TABS = "/tabs?userId=u"


def request(peer: str = "127.0.0.1", host: str = "127.0.0.1:9377", **headers: str) -> Scope:
    named = {"host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
    raw = [(name.encode(), value.encode()) for name, value in named.items()]
    return {"type": "http", "client": (peer, 5), "headers": raw}


@pytest.mark.parametrize(
    ("scope", "admitted"),
    [
        (request(), True),
        (request("::1", "localhost"), True),
        (request("::ffff:127.0.0.1", "[::1]:9377"), True),
        (request("10.0.0.7"), False),
        (request(host="browser.example.com"), False),
        (request(x_forwarded_for="10.0.0.7"), False),
        (request(forwarded="for=10.0.0.7"), False),
        (request(x_real_ip="10.0.0.7"), False),
        (request(via="1.1 proxy"), False),
        (request(x_forwarded_proto="https"), False),
        (request(x_forwarded_port="443"), False),
        (request(x_forwarded_server="edge"), False),
        (request(x_forwarded_prefix="/browser"), False),
        (request(x_original_forwarded_for="10.0.0.7"), False),
        (request(cf_connecting_ip="10.0.0.7"), False),
        (request(cf_ray="8d3e2c92"), False),
        (request(cdn_loop="cloudflare"), False),
        (request(true_client_ip="10.0.0.7"), False),
        (request(fastly_client_ip="10.0.0.7"), False),
        (request(x_client_ip="10.0.0.7"), False),
        (request(x_cluster_client_ip="10.0.0.7"), False),
        (request(x_envoy_external_address="10.0.0.7"), False),
        (request(x_amzn_trace_id="Root=1"), False),
        (request(tailscale_user_login="ada@example.com"), False),
        (request(proxy_connection="keep-alive"), False),
        ({**request(), "http_version": "1.0"}, False),
        ({**request(), "http_version": "1.1"}, True),
        (request(user_agent="curl/8", accept="*/*", x_request_id="7"), True),
        ({"type": "http", "headers": []}, False),
    ],
)
def test_only_who_is_surely_here_needs_no_key(scope: Scope, admitted: bool) -> None:
    assert Keyring(open=True).admits(scope) is admitted
    assert not Keyring(open=True, access=ACCESS).admits(scope)
    assert not Keyring().admits(scope)


def test_nothing_is_open_where_others_can_ask() -> None:
    assert Keyring.of(Settings(compat=True), loopback=True).open
    assert not Keyring.of(Settings(compat=True), loopback=False).open
    assert not Keyring.of(Settings(), loopback=True).open


def test_no_key_is_no_key() -> None:
    assert not Keyring().fits("/tabs", "")
    assert not Keyring().is_admin("")
    assert not Keyring(api=API).fits("/tabs", API)
    assert Keyring(api=API, open=True).fits("/tabs", API)
    assert not Keyring(api=API, open=True, access=ACCESS).fits("/tabs", API)


@pytest.fixture(scope="module")
async def open_one(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """As the original is when nobody has set anything."""
    async with served(tmp_path_factory.mktemp("workspace"), compat=True) as server:
        yield server


@pytest.fixture(scope="module")
async def keyed(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    """With every key of the original."""
    async with served(
        tmp_path_factory.mktemp("workspace"),
        compat=True,
        access_key=ACCESS,
        api_key=API,
        admin_key=ADMIN,
    ) as server:
        yield server


async def status(
    server: Served,
    path: str,
    token: str = "",
    method: str = "",
    headers: dict[str, str] | None = None,
) -> int:
    bearer = {"authorization": f"Bearer {token}"} if token else {}
    answer = await server.stranger.request(
        method or ("POST" if path == COOKIES else "GET"),
        path,
        headers=bearer | (headers or {}),
        json={"cookies": []} if path == COOKIES else None,
    )
    assert answer.headers["content-type"] == "application/json"
    assert not answer.json().get("ok") or answer.status_code == 200
    if answer.status_code == 401 and path.startswith(("/tabs", "/sessions", "/?")):
        assert answer.headers["www-authenticate"] == 'Bearer realm="camofox"'
        assert answer.json()["error"] == "Unauthorized"
    if answer.status_code == 403:
        assert answer.json()["error"] == "Forbidden"
        assert answer.json()["hint"]
    return answer.status_code


async def test_without_keys_everything_but_what_is_private_is_open(open_one: Served) -> None:
    token = open_one.token
    assert await status(open_one, TABS) == 200
    assert await status(open_one, TABS, "whatever") == 200, "as the original, which ignores it"
    assert await status(open_one, TABS, token) == 200
    assert await status(open_one, TABS, "stk_0_0") == 401, "one of ours that is wrong is wrong"
    assert await status(open_one, "/") == 200
    assert await status(open_one, "/no/such") == 404
    assert await status(open_one, "/metrics") == 404
    for path in (COOKIES, TRACES, STATE):
        assert await status(open_one, path) == 403
        assert await status(open_one, path, "whatever") == 403
        assert await status(open_one, path, token) in {200, 404}
    for path in ("/v1/sessions", "/mcp"):
        assert await status(open_one, path) == 401
    assert (await open_one.stranger.get("/console")).status_code == 401
    assert await status(open_one, "/stop", method="POST") == 403
    assert await status(open_one, "/stop", token, method="POST") == 200
    assert await status(open_one, TABS, headers={"x-forwarded-for": "10.1.2.3"}) == 401
    foreign = await open_one.stranger.get(TABS, headers={"origin": "https://evil.example"})
    assert foreign.status_code == 403


@pytest.mark.parametrize(
    ("path", "answers"),
    [
        # Without, with a wrong one, the access key, the API key, a token of ours.
        (TABS, (401, 401, 200, 401, 200)),
        ("/?json", (401, 401, 200, 401, 200)),
        (COOKIES, (403, 403, 403, 200, 200)),
        (TRACES, (401, 401, 200, 200, 200)),
        (STATE, (401, 401, 404, 404, 404)),
        ("/v1/sessions", (401, 401, 401, 401, 200)),
        ("/health", (200, 200, 200, 200, 200)),
    ],
)
async def test_each_key_opens_what_it_opens(
    keyed: Served, path: str, answers: tuple[int, ...]
) -> None:
    tokens = ("", "wrong-key", ACCESS, API, keyed.token)
    assert tuple([await status(keyed, path, token) for token in tokens]) == answers


async def test_the_browsers_are_stopped_by_who_may(keyed: Served) -> None:
    _, agent = await keyed.key(name="agent")
    for headers, wanted in (
        ({}, 403),
        ({"x-admin-key": "wrong"}, 403),
        ({"authorization": f"Bearer {ACCESS}"}, 403),
        (agent, 403),
        ({"x-admin-key": ADMIN}, 200),
        ({"authorization": f"Bearer {keyed.token}"}, 200),
    ):
        assert await status(keyed, "/stop", method="POST", headers=headers) == wanted


async def test_whichever_key_is_used_the_user_is_the_same(keyed: Served) -> None:
    async def open_ones() -> list[str]:
        found = (await keyed.client.get("/v1/sessions")).json()["sessions"]
        return [each["id"] for each in found if each["id"] == "same"]

    opened = await keyed.stranger.post(
        "/sessions/same/cookies", json={"cookies": []}, headers={"authorization": f"Bearer {API}"}
    )
    assert opened.json() == {"ok": True, "userId": "same", "count": 0}
    assert await open_ones() == ["same"]
    by_access = {"authorization": f"Bearer {ACCESS}"}
    assert (await keyed.stranger.delete("/sessions/same", headers=by_access)).status_code == 200
    assert await open_ones() == []


async def test_the_keys_never_leave(keyed: Served) -> None:
    headers = {"authorization": f"Bearer {ACCESS}"}
    found = await keyed.stranger.get(f"/tabs/{ACCESS}/stats?userId=u", headers=headers)
    assert found.status_code == 404
    assert ACCESS not in found.text


async def test_guessing_keys_is_held_up(keyed: Served) -> None:
    assert await status(keyed, TABS, ACCESS) == 200
    answers = [await status(keyed, TABS, f"guess-{number}") for number in range(25)]
    assert answers[-1] == 429
    assert await status(keyed, TABS, ACCESS) == 200, "one that was right before goes on"
