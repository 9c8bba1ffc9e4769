"""Every route of the tab API, over HTTP and on a real browser."""

from __future__ import annotations

import asyncio
import base64
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from stockade.surfaces.tabs.operations import OPERATIONS
from tests.support.serving import served
from tests.surfaces.tabs.conftest import ADMIN, KEYED, Tabs

NOBODY = "0f8fad5b-d9cb-469f-a165-70867728950e"
IN_A_TAB = [each for each in OPERATIONS if "{tabId}" in each.path]


# --- what works -----------------------------------------------------------------------------------


async def test_a_tab_is_opened_found_and_closed(tabs: Tabs) -> None:
    opened = await tabs.post("/tabs", userId="u", listItemId="s", url=tabs.home)
    tab = opened["tabId"]
    assert opened["url"] == tabs.home
    blank = await tabs.post("/tabs", userId="u", sessionKey="other")
    assert blank["url"] == "about:blank"
    found = await tabs.get("/tabs", userId="u")
    assert found["running"] is True
    assert found["tabs"][0] == {
        "targetId": tab, "tabId": tab, "url": tabs.home, "title": "Shop", "listItemId": "s",
    }  # fmt: skip
    assert (await tabs.get("/tabs", userId="nobody"))["tabs"] == []
    assert (await tabs.get("/tabs"))["tabs"] == []
    stats = await tabs.get(f"/tabs/{tab}/stats", userId="u")
    assert stats["sessionKey"] == stats["listItemId"] == "s"
    assert stats["visitedUrls"] == [tabs.home]
    gone = await tabs.send("DELETE", f"/tabs/{tab}", json={"userId": "u"})
    assert gone.json()["ok"] is True
    assert (await tabs.delete(f"/tabs/{tab}", userId="u"))["ok"] is True, "twice is once"
    assert (await tabs.delete("/tabs/group/other", userId="u"))["closed"] == 1
    assert (await tabs.delete("/tabs/group/other", userId="u"))["closed"] == 0
    assert (await tabs.delete("/tabs/group/x", userId="stranger"))["ok"] is True
    assert (await tabs.get("/tabs", userId="u"))["tabs"] == []
    assert await tabs.delete("/sessions/u") == {"ok": True}
    assert await tabs.delete("/sessions/u") == {"ok": True}


async def test_a_tab_goes_where_it_is_sent(tabs: Tabs) -> None:
    tab = await tabs.open()
    place = f"/tabs/{tab}"
    sent = await tabs.post(f"{place}/navigate", userId="u", url=tabs.site.url("/other"), extra=1)
    assert sent["ok"] is True
    assert sent["tabId"] == tab
    assert sent["url"] == tabs.site.url("/other")
    assert sent["refsAvailable"] is False
    assert (await tabs.post(f"{place}/back", userId="u"))["url"] == tabs.home
    assert (await tabs.post(f"{place}/forward", userId="u"))["url"].endswith("/other")
    assert (await tabs.post(f"{place}/refresh", userId="u"))["ok"] is True
    resized = await tabs.post(f"{place}/viewport", userId="u", width=801.4, height=600)
    assert (resized["width"], resized["height"]) == (801, 600)
    assert await tabs.run(tab, "innerWidth") == 801
    waited = await tabs.post(f"{place}/wait", userId="u", timeout=2000)
    assert waited == {"ok": True, "ready": True}
    missing = await tabs.post(f"{place}/navigate", userId="u", url=tabs.site.url("/no/such"))
    assert missing["ok"] is True, "a page that says 404 is a page"


