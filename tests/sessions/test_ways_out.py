"""Which proxy a session goes through, and where that makes it seem to be."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stockade.config import load
from stockade.engines.values import Geolocation
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from stockade.sessions.geography import Geography
from stockade.sessions.ways_out import WaysOut
from tests.support.callers import Caller
from tests.support.places import write_atlas
from tests.support.proxies import forward_proxy
from tests.support.site import Site

TOKYO = {
    "country": {"iso_code": "JP"},
    "location": {"latitude": 35.7, "longitude": 139.7, "accuracy_radius": 5, "time_zone": "Asia/Tokyo"},
}  # fmt: skip
IN_TOKYO = Geography("ja-JP", "Asia/Tokyo", Geolocation(35.7, 139.7, 5000))


def ways(**settings: Any) -> WaysOut:
    return WaysOut(load(workspace="/nonexistent", **settings))


def servers(pool: WaysOut, times: int) -> list[str]:
    found = [pool.next() for _ in range(times)]
    return [str(way.upstream.port) for way in found if way is not None]


def test_each_strategy_has_its_order() -> None:
    assert ways().next() is None
    several = "a:1,a:2,a:3"
    assert servers(ways(proxies=several), 4) == ["1", "2", "3", "1"]
    assert servers(ways(proxies=several, proxy_strategy="simple"), 3) == ["1", "1", "1"]


def test_a_sticky_session_has_a_name_of_its_own() -> None:
    pool = ways(proxies="http://me:pass-word@gate:1", proxy_strategy="sticky")
    first, second = pool.next(), pool.next()
    assert first is not None
    assert second is not None
    assert re.fullmatch("me-session-[0-9a-f]{12}", first.upstream.username)
    assert first.upstream.username != second.upstream.username
    assert first.upstream.password == "pass-word"
    assert "pass-word" not in repr(first)


@pytest.mark.parametrize(
    ("entry", "strategy", "found"),
    [
        ({"server": "198.51.100.7:1"}, "simple", IN_TOKYO),
        ({"server": "198.51.100.7:1", "country": "JP", "locale": "en-JP"}, "simple", replace(IN_TOKYO, locale="en-JP")),
        ({"server": "198.51.100.7:1", "country": "DE"}, "simple", Geography("de-DE")),
        ({"server": "198.51.100.7:1", "timezone": "Europe/Rome"}, "simple", Geography(None, "Europe/Rome")),
        ({"server": "198.51.100.7:1", "username": "u"}, "sticky", Geography()),
        ({"server": "203.0.113.1:1"}, "simple", Geography()),
        ({"server": "no-such-host.invalid:1"}, "simple", Geography()),
    ],
)  # fmt: skip
async def test_an_entry_says_where_it_is_or_a_file_does(
    tmp_path: Path, entry: dict[str, str], strategy: str, found: Geography
) -> None:
    atlas = write_atlas(tmp_path, {"198.51.100.0/24": TOKYO})
    pool = ways(proxies=[entry], geoip_database=atlas, proxy_strategy=strategy)
    await pool.locate()
    way = pool.next()
    assert way is not None
    assert way.geography == found
    pool.close()


# --- in a browser ---------------------------------------------------------------------------------

WHERE = """async () => ({
  languages: navigator.language,
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  place: await new Promise(told => navigator.geolocation.getCurrentPosition(
    p => told(p.coords.latitude), e => told(e.message))),
})"""


@asynccontextmanager
async def calling(workspace: Path, site: Site, **settings: Any) -> AsyncIterator[Caller]:
    policy = Policy(capabilities=frozenset(Capability))
    loaded = load(workspace=workspace, isolation="shared", **settings)
    async with running_kernel(loaded) as kernel:
        yield Caller(kernel, Principal("key1", policy=policy), site)


async def test_sessions_go_out_where_they_are_told_to(tmp_path: Path, site: Site) -> None:
    site.page("/", "<title>Home</title>")
    atlas = write_atlas(tmp_path, {"127.0.0.0/8": TOKYO})
    async with (
        forward_proxy() as open_gate,
        forward_proxy({"me": "pass-word"}) as gate,
        calling(
            tmp_path / "w",
            site,
            proxies=[open_gate.address, {"server": gate.address, "username": "me", "password": "pass-word", "timezone": "Europe/Rome"}],
            geoip_database=atlas,
        ) as caller,
    ):  # fmt: skip
        await caller.ok("open_session", session="one")
        await caller.ok("open_session", session="two", locale="it-IT")
        for session in ("one", "two"):
            await caller.ok("navigate", url=site.url("/"), session=session)
        asked = [request.headers["accept-language"] for request in site.requests]
        assert [each[:5] for each in asked if not each.startswith("*")][:2] == ["ja-JP", "it-IT"]
        home = site.url("/")
        assert home in open_gate.targets()
        assert home in gate.targets()
        assert gate.users() == {"me"}
        await caller.ok("grant_permissions", session="one", permissions=["geolocation"])
        seen = await caller.ok("eval_js", session="one", expr=f"({WHERE})()")
        assert "Asia/Tokyo" in str(seen)
        assert "35.7" in str(seen)
        zone = "Intl.DateTimeFormat().resolvedOptions().timeZone"
        assert "Europe/Rome" in str(await caller.ok("eval_js", session="two", expr=zone))
        told = await caller.text("network_read", session="two")
        assert "pass-word" not in told
        assert "roxy-auth" not in told.lower()


async def test_a_sticky_session_keeps_its_name_in_every_tab(tmp_path: Path, site: Site) -> None:
    site.page("/", "<title>Home</title>")
    async with (
        forward_proxy({"me": "pass-word"}, any_session_of="me") as gate,
        calling(
            tmp_path, site, proxies=f"http://me:pass-word@127.0.0.1:{gate.port}", proxy_strategy="sticky"
        ) as caller,
    ):  # fmt: skip
        await caller.ok("navigate", url=site.url("/"))
        await caller.ok("tabs", action="new", url=site.url("/?2"))
        (first,) = gate.users()
        assert re.fullmatch("me-session-[0-9a-f]{12}", first)
        await caller.ok("open_session", session="other")
        await caller.ok("navigate", url=site.url("/?3"), session="other")
        assert len(gate.users()) == 2
