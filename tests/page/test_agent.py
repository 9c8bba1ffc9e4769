"""Calls into frames, and refs that are never given twice."""

from __future__ import annotations

from contextlib import suppress

import pytest

from stockade.engines.events import PageOpened
from stockade.engines.port import Browser
from stockade.engines.values import ContextOptions, World
from stockade.errors import (
    InvalidArgument,
    NavigationRace,
    ProtocolFault,
    StaleRef,
    TargetNotFound,
)
from stockade.page.actions import Actions
from stockade.page.agent import PageAgent
from stockade.page.locator import resolve
from stockade.page.snapshot import Snapshots
from stockade.page.waiting import wait_until
from tests.support.expecting import expecting
from tests.support.site import Site
from tests.support.tabs import CALLER, Tab


async def test_the_agent_comes_by_itself_where_it_is_absent(
    either_browser: Browser, site: Site
) -> None:
    context = await either_browser.new_context(ContextOptions())
    page = await context.new_page()
    site.page("/", "<button>Go</button>")
    await page.navigate(site.url("/"))
    agent = PageAgent(page)
    found = await agent.call(page.main_frame, "select", selector="button", caller=CALLER)
    assert found["count"] == 1
    await context.close()


async def test_numbers_rise_across_documents(tab: Tab) -> None:
    seen: list[str] = []
    for _ in range(3):
        await tab.show("<button>One</button><a href=#>Two</a>")
        seen += [await tab.ref("button"), await tab.ref("a")]
    assert len(set(seen)) == 6
    numbers = [int(ref[1:]) for ref in seen]
    assert numbers == sorted(numbers)


async def test_frames_have_prefixes_that_are_never_given_twice(tab: Tab) -> None:
    tab.site.page("/inner", "<button>In</button>")
    prefixes = set()
    for _ in range(3):
        await tab.show("<iframe src=/inner></iframe>")
        ref = await tab.ref("button", frame=await tab.frame("/inner"))
        prefixes.add(ref.split("e")[0])
        frame, number = tab.agent.locate(ref)
        assert frame.url.endswith("/inner")
        assert number == int(ref.split("e")[1])
    assert len(prefixes) == 3


async def test_a_frame_keeps_its_prefix_and_its_numbers_when_it_moves_on(tab: Tab) -> None:
    tab.site.page("/one", "<button>One</button>")
    tab.site.page("/two", "<button>Two</button><script>document.title='two'</script>")
    await tab.show("<iframe src=/one></iframe>")
    frame = await tab.frame("/one")
    first = await tab.ref("button", frame=frame)
    await tab.main(
        """() => new Promise((done) => { const f = document.querySelector('iframe');
        f.onload = done; f.src = '/two'; })"""
    )
    second = await tab.ref("button", frame=frame)
    assert first != second
    assert first.split("e")[0] == second.split("e")[0]
    with pytest.raises(StaleRef):
        await tab.actions.click(first, caller=CALLER)


@pytest.mark.parametrize("ref", ["", "3", "x3", "e", "e-1", "fe3", "f1", "e3 e4", "e" + "9" * 30])
async def test_what_is_no_ref_is_refused(tab: Tab, ref: str) -> None:
    with pytest.raises(InvalidArgument):
        tab.agent.locate(ref)


async def test_a_ref_in_a_frame_that_is_gone_is_stale(tab: Tab) -> None:
    with pytest.raises(StaleRef):
        tab.agent.locate("f7e3")


async def test_an_unknown_method_is_a_fault_of_ours(tab: Tab) -> None:
    await tab.show("")
    with pytest.raises(ProtocolFault):
        await tab.agent.call(tab.page.main_frame, "nonsense")


async def test_the_owner_of_a_frame_and_the_frame_of_an_owner(tab: Tab) -> None:
    tab.site.page("/inner", "<p>in</p>")
    await tab.show("<iframe></iframe><iframe src=/inner></iframe>")
    frame = await tab.frame("/inner")
    number = await tab.agent.owner_number(frame)
    assert await tab.agent.child_frame(tab.page.main_frame, number) is frame
    assert await tab.agent.owner_number(frame) == number


@pytest.mark.parametrize("rel", ["opener", "noopener"])
async def test_the_agent_follows_a_popup_from_its_first_document(tab: Tab, rel: str) -> None:
    tab.site.page(
        "/popup", "<button onclick=\"document.title += 'x'\">Bye</button><p id=p>Quiet</p>"
    )
    await tab.show(f"<a id=a href=/popup target=_blank rel={rel}>Open</a>")
    async with expecting(tab.page.context.events, PageOpened) as opened:
        await tab.actions.click(await tab.ref("a"), caller=CALLER)
    popup = opened.result().page
    agent = PageAgent(popup)
    # As early as can be: the script may find itself in the empty document that makes way.
    with suppress(NavigationRace):
        await agent.call(popup.main_frame, "arm")
    await wait_until(agent, lambda: _found(agent, "role=button"))
    ref = await _found(agent, "role=button")
    assert ref is not None
    outcome = await Actions(agent).click(ref, caller=CALLER)
    assert outcome.after["attached"]
    assert await popup.title() == "x"
    snapshots = Snapshots(agent)
    await snapshots.take(CALLER)
    await popup.main_frame.call("() => { p.textContent = 'Changed' }", world=World.MAIN)
    assert (await snapshots.delta(CALLER)).text == "~ text: Changed"


async def _found(agent: PageAgent, selector: str) -> str | None:
    try:
        return await resolve(agent, selector, caller=CALLER)
    except TargetNotFound:
        return None


async def test_a_method_can_be_sent_with_its_call(agent: PageAgent) -> None:
    await agent.page.set_content("<x-note></x-note>")
    main = agent.page.main_frame
    said = await agent.call(main, "shadow_trees.js", caller=CALLER, most=1, asked=True)
    assert said["trees"] == []
    assert said["suspects"] == 1, "it is a pass like any other"
    with pytest.raises(StaleRef):
        await agent.call(main, "shadow_trees.js", caller=CALLER, most=1, scope=99)
