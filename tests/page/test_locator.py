from __future__ import annotations

from typing import Any

import pytest

from stockade.errors import InvalidArgument, TargetAmbiguous
from stockade.page.agent import PageAgent
from stockade.page.locator import generate_locator, resolve
from tests.page.asking import RANKING


async def ref_of(agent: PageAgent, selector: str, **options: Any) -> str:
    return await resolve(agent, selector, caller="test", **options)


async def test_repeated_row_actions_are_told_apart_by_their_row(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "admin.html").read_text())
    made = await generate_locator(
        agent, await ref_of(agent, '[data-mark="delete-bob"]'), caller="test"
    )
    assert made.playwright == (
        "page.getByRole('row').filter({ hasText: 'Bob Okafor' })"
        ".getByRole('button', { name: 'Delete', exact: true })"
    )
    assert made.unique
    assert await ref_of(agent, made.selector) == await ref_of(agent, made.css)


async def test_through_frames_and_shadow_roots(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<iframe title=Card srcdoc='<x-f></x-f><script>customElements.define(`x-f`, class extends "
        "HTMLElement { constructor() { super(); this.attachShadow({mode: `open`}).innerHTML = "
        "`<p><i></i><button></button></p>`; } })</script>'></iframe>"
    )
    made = await generate_locator(agent, await ref_of(agent, "x-f >> button"), caller="test")
    assert made.playwright == (
        "page.frameLocator('iframe[title=\"Card\"]').locator('x-f').locator('button')"
    )
    assert made.css == "x-f >> button"


async def test_ambiguity_is_refused_with_candidates(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<ul><li>Tea <button>Add</button></li><li>Coffee <button>Add</button></li></ul>"
    )
    with pytest.raises(TargetAmbiguous) as refused:
        await ref_of(agent, 'role=button[name="Add"]')
    assert refused.value.details["count"] == 2
    assert refused.value.details["candidates"] == [
        {"ref": "e1", "description": 'button "Add"', "row": "Tea"},
        {"ref": "e2", "description": 'button "Add"', "row": "Coffee"},
    ]


async def test_frames_count_together(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<button>Go</button><iframe srcdoc='<button>Go</button><a href=x>In</a>'></iframe>"
        "<iframe style='display:none' srcdoc='<a href=x>In</a>'></iframe>"
    )
    with pytest.raises(TargetAmbiguous) as refused:
        await ref_of(agent, "button")
    assert [each["ref"] for each in refused.value.details["candidates"]] == ["e1", "f1e1"]
    assert await ref_of(agent, "button", frame="f1") == "f1e1"
    assert (await ref_of(agent, "a")).startswith("f1e"), "the hidden frame does not count"


async def test_selectors_reach_closed_roots(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<x-vault></x-vault><script>customElements.define('x-vault', class extends HTMLElement {"
        "constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML ="
        "'<button>Unlock</button>'; } })</script>"
    )
    assert await ref_of(agent, "button") == await ref_of(agent, "x-vault >> text=unlock")


async def test_an_empty_selector_is_refused(agent: PageAgent) -> None:
    with pytest.raises(InvalidArgument):
        await ref_of(agent, " ")