async def test_a_page_is_read(tabs: Tabs) -> None:
    tab = await tabs.open()
    place = f"/tabs/{tab}"
    seen = await tabs.get(f"{place}/snapshot", userId="u", format="text")
    assert 'heading "Oats"' in seen["snapshot"]
    assert '- button "Buy" [e1]' in seen["snapshot"]
    assert "Count: 3" in seen["snapshot"]
    assert (seen["url"], seen["truncated"]) == (tabs.home, False)
    assert seen["totalChars"] == len(seen["snapshot"])
    both = await tabs.get(f"{place}/snapshot", userId="u", includeScreenshot="true", offset="")
    assert both["snapshot"] == seen["snapshot"]
    assert both["screenshot"]["mimeType"] == "image/png"
    assert base64.b64decode(both["screenshot"]["data"]).startswith(b"\x89PNG")
    picture = await tabs.send(
        "GET", f"{place}/screenshot", params={"userId": "u", "fullPage": "true"}
    )
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert int.from_bytes(picture.content[20:24], "big") > 5000
    links = await tabs.get(f"{place}/links", userId="u", limit=1)
    assert links["links"] == [{"url": tabs.site.url("/other"), "text": "Other"}]
    assert links["pagination"] == {"total": 1, "offset": 0, "limit": 1, "hasMore": False}
    images = await tabs.get(f"{place}/images", userId="u")
    assert images["images"][0]["alt"] == "Dot"
    schema = {"type": "object", "properties": {"what": {"type": "string", "x-ref": "e1"}}}
    extracted = await tabs.post(f"{place}/extract", userId="u", schema=schema)
    assert extracted["data"] == {"what": "Buy"}
    schema["properties"] = {"what": {"type": "string", "x-ref": "e99"}}
    schema["required"] = ["what"]
    failed = await tabs.post(f"{place}/extract", 422, userId="u", schema=schema)
    assert "Oats" in failed["snapshot"]


async def test_a_page_is_acted_on(tabs: Tabs) -> None:
    tab = await tabs.open()
    place = f"/tabs/{tab}"
    await tabs.get(f"{place}/snapshot", userId="u")
    clicked = await tabs.post(f"{place}/click", userId="u", ref="e2", selector="nonsense")
    assert clicked["ok"] is True
    assert clicked["url"] == tabs.home
    assert clicked["refsAvailable"] is True
    assert await tabs.run(tab, "[...document.querySelectorAll('button')].map(b => b.textContent)") == [
        "Buy", "Sold",
    ]  # fmt: skip
    assert await tabs.post(
        f"{place}/type", userId="u", selector="[aria-label=Name]", text="Ada", pressEnter=True
    ) == {"ok": True}
    assert await tabs.run(tab, "document.title") == "Ada"
    await tabs.post(f"{place}/press", userId="u", key="x")
    await tabs.post(f"{place}/type", userId="u", text="y", mode="keyboard", delay=0)
    assert await tabs.run(tab, "document.querySelector('[aria-label=Name]').value") == "Adaxy"
    await tabs.post(f"{place}/scroll", userId="u", direction="down", amount=300)
    assert await tabs.run(tab, "scrollY") == 300
    assert await tabs.post(f"{place}/evaluate", userId="u", expression="undefined") | {
        "untrusted": "", "end": "",
    } == {"ok": True, "untrusted": "", "end": ""}  # fmt: skip
    assert await tabs.run(tab, "new Promise(r => setTimeout(r, 1, 5))") == 5
    large = "/*" + "x" * 1_000_000 + "*/7"
    assert await tabs.run(tab, large) == 7


async def test_a_user_is_anything(tabs: Tabs) -> None:
    odd = "Jürgen / \U0001f600 " + "x" * 300
    tab = await tabs.open(user=odd)
    assert [each["tabId"] for each in (await tabs.get("/tabs", userId=odd))["tabs"]] == [tab]
    cookies = [{"name": "a", "value": "1", "domain": "127.0.0.1", "path": "/"}]
    path = "/sessions/Team%2FOne/cookies"
    taken = await tabs.send("POST", path, json={"cookies": cookies}, headers=KEYED)
    assert taken.json() == {"ok": True, "userId": "Team/One", "count": 1}
    names = {each.name for each in tabs.kernel.sessions.all()}
    assert len(names) == 2
    assert all(each.startswith("u:") for each in names)
    assert (await tabs.send("DELETE", "/sessions/Team%2FOne")).status_code == 200
    assert len(tabs.kernel.sessions.all()) == 1


