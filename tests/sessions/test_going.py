"""Navigations past dialogs, and those that come to nothing."""

from __future__ import annotations

import asyncio

import pytest

from stockade.errors import DeadlineExceeded, DialogOpen, NavigationFailed
from stockade.page.locator import resolve
from stockade.sessions.going import go
from stockade.sessions.options import DialogPolicy
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from tests.sessions.ground import WAIT, main
from tests.support.site import Site


async def to(tab: Tab, url: str, timeout: float = WAIT) -> None:
    async with tab.lease.hold(1):
        await go(tab, lambda left: tab.page.navigate(url, timeout=left), timeout=timeout)


@pytest.fixture
def asks(site: Site) -> Site:
    """One page asks before anybody leaves, another asks when it comes."""
    site.page(
        "/stay", "<button>x</button><script>onbeforeunload = e => e.preventDefault()</script>"
    )
    site.page(
        "/asks", "<title>0</title><script>document.title = [confirm('1'), prompt('2')]</script>"
    )
    return site


async def test_questions_on_the_way_are_answered(session: Session, asks: Site) -> None:
    tab = await session.new_tab("group")
    await to(tab, asks.url("/stay"))
    await tab.actions.click(await resolve(tab.agent, "button", caller="me"), caller="me")
    await to(tab, asks.url("/asks"))
    assert (tab.url, await tab.title()) == (asks.url("/asks"), "false,")
    kinds = [(dialog.kind, how) for dialog, how in tab.recorder.take().dialogs]
    assert kinds == [
        ("beforeunload", "accepted"),
        ("confirm", "dismissed"),
        ("prompt", "dismissed"),
    ]


async def test_who_is_to_be_asked_is_asked(session: Session, asks: Site) -> None:
    tab = await session.new_tab()
    with pytest.raises(DialogOpen):
        await to(tab, asks.url("/asks"))
    session.dialogs = DialogPolicy("dismiss")
    other = await session.new_tab()
    await to(other, asks.url("/stay"))
    await other.actions.click(await resolve(other.agent, "button", caller="me"), caller="me")
    with pytest.raises(NavigationFailed):
        await to(other, asks.url("/"))
    assert other.url == asks.url("/stay")


async def test_what_does_not_come_is_given_up(session: Session, site: Site) -> None:
    held = asyncio.Event()
    site.page("/held", "", delay=held)
    site.page("/here", "<title>Here</title>")
    tab = await session.new_tab()
    await to(tab, site.url("/here"))
    with pytest.raises(DeadlineExceeded):
        await to(tab, site.url("/held"), 0.3)
    held.set()
    assert tab.url == site.url("/here")
    assert await main(tab, "() => document.title") == "Here"
