"""Who a request must be meant for, and may come from."""

from __future__ import annotations

import pytest

from stockade.errors import BadSetting
from stockade.surfaces.guard import Authority, Hosts
from tests.support.serving import Served, served

LOCAL = ("127.0.0.1", 9377)
SAFE = {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("localhost", Authority("localhost", None)),
        ("LocalHost:80", Authority("localhost", 80)),
        ("127.0.0.1:9377", Authority("127.0.0.1", 9377)),
        ("[::1]:9377", Authority("::1", 9377)),
        ("[0:0:0:0:0:0:0:1]", Authority("::1", None)),
        ("", None),
        ("a b", None),
        ("a,b", None),
        ("user@localhost", None),
        ("localhost:", None),
        ("localhost:x", None),
        ("localhost:123456", None),
        ("[localhost]", None),
        ("localhost/", None),
        ("localhost\n", None),
        ("lоcalhost", None),
    ],
)
def test_an_authority_is_a_name_and_perhaps_a_port(text: str, expected: Authority | None) -> None:
    assert Authority.parse(text) == expected


@pytest.mark.parametrize(
    ("named", "yes"),
    [
        ("localhost:9377", True),
        ("127.0.0.1:9377", True),
        ("[::1]:9377", True),
        ("localhost:8080", True),
        ("evil.com", False),
        ("evil.com:9377", False),
        ("localhost.evil.com:9377", False),
        ("127.0.0.1.evil.com:9377", False),
        ("0.0.0.0:9377", False),
        ("127.0.0.2:9377", False),
    ],
)
def test_names_of_a_server_on_loopback(named: str, yes: bool) -> None:
    authority = Authority.parse(named)
    assert authority is not None
    assert Hosts("127.0.0.1").are(authority, LOCAL) is yes


@pytest.mark.parametrize(
    ("named", "yes"),
    [
        ("192.168.1.5:9377", True),
        ("192.168.1.5:9378", False),
        ("192.168.1.5", False),
        ("192.168.1.6:9377", False),
        ("0.0.0.0:9377", False),
        ("box.lan:9377", True),
        ("box.lan", True),
        ("other.lan:8443", True),
        ("other.lan:9377", False),
    ],
)
def test_names_of_a_server_on_every_network(named: str, yes: bool) -> None:
    authority = Authority.parse(named)
    assert authority is not None
    hosts = Hosts("0.0.0.0", ["box.lan", "other.lan:8443"])
    assert hosts.are(authority, ("192.168.1.5", 9377)) is yes


def test_a_public_host_is_a_name_without_a_scheme() -> None:
    with pytest.raises(BadSetting, match="public_hosts"):
        Hosts("127.0.0.1", ["https://example.com"])


@pytest.mark.parametrize("path", ["/", "/health", "/login", "/console", "/v1/tools", "/mcp", "/no"])
async def test_a_foreign_host_is_turned_away_everywhere(server: Served, path: str) -> None:
    answer = await server.client.get(path, headers={"host": f"evil.com:{server.port}"})
    assert answer.status_code == 421
    assert answer.json()["code"] == "wrong_host"
    assert "evil" not in answer.text


@pytest.mark.parametrize("path", ["/", "/health", "/login", "/console", "/v1/tools", "/mcp", "/no"])
@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "http://evil.com",
        "http://localhost:1",
        "https://AUTHORITY",
        "http://AUTHORITY.evil.com",
        "AUTHORITY",
        "",
    ],
)
async def test_a_foreign_origin_is_refused_everywhere(
    server: Served, path: str, origin: str
) -> None:
    theirs = origin.replace("AUTHORITY", server.authority)
    answer = await server.client.get(path, headers={"origin": theirs})
    assert answer.status_code == 403
    assert answer.json()["code"] == "forbidden"


async def test_our_own_origin_is_let_through(server: Served) -> None:
    answer = await server.client.get("/health", headers={"origin": server.url})
    assert answer.status_code == 200


async def test_two_origins_are_none(server: Served) -> None:
    both = [("origin", server.url), ("origin", server.url)]
    answer = await server.client.get("/health", headers=both)
    assert answer.status_code == 403


async def test_a_page_elsewhere_cannot_send_what_needs_no_origin(open_server: Served) -> None:
    image = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    assert (await open_server.stranger.get("/v1/sessions", headers=image)).status_code == 403
    image["sec-fetch-site"] = "same-site"
    assert (await open_server.stranger.get("/v1/sessions", headers=image)).status_code == 403


async def test_a_person_may_follow_a_link_to_here(server: Served) -> None:
    visit = {
        "sec-fetch-site": "cross-site",
        "sec-fetch-mode": "navigate",
        "sec-fetch-dest": "document",
    }
    assert (await server.stranger.get("/", headers=visit)).status_code == 200
    framed = visit | {"sec-fetch-dest": "iframe"}
    assert (await server.stranger.get("/", headers=framed)).status_code == 403
    posted = await server.stranger.post("/console/logout", headers=visit)
    assert posted.status_code == 403


@pytest.mark.parametrize(
    "head",
    [
        "GET /health HTTP/1.1\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: {0}\r\nHost: {0}\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost:\r\n\r\n",
    ],
)
async def test_a_request_has_one_host(server: Served, head: str) -> None:
    text = head.format(server.authority).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")
    answer = await server.raw(text.encode())
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"bad_request"' in answer


@pytest.mark.parametrize(
    "path", ["/", "/health", "/console", "/console/style.css", "/v1/keys", "/no"]
)
async def test_every_answer_keeps_browsers_strict(server: Served, path: str) -> None:
    for client in (server.client, server.stranger):
        headers = (await client.get(path)).headers
        for name, value in SAFE.items():
            if not (name == "cache-control" and path.endswith(".css")):
                assert headers[name] == value
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["date"].endswith("GMT")
        assert "server" not in headers


async def test_an_operators_own_name_with_tls_in_front(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = tmp_path_factory.mktemp("workspace")
    async with served(place, public_hosts=("stockade.example.com",)) as server:
        named = {"host": "stockade.example.com", "origin": "https://stockade.example.com"}
        assert (await server.client.get("/v1/tools", headers=named)).status_code == 200
        named["origin"] = "https://other.example.com"
        assert (await server.client.get("/v1/tools", headers=named)).status_code == 403