async def test_what_a_user_is_logged_in_with_goes_in_and_out(tabs: Tabs) -> None:
    cookie = {"name": "sid", "value": "s1", "domain": "127.0.0.1", "path": "/"}
    for body, message in (
        ({}, 'Missing "cookies" field in request body'),
        ({"cookies": "x"}, "cookies must be an array"),
    ):
        wrong = await tabs.send("POST", "/sessions/u/cookies", json=body, headers=KEYED)
        assert tabs.checked(wrong, 400)["error"] == message
    halves = {"cookies": [cookie, {"name": "x"}]}
    wrong = await tabs.send("POST", "/sessions/u/cookies", json=halves, headers=KEYED)
    assert tabs.checked(wrong, 400)["invalid"][0]["index"] == 1
    unknown = await tabs.send("GET", "/sessions/u/storage_state", headers=KEYED)
    assert tabs.checked(unknown, 404)
    done = await tabs.send("POST", "/sessions/u/cookies", json={"cookies": [cookie]}, headers=KEYED)
    assert done.json() == {"ok": True, "userId": "u", "count": 1}
    tab = await tabs.open("/cookies")
    assert await tabs.run(tab, "document.body.innerText") == "sid=s1"
    state = (await tabs.send("GET", "/sessions/u/storage_state", headers=KEYED)).json()
    assert state.keys() == {"cookies", "origins"}
    assert [each["name"] for each in state["cookies"]] == ["sid"]
    reset = await tabs.send("DELETE", "/sessions/u/storage_state", headers=KEYED)
    assert tabs.checked(reset, 200) == {
        "ok": True, "userId": "u", "clearedLive": True, "removedPersisted": False,
    }  # fmt: skip
    state = (await tabs.send("GET", "/sessions/u/storage_state", headers=KEYED)).json()
    assert state["cookies"] == []


async def test_the_server_tells_of_itself(tabs: Tabs) -> None:
    assert await tabs.post("/start") == {"ok": True, "profile": "chromium"}
    tab = await tabs.open()
    home = await tabs.get("/")
    assert home.items() >= {
        "ok": True, "enabled": True, "running": True,
        "browserConnected": True, "browserRunning": True,
    }.items()  # fmt: skip
    assert "Chrome" in home["engine"]
    page = await tabs.send("GET", "/", headers={"accept": "text/html,*/*;q=0.8"})
    assert page.headers["content-type"].startswith("text/html")
    health = await tabs.get("/health")
    assert (health["activeTabs"], health["activeSessions"]) == (1, 1)
    relief = await tabs.post("/pressure/cleanup", minTabsPerSession=0)
    assert (relief["dryRun"], relief["closed"]) == (True, [])
    assert "left out" in (await tabs.get("/vnc/status", 404))["hint"]
    await tabs.post("/youtube/transcript", 400)
    await tabs.post("/youtube/transcript", 400, url="https://example.com/")
    stopped = await tabs.send("POST", "/stop", headers={"x-admin-key": ADMIN})
    assert tabs.checked(stopped, 200)["stopped"] is True
    assert (await tabs.get("/"))["running"] is False
    assert (await tabs.get(f"/tabs/{tab}/stats", 410, userId="u"))["code"] == "browser_restarted"


