"""The way into the console, with and without a browser."""

from __future__ import annotations

import httpx
import pytest

from stockade.engines.events import FrameNavigated
from stockade.engines.port import Page
from tests.support.expecting import expecting
from tests.support.serving import Served, served

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
async def visitor(server: Served) -> httpx.AsyncClient:
    """A browser that has logged in."""
    link = (await server.client.post("/v1/logins")).json()["url"]
    entered = await server.stranger.get(link)
    name, value = entered.headers["set-cookie"].split(";")[0].split("=", 1)
    server.stranger.cookies.clear()
    server.stranger.cookies.set(name, value)
    return server.stranger


@pytest.fixture(autouse=True)
def _forgetful(server: Served) -> None:
    server.stranger.cookies.clear()


async def test_a_stranger_is_shown_that_it_runs_and_how_to_log_in(server: Served) -> None:
    answer = await server.stranger.get("/", headers=BROWSER)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "Stockade is running" in answer.text
    assert f"curl -X POST {server.url}/v1/logins" in answer.text
    for private in (str(server.workspace), "Posture", "Sessions", "mcpServers"):
        assert private not in answer.text


async def test_the_console_is_closed_to_strangers(server: Served) -> None:
    answer = await server.stranger.get("/console")
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert "Log in first" in answer.text
    assert "Posture" not in answer.text


async def test_an_agent_is_a_stranger_here(server: Served) -> None:
    _, agent = await server.key(name="agent")
    assert (await server.stranger.get("/console", headers=agent)).status_code == 401
    _, operator = await server.key(name="operator", role="operator")
    assert (await server.stranger.get("/console", headers=operator)).status_code == 200


async def test_the_printed_link_logs_in_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    async with served(tmp_path_factory.mktemp("workspace")) as server:
        entered = await server.stranger.get(server.login_url)
        assert (entered.status_code, entered.headers["location"]) == (303, "/console")
        cookie = entered.headers["set-cookie"]
        assert cookie.startswith(f"stockade-{server.port}=")
        for part in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age=43200"):
            assert part in cookie
        assert "Secure" not in cookie
        server.stranger.cookies.clear()
        again = await server.stranger.get(server.login_url)
        assert again.status_code == 410
        assert "This link has been used" in again.text
        assert "/v1/logins" in again.text
        assert "set-cookie" not in again.headers


@pytest.mark.parametrize("query", ["", "?code=", "?code=wrong", "?code=a&code=b", "?other=1"])
async def test_a_wrong_link_shows_the_way_to_a_right_one(server: Served, query: str) -> None:
    answer = await server.stranger.get(f"/login{query}")
    assert answer.status_code == 410
    assert "Get a new link" in answer.text


async def test_looking_whether_a_link_works_does_not_use_it_up(server: Served) -> None:
    link = (await server.client.post("/v1/logins")).json()["url"]
    assert (await server.stranger.head(link)).status_code == 204
    assert (await server.stranger.get(link)).status_code == 303


async def test_a_link_through_tls_gives_a_cookie_for_tls(server: Served) -> None:
    link = (await server.client.post("/v1/logins")).json()["url"]
    entered = await server.stranger.get(link, headers={"x-forwarded-proto": "https"})
    assert "Secure" in entered.headers["set-cookie"]


async def test_who_is_logged_in_sees_the_console_at_both_addresses(
    visitor: httpx.AsyncClient,
) -> None:
    for path in ("/", "/console"):
        answer = await visitor.get(path, headers=BROWSER)
        assert answer.status_code == 200
        assert "Posture" in answer.text


@pytest.mark.parametrize("path", ["/v1/keys", "/v1/sessions", "/metrics", "/mcp", "/openapi.json"])
async def test_the_cookie_is_for_pages_alone(visitor: httpx.AsyncClient, path: str) -> None:
    for method in ("GET", "POST"):
        assert (await visitor.request(method, path)).status_code == 401


async def test_logging_out_ends_the_session(server: Served, visitor: httpx.AsyncClient) -> None:
    secret = dict(visitor.cookies)
    assert (await visitor.post("/console/logout")).status_code == 403
    foreign = await visitor.post("/console/logout", headers={"origin": "http://localhost:3000"})
    assert foreign.status_code == 403
    assert (await visitor.get("/console")).status_code == 200
    left = await visitor.post("/console/logout", headers={"origin": server.url})
    assert (left.status_code, left.headers["location"]) == (303, "/")
    visitor.cookies.update(secret)
    assert (await visitor.get("/console")).status_code == 401


async def test_in_a_real_browser(server: Served, page: Page) -> None:
    link = (await server.client.post("/v1/logins")).json()["url"]
    await page.navigate(link, until="load")
    frame = page.main_frame
    assert frame.url == f"{server.url}/console"
    assert await frame.call("() => document.cookie") == ""
    assert await frame.call("() => getComputedStyle(document.body).margin") == "0px"
    assert await frame.call("() => document.querySelector('.brand img').naturalWidth > 0")
    assert await frame.call("() => document.documentElement.scrollWidth <= innerWidth")
    # The page runs no script, and asks for nothing that its own policy refuses.
    assert [message.text for message in page.console] == []
    async with expecting(page.events, FrameNavigated):
        await frame.call("() => document.querySelector('form button').click()")
    assert page.main_frame.url == f"{server.url}/"
    await page.navigate(f"{server.url}/console")
    assert "Log in first" in await page.main_frame.call("() => document.body.innerText")


async def test_a_program_is_told_whether_it_runs(server: Served) -> None:
    for accepted in ("*/*", "application/json", "application/json, text/html;q=0.9"):
        answer = await server.stranger.get("/", headers={"accept": accepted})
        assert answer.json() == {
            "ok": True,
            "enabled": True,
            "running": False,
            "engine": "chromium",
            "browserConnected": False,
            "browserRunning": False,
        }
