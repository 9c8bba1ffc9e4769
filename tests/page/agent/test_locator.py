from __future__ import annotations

import pytest

from stockade.page.agent import PageAgent
from stockade.page.find import FindOptions, find
from stockade.page.locator import Locator, generate_locator, resolve
from tests.page.asking import RANKING


async def ref_of(agent: PageAgent, selector: str) -> str:
    return await resolve(agent, selector, caller="test")


async def locator(agent: PageAgent, selector: str) -> Locator:
    return await generate_locator(agent, await ref_of(agent, selector), caller="test")


async def test_prefers_what_lasts(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<button data-testid=buy class=a></button><button data-cy=sell class=b></button>"
        "<button class=c>Rent</button><button class=d>Rent a car</button>"
        "<input class=e placeholder='Your name'><div class=f id=legend-box></div>"
        "<p class=g>Only once</p><div class=h></div><div class=i id=r3f8a91c2></div>"
    )
    expected = {
        ".a": ("page.getByTestId('buy')", "high", 1),
        ".b": ("page.locator('[data-cy=\"sell\"]')", "high", 1),
        ".c": ("page.getByRole('button', { name: 'Rent', exact: true })", "medium", 2),
        ".d": ("page.getByRole('button', { name: 'Rent a car' })", "medium", 2),
        ".e": ("page.getByRole('textbox', { name: 'Your name' })", "medium", 2),
        ".f": ("page.locator('#legend-box')", "medium", 4),
        ".g": ("page.getByText('Only once')", "medium", 3),
        ".h": ("page.locator('div:nth-of-type(2)')", "low", 5),
        ".i": ("page.locator('div:nth-of-type(3)')", "low", 5),
    }
    for selector, (playwright, stability, tier) in expected.items():
        made = await locator(agent, selector)
        assert (made.playwright, made.stability, made.tier) == (playwright, stability, tier)
        assert made.unique


@pytest.mark.parametrize("name", ["admin", "shop", "signup", "icons", "components", "mail"])
async def test_every_hint_leads_back_to_its_element(agent: PageAgent, name: str) -> None:
    await agent.page.set_content((RANKING / f"{name}.html").read_text())
    options = FindOptions(max_candidates=20)
    seen = 0
    for query in ("button", "link", "field", "delete", "name", "add", "heading"):
        found = await find(agent, query, caller="test", options=options)
        for each in found.candidates:
            assert await ref_of(agent, each.selector_hint) == each.ref, each
            made = await generate_locator(agent, each.ref, caller="test")
            assert made.unique
            assert await ref_of(agent, made.selector) == each.ref
            assert await ref_of(agent, made.css) == each.ref
            seen += 1
    assert seen > 10


async def test_a_test_id_comes_first_here_as_in_find(agent: PageAgent) -> None:
    await agent.page.set_content("<button data-testid=buy>Buy</button>")
    made = await locator(agent, "button")
    assert (made.playwright, made.tier) == ("page.getByTestId('buy')", 1)
    [found] = (await find(agent, "Buy", caller="test")).candidates
    assert (found.selector_hint, found.selector_tier) == (made.selector, made.tier)


async def test_a_place_tells_like_elements_apart(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<nav aria-label=Main><a href=/a>Help</a></nav><footer><a href=/b>Help</a></footer>"
    )
    made = await locator(agent, "nav a")
    assert made.playwright == (
        "page.getByRole('navigation', { name: 'Main', exact: true })"
        ".getByRole('link', { name: 'Help', exact: true })"
    )
    assert (await locator(agent, "footer a")).playwright == (
        "page.getByRole('contentinfo').getByRole('link', { name: 'Help', exact: true })"
    )


async def test_what_is_hidden_counts_for_those_who_are_strict(agent: PageAgent) -> None:
    await agent.page.set_content("<p class=seen>Once</p><p hidden>Once</p>")
    made = await locator(agent, ".seen")
    assert made.unique
    assert "getByText" not in made.playwright


async def test_paths_stay_short_and_end_in_a_count(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<div id=list-a><p><i></i></p><p><i></i><i></i></p></div><div><p><i></i></p></div>"
        "<body><div id=deep style='display:contents'></div><script>let at = deep;"
        "for (let i = 0; i < 100; i++) { const two = document.createElement('u');"
        "two.append(document.createElement('u')); at.append(two); at = two.lastChild; }</script>"
    )
    nested = await locator(agent, "#list-a i >> nth=1")
    assert nested.css == "p:nth-of-type(2) > i:nth-of-type(1)"
    deepest = await locator(agent, "u >> nth=-1")
    assert deepest.css == "u >> nth=199"
    assert [step.kind for step in deepest.components] == ["css", "nth"]


async def test_ids_of_frameworks_are_not_trusted(agent: PageAgent) -> None:
    ids = {"main-menu": True, "ember12": False, ":r1:": False, "x-3f9ac1": False, "step-2": True}
    await agent.page.set_content("".join(f"<div id='{each}'></div>" for each in ids))
    for each, trusted in ids.items():
        made = await locator(agent, f'[id="{each}"]')
        assert (made.tier == 4) is trusted, each


async def test_hidden_elements_are_named_by_what_is_in_the_document(agent: PageAgent) -> None:
    await agent.page.set_content("<button hidden title='Go on'>Go</button><button>Go</button>")
    made = await locator(agent, "[hidden]")
    assert made.selector == 'title="Go on"'
