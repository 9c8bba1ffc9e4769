"""Cookies, as tools."""

from __future__ import annotations

import time
from typing import Any

import pytest

from stockade.engines.values import Cookie
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from tests.support.callers import Caller
from tests.tools.inside import in_page


async def sent(caller: Caller, path: str = "/cookies") -> dict[str, str]:
    """What the site gets from a new page."""
    await caller.ok("navigate", url=caller.site.url(path), mode="none")
    return dict(caller.site.requests[-1].cookies)


async def names(caller: Caller, **arguments: Any) -> list[str]:
    data = await caller.ok("cookies_list", **arguments)
    assert data["count"] == len(data["cookies"])
    return sorted(each["name"] for each in data["cookies"])


async def test_cookies_that_a_site_set_are_read(caller: Caller) -> None:
    until = int(time.time()) + 1000
    header = "tea=green; Path=/shop; HttpOnly; SameSite=Strict; Max-Age=1000"
    caller.site.page("/shop/in", "hi", headers={"set-cookie": header})
    await caller.ok("navigate", url=caller.site.url("/shop/in"), mode="none")
    cookie = (await caller.ok("cookies_get", name="tea"))["cookie"]
    assert cookie["expires"] == pytest.approx(until, abs=60)
    del cookie["expires"]
    assert cookie == {
        "name": "tea",
        "value": "green",
        "domain": "127.0.0.1",
        "path": "/shop",
        "httpOnly": True,
        "secure": False,
        "sameSite": "Strict",
    }
    assert (await caller.ok("cookies_get", name="tea", url=caller.site.url("/")))["cookie"] is None
    assert (await caller.ok("cookies_get", name="none"))["cookie"] is None
    assert await names(caller, urls=[caller.site.url("/shop/x")]) == ["tea"]
    assert await names(caller, urls=[caller.site.url("/")]) == []


async def test_a_session_needs_no_tab(caller: Caller) -> None:
    assert await names(caller) == []
    await caller.ok("cookies_set", name="a", value="b", domain="shop.example", path="/")
    assert await names(caller) == ["a"]
    assert caller.kernel.sessions.find(caller.principal, "default").tabs == []


async def test_a_cookie_that_is_set_is_sent(caller: Caller) -> None:
    kept = await caller.ok("cookies_set", name="a", value="1", url=caller.site.url("/deep/page"))
    assert (kept["cookie"]["path"], kept["cookie"]["expires"]) == ("/deep", -1)
    await caller.ok("cookies_set", name="b", value="2", domain="127.0.0.1", path="/", httpOnly=True)
    later = time.time() + 5000
    kept = await caller.ok(
        "cookies_set", name="c", value="3", url=caller.site.url("/"), expires=later, sameSite="Lax"
    )
    assert kept["cookie"]["expires"] == pytest.approx(later, abs=2)
    assert await sent(caller) == {"b": "2", "c": "3"}
    caller.site.page("/deep/er", "hi")
    assert await sent(caller, "/deep/er") == {"a": "1", "b": "2", "c": "3"}
    assert await in_page(caller, "() => document.cookie.includes('b=')") is False


async def test_a_cookie_for_https_is_secure(caller: Caller) -> None:
    kept = await caller.ok("cookies_set", name="a", value="1", url="https://shop.example/x")
    assert (kept["cookie"]["secure"], kept["cookie"]["path"]) == (True, "/")
    kept = await caller.ok(
        "cookies_set",
        name="p",
        value="1",
        url="https://shop.example/",
        partitionKey="https://top.example",
        sameSite="None",
        secure=True,
    )
    assert kept["cookie"]["partitionKey"] == "https://top.example"


async def test_one_that_has_expired_is_gone(caller: Caller) -> None:
    url = caller.site.url("/")
    await caller.ok("cookies_set", name="a", value="1", url=url)
    assert (await caller.ok("cookies_set", name="a", value="1", url=url, expires=1))[
        "cookie"
    ] is None
    assert await names(caller) == []


async def test_what_is_no_cookie_is_refused(caller: Caller) -> None:
    impossible: list[dict[str, Any]] = [
        {},
        {"url": "https://shop.example", "domain": "shop.example"},
        {"domain": "shop.example", "sameSite": "None"},
        {"domain": "shop.example", "sameSite": "lenient"},
        {"domain": "shop.example", "path": "no-slash"},
        {"domain": "shop.example", "name": "a=b"},
        {"domain": "shop.example", "value": "a\n"},
        {"domain": "shop.example", "expires": -5},
    ]
    for arguments in impossible:
        given = {"name": "a", "value": "secret", **arguments}
        refused = await caller.refused("cookies_set", **given)
        assert refused["code"] == "invalid_argument", arguments
        assert "secret" not in str(refused)
    assert await names(caller) == []


async def test_the_cookie_of_the_current_page_is_meant(caller: Caller) -> None:
    await caller.ok("cookies_set", name="sid", value="far", domain="shop.example", path="/")
    await caller.ok("cookies_set", name="sid", value="near", url=caller.site.url("/"))
    await caller.show("<p>hello")
    assert (await caller.ok("cookies_get", name="sid"))["cookie"]["value"] == "near"
    far = await caller.ok("cookies_get", name="sid", url="http://shop.example/")
    assert far["cookie"]["value"] == "far"


async def test_cookies_go(caller: Caller) -> None:
    for domain in ("one.example", "two.example"):
        for name in ("a", "b"):
            await caller.ok("cookies_set", name=name, value="1", domain=domain, path="/")
    assert (await caller.ok("cookies_delete", name="a", domain="one.example"))["deleted"] == 1
    assert (await caller.ok("cookies_delete", name="a", url="http://one.example/"))["deleted"] == 0
    assert (await caller.ok("cookies_delete", name="b"))["deleted"] == 2
    assert await names(caller) == ["a"]
    assert (await caller.ok("cookies_clear"))["cleared"] == 1
    assert await names(caller) == []


async def test_sites_that_the_policy_does_not_admit_are_left_out(caller: Caller) -> None:
    rules = (OriginRule.parse(f"127.0.0.1:{caller.site.port}"), OriginRule.parse("*.shop.example"))
    narrow = caller.another(policy=Policy(allowed=(rules,)))
    refused = await narrow.refused(
        "cookies_set", name="a", value="1", domain="evil.example", path="/"
    )
    assert refused["code"] == "address_denied"
    refused = await narrow.refused("cookies_set", name="a", value="1", url="https://evil.example/")
    assert refused["code"] == "address_denied"
    await narrow.ok("cookies_set", name="wide", value="1", domain=".shop.example", path="/")
    await narrow.ok("cookies_set", name="mine", value="1", url=narrow.site.url("/"))
    session = narrow.kernel.sessions.find(narrow.principal, "default")
    context = await session.started()
    await context.set_cookies([Cookie("theirs", "1", "evil.example")])
    data = await narrow.ok("cookies_list")
    assert sorted(each["name"] for each in data["cookies"]) == ["mine", "wide"]
    assert data["withheld"] == 1
    assert (await narrow.ok("cookies_get", name="theirs"))["cookie"] is None


async def test_sessions_share_nothing(caller: Caller) -> None:
    await caller.ok("open_session", session="other")
    await caller.ok("cookies_set", name="a", value="1", domain="shop.example", path="/")
    assert await names(caller, session="other") == []


async def test_an_open_dialog_is_not_in_the_way(caller: Caller) -> None:
    await caller.show(
        "<button onclick='confirm(1)'>Ask</button><script>document.cookie = 'a=b'</script>"
    )
    await caller.reply("click", selector="text=Ask")
    assert await names(caller) == ["a"]
