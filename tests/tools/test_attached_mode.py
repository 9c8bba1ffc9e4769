"""A session in a person's browser: only where it is allowed, and within the origins that are."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from stockade.config import load
from stockade.policy.capabilities import DEFAULT, Capability
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from tests.support.callers import Caller
from tests.support.persons import Person
from tests.support.site import Site
from tests.support.waiting import until

PAGE = "<title>Shop</title><button onclick=\"document.title = 'bought'\">Buy</button>"
BYOB = DEFAULT | {Capability.BYOB_ATTACH}


@pytest.fixture
async def guest(person: Person, site: Site, tmp_path: Path) -> AsyncIterator[Caller]:
    """Somebody who may use the person's browser."""
    settings = load(workspace=tmp_path / "workspace", attach_cdp=person.address, approval_wait=0.05)
    async with running_kernel(settings) as kernel:
        policy = Policy(capabilities=BYOB, confirm=frozenset())
        yield Caller(kernel, Principal("guest", policy=policy), site)


async def test_off_means_off(guest: Caller) -> None:
    stranger = replace(guest, principal=replace(guest.principal, policy=Policy()))
    refusal = await stranger.refused("open_session", session="s", mode="attached")
    assert refusal["code"] == "capability_disabled"
    assert refusal["requiredCapability"] == "byob-attach"
    for given in ({"device": "iPhone 15"}, {"locale": "fr"}, {"profile": "work"}):
        refusal = await guest.refused("open_session", session="s", mode="attached", **given)
        assert refusal["code"] == "invalid_argument"
    assert (await guest.ok("list_sessions"))["sessions"] == []


async def test_within_the_allowed_origins_and_leaving_no_trace(
    guest: Caller, person: Person
) -> None:
    site = guest.site
    site.page("/shop", PAGE)
    site.other.page("/bank", "<title>Balance: 1,000,000</title><p>secret")
    mine = await person.open(site.url("/shop"))
    bank = await person.open(site.other.url("/bank?account=7"))
    settings = await person.open("chrome://version/")
    await site.wait_asked("/shop")
    await site.other.wait_asked("/bank")
    before = await person.tabs()

    origin = site.url("").rstrip("/")
    opened = await guest.ok("open_session", session="s", mode="attached", domains=[origin])
    assert (opened["mode"], opened["isolation"], opened["running"]) == (
        "attached", "attached", True,
    )  # fmt: skip
    assert "promises nothing" in opened["warning"]
    conflict = await guest.refused("open_session", session="t", mode="attached")
    assert conflict["code"] == "conflict"

    rows = {row["url"]: row for row in (await guest.ok("tabs", session="s"))["tabs"]}
    assert rows[site.url("/shop")]["title"] == "Shop"
    hidden = rows[site.other.url("").rstrip("/")]
    assert hidden["title"] == ""
    inner = rows["null"]["tab"]
    for tab in (hidden["tab"], inner):
        for tool in ("snapshot", "screenshot"):
            refusal = await guest.refused(tool, session="s", tab=tab)
            assert refusal["code"] == "address_denied", refusal
    await guest.ok("click", session="s", tab=rows[site.url("/shop")]["tab"], selector="button")
    await until(lambda: _titled(person, mine, "bought"))
    refusal = await guest.refused("tabs", session="s", action="new", url=site.other.url("/bank"))
    assert refusal["code"] in {"address_denied", "egress_denied"}
    await guest.ok("tabs", session="s", action="new", url=site.url("/shop"))

    await guest.ok("close_session", session="s")
    await until(lambda: _has(person, before))
    assert {mine, bank, settings} <= before
    assert person.browser.alive
    await guest.ok("open_session", session="s", mode="attached")


async def test_what_changes_something_waits_for_a_person(guest: Caller, person: Person) -> None:
    site = guest.site
    site.page("/shop", PAGE)
    mine = await person.open(site.url("/shop"))
    await site.wait_asked("/shop")
    policy = replace(guest.principal.policy, confirm=None)
    careful = replace(guest, principal=replace(guest.principal, policy=policy))
    origin = site.url("").rstrip("/")
    await careful.ok("open_session", session="s", mode="attached", domains=[origin])
    rows = (await careful.ok("tabs", session="s"))["tabs"]
    [tab] = [row["tab"] for row in rows if row["url"] == site.url("/shop")]
    assert "Buy" in await careful.text("snapshot", session="s", tab=tab)
    for tool, given in {"click": {"selector": "button"}, "navigate": {"url": origin}}.items():
        refusal = await careful.refused(tool, session="s", tab=tab, **given)
        assert (refusal["code"], refusal["rules"]) == ("approval_pending", ["byob_action"])
    assert await person.see(mine, "document.title") == "Shop"


async def _titled(person: Person, tab: str, title: str) -> bool:
    return bool(await person.see(tab, "document.title") == title)


async def _has(person: Person, tabs: set[str]) -> bool:
    return await person.tabs() == tabs
