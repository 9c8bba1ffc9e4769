"""Tabs of the tab API: made, listed, recycled and closed, and none left behind."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from stockade.kernel.results import Reply
from tests.support.callers import Caller
from tests.support.site import Site

USER = "u1"


async def create(caller: Caller, path: str = "", **given: Any) -> dict[str, Any]:
    where = {"url": caller.site.url(path)} if path else {}
    return await caller.ok("camofox_create_tab", session=USER, **where, **given)


async def tabs(caller: Caller, user: str = USER) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await caller.ok("camofox_list_tabs", session=user))["tabs"]
    return found


@pytest.fixture
def few(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """A session may have two tabs."""
    sessions = caller.kernel.sessions
    monkeypatch.setattr(sessions, "_limits", replace(sessions._limits, tabs=2))
    return caller


async def test_a_tab_is_there_before_its_images(caller: Caller, site: Site) -> None:
    held = asyncio.Event()
    site.page("/slow.png", b"", delay=held)
    site.page("/shop", "<title>Shop</title><img src=/slow.png><a href=/>Home</a>")
    made = await create(caller, "/shop", sessionKey="task")
    await site.wait_asked("/slow.png")
    assert made["url"] == site.url("/shop")
    blank = await create(caller)
    assert blank["url"] == "about:blank"
    assert await tabs(caller) == [
        {
            "targetId": made["tabId"],
            "tabId": made["tabId"],
            "url": site.url("/shop"),
            "title": "Shop",
            "listItemId": "task",
        },
        {
            "targetId": blank["tabId"],
            "tabId": blank["tabId"],
            "url": "about:blank",
            "title": "",
            "listItemId": "default",
        },
    ]
    assert await tabs(caller, "nobody") == []
    assert await tabs(caller.another()) == []
    held.set()


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("file:///etc/passwd", "address_denied"),
        ("not an address", "invalid_argument"),
        ("http://127.0.0.1:9/", "navigation_failed"),
        ("{site}/download", "navigation_failed"),
    ],
)
async def test_a_failure_leaves_no_tab(caller: Caller, site: Site, url: str, code: str) -> None:
    site.page("/download", "x", headers={"content-disposition": "attachment"})
    wanted = url.replace("{site}", site.url("").rstrip("/"))
    refused = await caller.refused("camofox_create_tab", session=USER, url=wanted)
    assert refused["code"] == code
    assert await tabs(caller) == []
    [session] = caller.kernel.sessions.visible_to(caller.principal)
    assert session.tab_count == 0
    assert session.context is None or not session.context.pages


async def test_what_is_no_ordinary_page_is_one(caller: Caller, site: Site) -> None:
    site.page("/dot.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", content_type="image/svg+xml")
    for path in ("/missing", "/dot.svg"):
        assert (await create(caller, path))["url"] == site.url(path)


async def test_a_reset_connection_is_told_each_time(caller: Caller) -> None:
    async def reset(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    server = await asyncio.start_server(reset, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        for _ in range(3):
            url = f"http://127.0.0.1:{port}/"
            refused = await caller.refused("camofox_create_tab", session=USER, url=url)
            assert refused["code"] == "navigation_failed"
    await create(caller, "/missing")
    assert len(await tabs(caller)) == 1


async def test_the_least_used_tab_makes_room_and_is_named(few: Caller, site: Site) -> None:
    site.page("/", "<button>Go</button>")
    first, second = await create(few, "/?1"), await create(few, "/?2")
    await few.ok("camofox_snapshot", session=USER, tabId=first["tabId"])
    third = await create(few, "/?3")
    assert third["recycled"] == {"tabId": second["tabId"], "url": site.url("/?2")}
    assert [each["tabId"] for each in await tabs(few)] == [first["tabId"], third["tabId"]]
    gone = await few.refused("camofox_stats", session=USER, tabId=second["tabId"])
    assert gone["code"] == "tab_not_found"
    failed = await few.refused("camofox_create_tab", session=USER, url="http://127.0.0.1:9/")
    assert failed["recycled"]["tabId"] == third["tabId"]


async def test_where_every_tab_is_at_work_nothing_is_recycled(few: Caller, site: Site) -> None:
    site.page("/never", "", delay=asyncio.Event())
    ends: list[Reply] = []

    async def goes(number: int) -> None:
        url = site.url(f"/never?{number}")
        ends.append(await few.reply("camofox_create_tab", session=USER, url=url))

    async with asyncio.TaskGroup() as group:
        for number in range(2):
            group.create_task(goes(number))
        await site.wait_asked("/never", 2)
        refused = await few.refused("camofox_create_tab", session=USER)
        assert (refused["code"], refused["limit"]) == ("quota_exceeded", "max_tabs_per_session")
        for each in await tabs(few):
            # What is under way there ends with it.
            await few.ok("camofox_close_tab", session=USER, tabId=each["tabId"])
    assert [each.error and each.error.code for each in ends] == ["tab_closed"] * 2


async def test_a_group_is_closed_with_its_popups(caller: Caller, site: Site) -> None:
    site.page("/ad", "<title>Ad</title>")
    site.page("/opens", "<a href=/ad target=_blank rel=noopener>Open</a>")
    made = await create(caller, "/opens", sessionKey="one")
    await create(caller, "/ad", sessionKey="two")
    await caller.ok("camofox_click", session=USER, tabId=made["tabId"], selector="a")
    assert [each["listItemId"] for each in await tabs(caller)] == ["one", "two", "one"]
    closed = await caller.ok("camofox_close_group", session=USER, sessionKey="one")
    assert closed == {"ok": True, "closed": 2}
    assert [each["listItemId"] for each in await tabs(caller)] == ["two"]
    again = await caller.refused("camofox_close_tab", session=USER, tabId=made["tabId"])
    assert again["code"] == "tab_not_found"
    stranger = caller.another()
    [left] = await tabs(caller)
    foreign = await stranger.refused("camofox_close_tab", session=USER, tabId=left["tabId"])
    assert foreign["code"] == "session_not_found"
