"""Where tabs of the tab API go: addresses, macros and history, each navigation for itself."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.support.callers import Caller
from tests.support.site import Site

USER = "u1"


class Tab:
    """A tab of a user, and short ways to move it."""

    def __init__(self, caller: Caller, id: str) -> None:
        self.caller = caller
        self.place = {"session": USER, "tabId": id}

    async def ok(self, what: str, **given: Any) -> dict[str, Any]:
        return await self.caller.ok(f"camofox_{what}", **self.place, **given)

    async def refused(self, what: str, **given: Any) -> dict[str, Any]:
        return await self.caller.refused(f"camofox_{what}", **self.place, **given)


async def opened(caller: Caller, path: str = "/") -> Tab:
    url = caller.site.url(path)
    made = await caller.ok("camofox_create_tab", session=USER, url=url)
    return Tab(caller, made["tabId"])


async def test_addresses_are_kept_as_they_were_sent(caller: Caller, site: Site) -> None:
    site.page("/a", "<button>Go</button>")
    site.page("/empty", "<p>Nothing to press</p>")
    site.page("/on", "", status=302, headers={"location": "/a"})
    tab = await opened(caller, "/a")
    sent = f"HTTP://127.0.0.1:{site.port}/on#x"
    went = await tab.ok("navigate", url=sent)
    assert went == {
        "ok": True,
        "tabId": tab.place["tabId"],
        "url": site.url("/a#x"),
        "refsAvailable": True,
    }
    assert not (await tab.ok("navigate", url=site.url("/empty")))["refsAvailable"]
    assert (await tab.refused("navigate", url="http://127.0.0.1:9/"))["code"] == "navigation_failed"
    stats = await tab.ok("stats")
    assert stats["visitedUrls"] == [site.url("/a"), sent, site.url("/empty")]


async def test_history_has_two_ends(caller: Caller, site: Site) -> None:
    site.page("/1", "one")
    site.page("/2", "two")
    tab = await opened(caller, "/1")
    await tab.ok("navigate", url=site.url("/2"))
    moves = ("back", "back", "forward", "forward", "refresh")
    told = [(await tab.ok(each))["url"].rpartition("/")[2] for each in moves]
    assert told == ["1", "1", "2", "2", "2"]
    assert len(site.asked("/2")) == 3


async def test_a_navigation_that_takes_too_long_ends_alone(
    caller: Caller, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.page("/", "<title>Here</title>")
    never = asyncio.Event()
    site.page("/never", "", delay=never)
    tab, other = await opened(caller), await opened(caller)
    settings = caller.kernel.settings
    with monkeypatch.context() as patch:
        patch.setattr(caller.kernel, "settings", settings.model_copy(update={"call_deadline": 0.5}))
        assert (await tab.refused("navigate", url=site.url("/never")))["code"] == "timeout"
        url = site.url("/never")
        late = await caller.refused("camofox_create_tab", session=USER, url=url)
        assert late["code"] == "timeout"
    never.set()
    listed = (await caller.ok("camofox_list_tabs", session=USER))["tabs"]
    assert [(each["tabId"], each["title"]) for each in listed] == [
        (tab.place["tabId"], "Here"),
        (other.place["tabId"], "Here"),
    ]
    assert (await tab.ok("refresh"))["url"] == site.url("/")


async def test_macros_lead_where_they_say(mighty: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = await opened(mighty)
    answer = {"urlPattern": "https://www.google.com/*", "body": "<title>Found</title>"}
    await mighty.ok("route", session=USER, contentType="text/html", **answer)
    found = await tab.ok("navigate", macro="@google_search", query="a b&c")
    assert (found["ok"], found["googleSerp"]) == (True, True)
    assert found["url"] == "https://www.google.com/search?q=a%20b%26c"
    blocked = await tab.ok("navigate", url="https://www.google.com/sorry/index?continue=x")
    assert (blocked["ok"], blocked["googleBlocked"]) == (False, True)
    kernel = mighty.kernel
    own = {"@mine": mighty.site.url("/find/{q}?again={query}")}
    monkeypatch.setattr(kernel, "settings", kernel.settings.model_copy(update={"macros": own}))
    assert (await tab.ok("navigate", macro="@mine", query="ä/b"))["url"] == mighty.site.url(
        "/find/%C3%A4%2Fb?again=%C3%A4%2Fb"
    )
    for given in ({}, {"macro": "@nothing"}, {"macro": "none"}, {"url": "  "}):
        refused = await tab.refused("navigate", **given)
        assert (refused["code"], refused["error"]) == ("invalid_argument", "url or macro required")
    ignored = await tab.ok("navigate", macro="__NO__", url=mighty.site.url("/plain"))
    assert ignored["url"] == mighty.site.url("/plain")


async def test_a_viewport_is_one_tabs_own(mighty: Caller, site: Site) -> None:
    site.page("/", "<p>Size</p>")
    tab, other = await opened(mighty), await opened(mighty)
    assert await tab.ok("viewport", width=640.4, height=480) == {
        "ok": True,
        "width": 640,
        "height": 480,
    }
    sizes = [
        (await each.ok("evaluate", expression="innerWidth"))["result"] for each in (tab, other)
    ]
    assert sizes == [640, 1280]
    assert (await tab.refused("viewport", width=99, height=480))["code"] == "invalid_argument"


async def test_a_wait_ends_when_the_page_stands_and_says_no_to_cookies(
    caller: Caller, site: Site
) -> None:
    data = asyncio.Event()
    site.page("/data", "Later", delay=data)
    site.page(
        "/",
        "<p></p><div id=onetrust-banner-sdk><button id=onetrust-accept-btn-handler>Yes</button>"
        "<button id=onetrust-reject-all-handler onclick='this.parentNode.remove();"
        'document.title="Rejected"\'>No</button></div><script>fetch("/data").then(r => r.text())'
        '.then(t => document.querySelector("p").textContent = t)</script>',
    )
    tab = await opened(caller)
    assert await tab.ok("wait", timeout=1, waitForNetwork=False) == {"ok": True, "ready": False}
    async with asyncio.TaskGroup() as group:
        waiting = group.create_task(tab.ok("wait", dismissConsent=True))
        await site.wait_asked("/data")
        data.set()
    assert waiting.result() == {"ok": True, "ready": True}
    assert "Later" in (await tab.ok("snapshot"))["snapshot"]
    [listed] = (await caller.ok("camofox_list_tabs", session=USER))["tabs"]
    assert listed["title"] == "Rejected"
