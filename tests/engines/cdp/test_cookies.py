"""Cookies of a context, on both binaries."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest

from stockade.engines.cdp import cookies
from stockade.engines.events import DialogOpened
from stockade.engines.port import Browser, Context, Page
from stockade.engines.values import ContextOptions, Cookie, World
from stockade.errors import InvalidArgument
from tests.support.expecting import expecting
from tests.support.site import Site


def names(found: Sequence[Cookie]) -> set[str]:
    return {cookie.name for cookie in found}


async def test_a_cookie_that_was_set_is_sent(either_context: Context, site: Site) -> None:
    await either_context.set_cookies(
        [
            Cookie("plain", "oat", url=site.url("/")),
            Cookie("hidden", "rye", domain="127.0.0.1", http_only=True, same_site="Lax"),
        ]
    )
    page = await either_context.new_page()
    await page.navigate(site.url("/cookies"))
    assert site.requests[-1].cookies == {"plain": "oat", "hidden": "rye"}
    assert await page.main_frame.call("() => document.cookie", world=World.MAIN) == "plain=oat"


async def test_what_a_site_sets_is_read_back_whole(either_context: Context, site: Site) -> None:
    page = await either_context.new_page()
    baked = "deep%3D1%3B%20Path%3D%2Fdeep%3B%20HttpOnly%3B%20SameSite%3DStrict%3B%20Max-Age%3D1000"
    await page.navigate(site.url(f"/set-cookie?cookie={baked}"))
    [cookie] = await either_context.cookies()
    assert cookie.expires > 0
    assert (cookie.name, cookie.value, cookie.domain, cookie.path) == (
        "deep",
        "1",
        "127.0.0.1",
        "/deep",
    )
    assert cookie.http_only
    assert cookie.same_site == "Strict"
    await either_context.clear_cookies()
    await either_context.set_cookies([cookie])
    [again] = await either_context.cookies()
    assert again == cookie


async def test_partitioned_cookies_keep_their_partition(either_context: Context) -> None:
    kept = Cookie(
        "part",
        "1",
        domain="localhost",
        secure=True,
        same_site="None",
        partition="https://example.org",
        cross_site_ancestor=True,
    )
    await either_context.set_cookies([kept])
    assert await either_context.cookies() == [kept]
    await either_context.delete_cookies("part")
    assert await either_context.cookies() == []


async def test_cookies_by_address(either_context: Context) -> None:
    await either_context.set_cookies(
        [
            Cookie("host", "1", domain="example.org"),
            Cookie("wide", "1", domain=".example.org"),
            Cookie("deep", "1", domain="example.org", path="/shop"),
            Cookie("safe", "1", domain="example.org", secure=True),
            Cookie("other", "1", domain="example.net"),
        ]
    )
    assert names(await either_context.cookies(["http://example.org/"])) == {"host", "wide"}
    assert names(await either_context.cookies(["https://a.example.org/"])) == {"wide"}
    assert names(await either_context.cookies(["https://example.org/shop/cart"])) == {
        "host",
        "wide",
        "deep",
        "safe",
    }
    assert "deep" not in names(await either_context.cookies(["https://example.org/shopping"]))
    assert len(await either_context.cookies()) == 5


async def test_deleting(either_context: Context) -> None:
    await either_context.set_cookies(
        [
            Cookie("a", "1", domain="example.org"),
            Cookie("a", "1", domain="example.org", path="/deep"),
            Cookie("a", "1", domain="example.net"),
            Cookie("b", "1", domain="example.org"),
        ]
    )
    await either_context.delete_cookies("a", domain="example.org", path="/")
    left = sorted((c.name, c.domain, c.path) for c in await either_context.cookies())
    assert left == [
        ("a", "example.net", "/"),
        ("a", "example.org", "/deep"),
        ("b", "example.org", "/"),
    ]
    await either_context.delete_cookies("a", url="http://example.org/deep/er")
    await either_context.delete_cookies("missing")
    assert len(await either_context.cookies()) == 2
    await either_context.clear_cookies()
    assert await either_context.cookies() == []


@pytest.mark.parametrize(
    ("cookie", "word"),
    [
        (Cookie("no;name", "1", domain="example.org"), "name"),
        (Cookie("bad", "1\n", domain="example.org"), "value"),
        (Cookie("", "", domain="example.org"), "neither"),
        (Cookie("long", "x" * 5000, domain="example.org"), "4096"),
        (Cookie("nowhere", "1"), "domain or a url"),
        (Cookie("odd", "1", domain="example.org", path="shop"), "path"),
        (Cookie("data", "1", url="data:,x"), "http"),
        (Cookie("open", "1", domain="example.org", same_site="None"), "SameSite"),
        (Cookie("__Host-x", "1", domain="example.org"), "secure"),
        (Cookie("__Host-y", "1", domain=".example.org", secure=True), "__Host-"),
    ],
)
async def test_the_error_says_which_cookie_and_why(
    context: Context, cookie: Cookie, word: str
) -> None:
    good = Cookie("good", "1", domain="example.org")
    with pytest.raises(InvalidArgument) as caught:
        await context.set_cookies([good, cookie])
    assert repr(cookie.name) in caught.value.message
    assert word in caught.value.message
    assert await context.cookies() == []


async def test_what_only_the_browser_refuses_is_named_too(
    either_context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cookies, "_problem", lambda _: None)
    good = Cookie("good", "1", domain="example.org")
    bad = Cookie("b;d", "1", domain="example.org")
    with pytest.raises(InvalidArgument) as caught:
        await either_context.set_cookies([good, bad])
    assert caught.value.details["refused"] == ["b;d"]
    assert names(await either_context.cookies()) == {"good"}


async def test_cookies_answer_while_a_dialog_is_open(
    either_context: Context, either_page: Page
) -> None:
    async with expecting(either_page.events, DialogOpened):
        await either_page.main_frame.call("() => { setTimeout(() => alert('now'), 0); }")
    await either_context.set_cookies([Cookie("a", "1", domain="example.org")])
    assert names(await either_context.cookies()) == {"a"}
    await either_context.delete_cookies("a")
    assert await either_context.cookies() == []
    await either_page.answer_dialog(accept=True)


async def test_a_jar_is_put_back_as_it_was(
    context: Context, page: Page, browser: Browser, site: Site
) -> None:
    assert await context.cookie_jar() == b""
    await page.navigate(
        site.page("/page", "<p>hello", headers={"set-cookie": "a=1; priority=high"})
    )
    script = "() => Promise.all([cookieStore.set('b', '2'), document.cookie = 'gone=3; max-age=1'])"
    await page.main_frame.call(f"async () => {{ await ({script})() }}", world=World.MAIN)
    await context.set_cookies(
        [
            Cookie(
                "c", "4", "x.example", secure=True, partition="https://y.example", same_site="None"
            )
        ]
    )
    jar = await context.cookie_jar()
    assert jar == await context.cookie_jar()
    long_ago = re.sub(rb'("name":"gone".*?"expires":)[\d.]+', rb"\g<1>1000", jar)
    bad = long_ago.replace(b'"cookies":[', b'"cookies":[{"name":"b;d","value":"","domain":"z"},')
    other = await browser.new_context(ContextOptions())
    try:
        assert await other.fill_cookie_jar(bad) == ["b;d"]
        again = json.loads(await other.cookie_jar())["cookies"]
    finally:
        await other.close()
    before = {each["name"]: each for each in json.loads(jar)["cookies"]}
    after = {each["name"]: each for each in again}
    assert {*before} - {*after} == {"gone"}
    assert (after["a"], after["c"]) == (before["a"], before["c"])
    assert after["a"]["priority"] == "High"
