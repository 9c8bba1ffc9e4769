"""Calls: whose they are, how long they may take, and under which names they are known."""

from __future__ import annotations

import asyncio
from typing import Any

from stockade.engines.values import World
from stockade.sessions.asked import Raised
from tests.support.waiting import until
from tests.surfaces.tabs.conftest import Tabs


async def test_a_call_that_takes_too_long_leaves_its_tab(tabs: Tabs) -> None:
    tab = await tabs.open()
    late = await tabs.post(
        f"/tabs/{tab}/evaluate", 409, userId="u", expression="for (;;);", timeout=100
    )
    assert (late["code"], late["recovery"]) == ("page_changed", "snapshot_then_retry")
    assert await tabs.run(tab, "document.title") == "Shop"


async def test_who_waits_too_long_is_told_and_who_leaves_takes_its_call_along(tabs: Tabs) -> None:
    tab = await tabs.open()
    hanging = {"userId": "u", "expression": "new Promise(() => { window.begun = 1 })"}

    async def hang(place: str) -> None:
        await tabs.send("POST", f"/tabs/{place}/evaluate", json=hanging)

    session = tabs.kernel.sessions.all()[0]
    async with asyncio.TaskGroup() as group:
        first = group.create_task(hang(tab))
        async with asyncio.timeout(10):
            while not session.tabs[0].lease.users:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        busy = await tabs.get(f"/tabs/{tab}/stats", 503, userId="u")
        assert (busy["code"], busy["recovery"]) == ("tab_unresponsive", "create_new_tab")
        others = [await tabs.open() for _ in range(2)]
        more = [group.create_task(hang(each)) for each in others]
        async with asyncio.timeout(10):
            while session.slots.users < 3:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        full = await tabs.send("GET", f"/tabs/{tab}/stats", params={"userId": "u"})
        assert tabs.checked(full, 503)["code"] == "concurrency_timeout"
        assert full.headers["retry-after"]
        for each in (first, *more):
            each.cancel()
    async with asyncio.timeout(10):
        while session.slots.users:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    assert await tabs.run(tab, "window.begun") == 1


async def test_openclaw_knows_it_by_other_names(tabs: Tabs) -> None:
    opened = await tabs.post("/tabs/open", userId=7, url=tabs.home)
    target = opened["targetId"]
    assert opened["tabId"] == target
    assert (opened["url"], opened["title"]) == (tabs.home, "Shop")
    listed = (await tabs.get("/tabs", userId="7"))["tabs"]
    assert listed[0]["listItemId"] == "default", "a number is the same user as its digits"
    seen = await tabs.get("/snapshot", userId="7", targetId=target)
    assert (seen["format"], seen["targetId"]) == ("aria", target)
    assert '- button "Buy" [e1]' in seen["snapshot"]
    about: dict[str, Any] = {"userId": "7", "targetId": target}
    for kind, fields in (
        ("click", {"ref": "e1"}),
        ("type", {"selector": "[aria-label=Name]", "text": "Bo", "submit": True}),
        ("press", {"key": "Tab"}),
        ("scroll", {"amount": 10}),
        ("scrollIntoView", {"selector": "img"}),
        ("hover", {"selector": "button >> nth=0"}),
        ("wait", {"timeMs": 1}),
        ("wait", {"text": "Oats"}),
        ("wait", {"loadState": "load"}),
    ):
        done = await tabs.post("/act", **about, kind=kind, **fields)
        assert (done["ok"], done["targetId"]) == (True, target), kind
    assert await tabs.run(target, "document.title", user="7") == "Bo"
    gone = await tabs.post("/navigate", **about, url=tabs.site.url("/other"))
    assert (gone["ok"], gone["targetId"], gone["url"]) == (True, target, tabs.site.url("/other"))
    assert (await tabs.post("/act", **about, kind="close"))["ok"] is True
    await tabs.post("/act", 410, **about, kind="press", key="a")
    await tabs.get("/snapshot", 404, userId="7")