# --- what does not --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path", "body", "message"),
    [
        ("POST", "/tabs", {}, "userId and sessionKey required"),
        ("POST", "/tabs", {"userId": "u"}, "userId and sessionKey required"),
        ("POST", "/tabs", {"userId": " ", "sessionKey": "s"}, "userId and sessionKey required"),
        ("POST", "/tabs/x/navigate", {"url": "x"}, "userId required"),
        ("GET", "/tabs/x/snapshot", {}, "userId required"),
        ("POST", "/tabs/x/click", {"ref": "e1"}, "userId required"),
        ("POST", "/tabs/x/click", {"userId": "u"}, "ref or selector required"),
        ("POST", "/tabs/x/type", {"userId": "u", "ref": "e1"}, "text is required"),
        ("POST", "/tabs/x/type", {"userId": "u", "text": "a"},
         "ref or selector required for mode=fill"),
        ("POST", "/tabs/x/type", {"userId": "u", "text": "a", "mode": "x"},
         "mode must be 'fill' or 'keyboard'"),
        ("POST", "/tabs/x/press", {"userId": "u"}, "key is required"),
        ("POST", "/tabs/x/viewport", {"userId": "u", "width": 5, "height": 500},
         "width and height required (100..4000 px)"),
        ("POST", "/tabs/x/evaluate", {"expression": "1"}, "userId is required"),
        ("POST", "/tabs/x/evaluate", {"userId": "u"}, "expression is required"),
        ("POST", "/tabs/x/extract", {"userId": "u"}, "schema is required"),
        ("DELETE", "/tabs/x", {}, "userId required (query or body)"),
        ("DELETE", "/tabs/group/x", {}, "userId required (query or body)"),
        ("POST", "/tabs/open", {"userId": "u"}, "url is required"),
        ("POST", "/navigate", {"url": "http://127.0.0.1/"}, "userId is required"),
        ("POST", "/navigate", {"userId": "u"}, "url is required"),
        ("GET", "/snapshot", {}, "userId is required"),
        ("POST", "/act", {"kind": "click"}, "userId is required"),
        ("POST", "/act", {"userId": "u"}, "kind is required"),
        ("POST", "/act", {"userId": "u", "kind": "dance"}, "unsupported kind"),
        ("POST", "/act", {"userId": "u", "kind": ["click"]}, "unsupported kind"),
        ("POST", "/act", {"userId": "u", "kind": "press", "targetId": "x"}, "key is required"),
    ],
)  # fmt: skip
async def test_what_is_missing_is_said(
    tabs: Tabs, method: str, path: str, body: dict[str, Any], message: str
) -> None:
    sent = {"params": body} if method == "GET" else {"json": body}
    assert tabs.checked(await tabs.send(method, path, **sent), 400)["error"] == message
    assert tabs.kernel.sessions.all() == []


@pytest.mark.parametrize("operation", IN_A_TAB, ids=lambda each: each.path.rpartition("/")[2])
async def test_an_unknown_tab_is_gone_or_never_was(tabs: Tabs, operation: Any) -> None:
    fields = {
        "userId": "n", "ref": "e1", "text": "a", "key": "a", "expression": "1", "schema": {},
        "path": "x", "url": tabs.home, "width": 500, "height": 500,
    }  # fmt: skip
    fields["schema"] = {"type": "object", "properties": {"p": {"type": "string", "x-ref": "e1"}}}
    for name, usual in ((NOBODY, 410), ("tab1", 404), ("x" * 200, 404)):
        path = operation.path.replace("{tabId}", name)
        query = operation.method in {"GET", "DELETE"}
        sent = {"params": {"userId": "n"}} if query else {"json": fields}
        answer = await tabs.send(operation.method, path, **sent)
        wanted = 404 if operation.strict else 200 if operation.absent is not None else usual
        body = tabs.checked(answer, wanted)
        if wanted == 410:
            assert (body["code"], body["recovery"]) == ("tab_destroyed", "create_new_tab")
        if wanted == 404:
            assert body["error"] == "Tab not found"
    assert tabs.kernel.sessions.all() == []


