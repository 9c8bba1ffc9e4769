from __future__ import annotations

import json

import pytest

from stockade.errors import InvalidArgument, StaleRef
from stockade.page.agent import PageAgent
from stockade.page.locator import generate_locator, resolve
from tests.page.asking import RANKING, ask, best, mark
from tests.support.site import Site

# `cases` was written before the ranking, and the ranking tuned on it (now 99 % first, 99 % in the
# first three). `heldout` was written after that: 79 % and 84 % on its first run, tuned on since
# (now 96 % and 99 %). `blind` came last and nothing was tuned on it: 81 % and 91 %.
# `rows` are shapes of rows in which only a number, a word or a place tells one from the others.
FLOORS = {
    "cases": (0.95, 0.97),
    "heldout": (0.93, 0.96),
    "blind": (0.78, 0.87),
    "rows": (0.95, 0.97),
}


@pytest.mark.parametrize("name", FLOORS)
async def test_ranking_of_realistic_queries(agent: PageAgent, name: str) -> None:
    cases: list[tuple[str, str, str]] = json.loads((RANKING / f"{name}.json").read_text())
    first = third = 0
    misses = []
    shown = ""
    for page, query, expected in cases:
        if page != shown:
            await agent.page.set_content((RANKING / f"{page}.html").read_text())
            shown = page
        found = await ask(agent, query)
        marks = [await mark(agent, each.ref) for each in found.candidates[:3]]
        first += marks[:1] == [expected]
        third += expected in marks
        if marks[:1] != [expected]:
            misses.append(f"{page}: {query!r} wants {expected}, got {marks}")
    report = f"first {first}, first three {third} of {len(cases)}\n" + "\n".join(misses)
    top1, top3 = FLOORS[name]
    assert first / len(cases) >= top1, report
    assert third / len(cases) >= top3, report


async def test_candidate_says_what_it_is_and_why(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "admin.html").read_text())
    found = await best(agent, "Delete in row Alice")
    assert (found.role, found.name, found.actionable) == ("button", "Delete", True)
    assert found.context is not None
    assert found.context.row_key == "Alice Novak"
    assert found.context.column == "Actions"
    assert found.context.collection == "table"
    assert "row: Alice Novak" in found.why
    assert found.selector_hint == 'role=row[text*="Alice Novak"] >> role=button[name="Delete"]'
    assert found.bbox is not None
    assert found.bbox.width > 10
    assert not found.clipped
    assert 0 < found.score <= 1


async def test_context_ref_limits_the_search(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "signup.html").read_text())
    shipping = await best(agent, "Shipping address group")
    assert shipping.role == "group"
    inside = await ask(agent, "street", context_ref=shipping.ref)
    assert [await mark(agent, each.ref) for each in inside.candidates] == ["s-street"]


async def test_own_test_attributes(agent: PageAgent) -> None:
    await agent.page.set_content("<button data-hook='checkout-go'>Go</button><button>Go</button>")
    found = await best(agent, "checkout go", test_attributes=["data-hook"])
    assert (found.test_id, found.stability, found.selector_tier) == ("checkout-go", "high", 1)
    assert found.selector_hint == '[data-hook="checkout-go"]'


async def test_frames_are_ranked_together_in_tab_coordinates(agent: PageAgent, site: Site) -> None:
    inner = site.other.page(
        "/inner", "<body style='margin:0'><button style='margin:20px'>Pay now</button>"
    )
    outer = site.page(
        "/outer",
        "<body style='margin:0'><button>Pay later</button>"
        f"<iframe src='{inner.replace('127.0.0.1', 'localhost')}' "
        "style='position:absolute;left:100px;top:200px;border:0;width:300px;height:100px'></iframe>",
    )
    await agent.page.navigate(outer, until="load")
    found = await ask(agent, "pay now")
    first = found.candidates[0]
    assert (first.ref, first.name, first.actionable) == ("f1e1", "Pay now", True)
    assert first.bbox is not None
    assert (first.bbox.x, first.bbox.y) == (120, 220)
    assert found.candidates[1].name == "Pay later"
    assert (await ask(agent, "pay now", frame="f0")).candidates[0].name == "Pay later"
    only = await ask(agent, "pay", frame="f1")
    assert only.candidates[0].origin == site.other.url("", host="localhost")
    assert [each.ref for each in only.candidates] == ["f1e1"]
    assert only.candidates[0].bbox == first.bbox


async def test_covered_and_hidden_frames(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<iframe srcdoc='<button>Alpha</button>'></iframe>"
        "<div style='position:fixed;inset:0' class=veil></div>"
        "<iframe style='display:none' srcdoc='<button>Beta</button>'></iframe>"
    )
    alpha = await best(agent, "alpha")
    assert (alpha.actionable, alpha.covered_by) == ("covered", "<div.veil>")
    beta = await best(agent, "beta")
    assert (beta.actionable, beta.bbox) == ("hidden", None)


async def test_closed_shadow_roots_are_entered(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<x-vault></x-vault><script>customElements.define('x-vault', class extends HTMLElement {"
        "constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML ="
        "'<button>Unlock</button>'; } })</script>"
    )
    found = await best(agent, "unlock")
    assert (found.role, found.name, found.actionable) == ("button", "Unlock", True)
    assert (await ask(agent, "unlock", pierce="open")).candidates == []


async def test_bad_arguments(agent: PageAgent) -> None:
    with pytest.raises(InvalidArgument):
        await ask(agent, "x", max_candidates=21)
    with pytest.raises(InvalidArgument):
        await ask(agent, " … ")
    with pytest.raises(InvalidArgument):
        await ask(agent, "x", frame="f9")
    with pytest.raises(StaleRef):
        await ask(agent, "x", context_ref="e77")


async def test_a_page_cannot_break_find_with_odd_attributes(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<button data-testid='a\n\"b >> c\\'>Odd one</button>"
        "<button id='x >> y' name='\"]' aria-label='Odd \"two\" >> nth=1'>x</button>"
    )
    for query in ("odd one", "odd two"):
        found = await best(agent, query)
        assert await resolve(agent, found.selector_hint, caller="test") == found.ref
        made = await generate_locator(agent, found.ref, caller="test")
        assert made.unique