async def test_what_is_switched_off_is_named(tabs: Tabs) -> None:
    tab = await tabs.open()
    _, reader = await tabs.server.key(name="reader", capabilities=["read", "navigation"])
    off = await tabs.send(
        "POST", f"/tabs/{tab}/evaluate", json={"userId": "u", "expression": "1"}, headers=reader
    )
    assert off.status_code == 410, "whose tab it is comes first"
    mine = {"userId": "r", "sessionKey": "s", "url": tabs.home}
    own = (await tabs.send("POST", "/tabs", json=mine, headers=reader)).json()["tabId"]
    off = await tabs.send(
        "POST", f"/tabs/{own}/evaluate", json={"userId": "r", "expression": "1"}, headers=reader
    )
    assert tabs.checked(off, 403)["requiredCapability"] == "eval"


async def test_nobody_works_in_anothers_tab(tabs: Tabs) -> None:
    tab = await tabs.open()
    assert (await tabs.get(f"/tabs/{tab}/stats", 410, userId="v"))["code"] == "tab_destroyed"
    await tabs.delete(f"/tabs/{tab}", userId="v")
    await tabs.get(f"/tabs/{tab}/stats", userId="u")
    key, agent = await tabs.server.key(name="agent")
    assert key
    theirs = await tabs.send("GET", f"/tabs/{tab}/stats", params={"userId": "u"}, headers=agent)
    assert tabs.checked(theirs, 410)["code"] == "tab_destroyed"


async def test_what_a_page_asks_is_dismissed_and_told_once(tabs: Tabs) -> None:
    tabs.site.page("/asks", "<button onclick=\"document.title = confirm('Sure?')\">Ask</button>")
    tab = await tabs.open("/asks")
    done = await tabs.post(f"/tabs/{tab}/click", userId="u", selector="button")
    assert (done["ok"], done["failure"]["source"]) == (False, "app")
    assert (done["failure"]["kind"], done["failure"]["text"]) == ("confirm", "Sure?")
    assert await tabs.run(tab, "document.title") == "false"
    # Between calls: the next answer tells of it, whatever it is an answer to but a picture.
    session = tabs.kernel.sessions.all()[0]
    late = "() => { setTimeout(() => confirm('Late?')) }"
    await session.tabs[0].page.main_frame.call(late, world=World.MAIN)
    raised = session.tabs[0].parts.of(Raised, Raised)
    await until(lambda: bool(raised))
    picture = await tabs.send("GET", f"/tabs/{tab}/screenshot", params={"userId": "u"})
    assert picture.headers["content-type"] == "image/png"
    seen = await tabs.get(f"/tabs/{tab}/snapshot", userId="u")
    assert (seen["ok"], seen["failure"]["text"]) == (False, "Late?")
    assert 'button "Ask"' in seen["snapshot"]
    assert (await tabs.get(f"/tabs/{tab}/snapshot", userId="u")).get("ok", True)


async def test_the_same_over_rest(tabs: Tabs) -> None:
    url = tabs.site.page("/asks", "<button onclick=\"alert('Hi')\">Ask</button>")
    await tabs.server.call("navigate", url=url)
    clicked = await tabs.server.call("click", selector="button")
    assert clicked.status_code == 200
    body = clicked.json()
    assert (body["ok"], body["failure"], body["code"]) == (False, {"source": "app"}, "page_asked")
    assert [each["message"] for each in body["dialogs"]] == ["Hi"]
    assert (await tabs.server.call("snapshot")).json()["ok"] is True


async def test_a_session_that_ended_is_told_once(tabs: Tabs) -> None:
    tab = await tabs.open(user="lost")
    (session,) = [each for each in tabs.kernel.sessions.all() if each.name.endswith("lost")]
    session.life.last_used -= 10_000_000
    await tabs.kernel.sessions.tidy()
    gone = await tabs.get(f"/tabs/{tab}/snapshot", 410, userId="lost")
    assert (gone["code"], gone["reason"]) == ("tab_destroyed", "it was idle for 1800 s")
    opened = await tabs.post("/tabs", userId="lost", sessionKey="s", url=tabs.home)
    assert "warnings" not in opened
    (session,) = [each for each in tabs.kernel.sessions.all() if each.name.endswith("lost")]
    session.life.last_used -= 10_000_000
    await tabs.kernel.sessions.tidy()
    opened = await tabs.post("/tabs", userId="lost", sessionKey="s", url=tabs.home)
    assert "it was idle for 1800 s" in opened["warnings"][0]