async def test_elements_that_cannot_be_used_are_said(tabs: Tabs) -> None:
    tab = await tabs.open()
    click = f"/tabs/{tab}/click"
    stale = await tabs.post(click, 422, userId="u", ref="e99")
    assert (stale["code"], stale["ref"]) == ("stale_refs", "e99")
    assert stale["recovery"] == "snapshot_then_retry"
    many = await tabs.post(click, 422, userId="u", selector="button")
    assert many["code"] == "ambiguous_selector"
    none = await tabs.post(click, 422, userId="u", selector="#nothing")
    assert none["code"] == "element_not_actionable"
    for selector in ("  ", "button[", "text(", 5, ["button"]):
        wrong = await tabs.post(click, 400, userId="u", selector=selector)
        assert (wrong["code"], wrong["retryable"]) == ("invalid_selector", False), selector
    unfit = await tabs.post(f"/tabs/{tab}/type", 422, userId="u", selector="h1", text="a")
    assert unfit["code"] == "element_not_actionable"
    thrown = await tabs.post(
        f"/tabs/{tab}/evaluate", 400, userId="u", expression="throw Error('x')"
    )
    assert thrown["code"] == "script_failed"
    race = await tabs.post(
        f"/tabs/{tab}/evaluate", 409, userId="u",
        expression="location.href = '/other'; new Promise(() => {})",
    )  # fmt: skip
    assert race["code"] == "navigation_race"
    nothing = {"type": "object", "properties": {"p": {"type": "string", "x-ref": "e1"}}}
    unseen = await tabs.post(f"/tabs/{tab}/extract", 409, userId="u", schema=nothing)
    assert "Other" in unseen["snapshot"]
    await tabs.post(f"/tabs/{tab}/press", 400, userId="u", key="NoSuchKey")


async def test_places_that_cannot_be_reached_are_said(tabs: Tabs) -> None:
    tab = await tabs.open()
    go = f"/tabs/{tab}/navigate"

    async def speak_plainly(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(speak_plainly, "127.0.0.1", 0) as plain:
        url = f"https://127.0.0.1:{plain.sockets[0].getsockname()[1]}/"
        for path, more in ((go, {}), ("/tabs", {"sessionKey": "s"})):
            broken = await tabs.post(path, 502, userId="u", url=url, **more)
            assert (broken["code"], broken["recoverable"]) == ("ssl_error", False)
    away = f"http://127.0.0.2:{tabs.site.port}/"
    for path, more in ((go, {}), ("/tabs", {"sessionKey": "s"})):
        denied = await tabs.post(path, 403, userId="u", url=away, **more)
        assert (denied["code"], denied["rule"]) == ("egress_denied", "port")
        assert f"--allow 127.0.0.2:{tabs.site.port}" in denied["hint"]
        blocked = await tabs.post(path, 400, userId="u", url="file:///etc/passwd", **more)
        assert blocked["code"] == "blocked_scheme"
        await tabs.post(path, 400, userId="u", url="not an address", **more)
    await tabs.post(go, 400, userId="u")
    await tabs.post(go, 400, userId="u", macro="@nothing", query="x")
    await tabs.post(go, 400, userId="u", macro="none")

    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as rude:
        url = f"http://127.0.0.1:{rude.sockets[0].getsockname()[1]}/"
        for _ in range(4):
            failed = await tabs.post(go, 500, userId="u", url=url)
            assert failed["code"] == "navigation_failed"
    assert (await tabs.post(go, userId="u", url=tabs.home))["ok"] is True
    assert len((await tabs.get("/tabs", userId="u"))["tabs"]) == 1, "nothing leaks"


async def test_no_more_users_than_there_is_room_for(tabs: Tabs) -> None:
    for number in range(6):
        await tabs.post("/tabs", userId=number, sessionKey="s")
    full = await tabs.send("POST", "/tabs", json={"userId": "one more", "sessionKey": "s"})
    assert tabs.checked(full, 503)["code"] == "admission_rejected"
    assert full.headers["retry-after"]


async def test_crashes_are_told_apart(tabs: Tabs) -> None:
    tab = await tabs.open()
    session = tabs.kernel.sessions.all()[0]
    page = session.tabs[0].page
    with pytest.raises(Exception):  # noqa: B017
        await page.devtools[0].send("Page.crash", timeout=5)
    crashed = await tabs.get(f"/tabs/{tab}/snapshot", 410, userId="u")
    assert (crashed["code"], crashed["recovery"]) == ("page_crashed", "create_new_tab")
    tab = await tabs.open()
    os.kill(tabs.kernel.sessions.browsers.alive[0].pid, signal.SIGKILL)
    async with asyncio.timeout(10):
        while tabs.kernel.sessions.browsers.alive:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    for _ in range(2):
        lost = await tabs.get(f"/tabs/{tab}/snapshot", 410, userId="u")
        assert (lost["code"], lost["recovery"]) == ("browser_restarted", "create_new_tab")
    assert await tabs.open()


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"content": b"{", "headers": {"content-type": "application/json"}}, 400),
        ({"content": b"[]", "headers": {"content-type": "application/json"}}, 400),
        ({"content": b'{"a":1,"a":2}', "headers": {"content-type": "application/json"}}, 400),
        ({"content": b'{"a":"\xff"}', "headers": {"content-type": "application/json"}}, 400),
        ({"content": b'{"a":' + b"[" * 100, "headers": {"content-type": "application/json"}}, 400),
        ({"content": b"userId=u", "headers": {"content-type": "text/plain"}}, 415),
        ({"content": b" " * 5_000_000, "headers": {"content-type": "application/json"}}, 413),
        ({"json": {"userId": "u", "sessionKey": "k", "more": "x" * 200_000}}, 413),
    ],
)
async def test_bodies_that_cannot_be_read_are_said_in_json(
    tabs: Tabs, given: dict[str, Any], status: int
) -> None:
    tabs.checked(await tabs.send("POST", "/tabs", **given), status)


@pytest.mark.parametrize("url", ["no address", "http://", "www.example.com", "http://[::1", 5])
async def test_what_is_no_address_is_said_in_the_words_that_clients_know(
    tabs: Tabs, url: Any
) -> None:
    tab = await tabs.open()
    for path, more in (
        ("/tabs", {"sessionKey": "k"}),
        (f"/tabs/{tab}/navigate", {}),
        ("/tabs/open", {}),
        ("/navigate", {"targetId": tab}),
    ):
        wrong = await tabs.post(path, 400, userId="u", url=url, **more)
        assert "Invalid URL" in wrong["error"], path
        assert not wrong["retryable"]
    assert len((await tabs.get("/tabs", userId="u"))["tabs"]) == 1


async def test_every_other_error_is_json_too(tabs: Tabs) -> None:
    await tabs.get("/tabs/x/nothing", 404)
    await tabs.post("/tabs/x/stats", 405, userId="u")
    long = b'{"userId":"u","expression":"' + b"x" * 1_200_000 + b'"}'
    kind = {"content-type": "application/json"}
    answer = await tabs.send("POST", "/tabs/x/evaluate", content=long, headers=kind)
    tabs.checked(answer, 413)
    empty = await tabs.send("DELETE", "/sessions/u", content=b"", headers=kind)
    tabs.checked(empty, 200)
    empty = await tabs.send("GET", "/tabs", content=b"", headers=kind)
    tabs.checked(empty, 200)
    wrong = await tabs.send("GET", "/tabs", headers={"host": "evil.example"})
    tabs.checked(wrong, 421)


async def test_a_full_server_and_one_without_a_browser(tmp_path: Path) -> None:
    async with served(tmp_path / "full", compat=True, max_tabs=1) as full:
        there = {"userId": "a", "sessionKey": "s"}
        assert (await full.stranger.post("/tabs", json=there)).status_code == 200
        another = await full.stranger.post("/tabs", json={**there, "userId": "b"})
        assert Tabs.checked(another, 429)["code"] == "quota_exceeded"
        again = Tabs.checked(await full.stranger.post("/tabs", json=there), 200)
        assert "recycled" in again
    broken = tmp_path / "no-browser"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    async with served(tmp_path / "without", compat=True, chromium=broken) as without:
        failed = Tabs.checked(await without.stranger.post("/tabs", json=there), 503)
        assert (failed["code"], failed["recovery"]) == ("browser_launch_timeout", "retry")
