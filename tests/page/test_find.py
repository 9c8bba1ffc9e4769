from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.errors import InvalidArgument, StaleRef
from stockade.page.agent import PageAgent
from stockade.page.find import Candidate, FindOptions, Found, find
from stockade.page.locator import generate_locator, resolve
from tests.support.site import Site

RANKING = Path(__file__).parent / "ranking"


@pytest.fixture
def agent(page: Page) -> PageAgent:
    return PageAgent(page)


async def ask(agent: PageAgent, query: str, **options: Any) -> Found:
    return await find(agent, query, caller="test", options=FindOptions(**options))


async def best(agent: PageAgent, query: str, **options: Any) -> Candidate:
    found = await ask(agent, query, **options)
    return found.candidates[0]


async def mark(agent: PageAgent, ref: str) -> str | None:
    """The `data-mark` of an element: an attribute that ranking does not read."""
    frame, number = agent.locate(ref)
    value: str | None = await frame.call(
        "number => stockade.modules.Dom.attr(stockade.modules.Refs.get(number), 'data-mark')",
        number,
    )
    return value


# `cases` was written before the ranking, and the ranking tuned on it (now 99 % first, 99 % in the
# first three). `heldout` was written after that: 79 % and 84 % on its first run, tuned on since
# (now 96 % and 99 %). `blind` came last and nothing was tuned on it: 81 % and 91 %.
FLOORS = {"cases": (0.95, 0.97), "heldout": (0.93, 0.96), "blind": (0.78, 0.87)}


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


async def test_exact_name_outranks_words_and_scores_near_one(agent: PageAgent) -> None:
    await agent.page.set_content("<button>Save all</button><button>Save</button><p>Save it</p>")
    found = await ask(agent, "Save")
    assert [each.name for each in found.candidates] == ["Save", "Save all", "Save it"]
    assert found.candidates[0].why[0] == "name equals query"
    assert found.candidates[0].score > 0.95


async def test_equal_candidates_keep_document_order_and_warn(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "shop.html").read_text())
    first, again = await ask(agent, "Add to cart"), await ask(agent, "Add to cart")
    assert first == again
    marks = [await mark(agent, each.ref) for each in first.candidates[:4]]
    assert marks == ["add1", "add2", "add4", "add3"], "the disabled one comes last"
    assert first.warnings[0].startswith("ambiguous: the best 4 score alike")
    assert '"Trekker Duo"' in first.warnings[0]


async def test_disabled_hidden_and_far_away_are_marked(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "modal.html").read_text())
    assert (await best(agent, "load more")).actionable == "off-screen"
    ghost = await best(agent, "archive project")
    assert (ghost.actionable, ghost.bbox) == ("hidden", None)
    seen = await ask(agent, "archive project", visible_only=True)
    assert "ghost" not in [await mark(agent, each.ref) for each in seen.candidates]
    await agent.page.set_content("<fieldset disabled><button>Buy</button></fieldset>")
    assert (await best(agent, "buy")).actionable == "disabled"


async def test_covered_says_by_what(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "modal.html").read_text())
    found = await best(agent, "new project")
    assert (found.actionable, found.covered_by) == ("covered", "<div.veil>")
    inside = await best(agent, "keep it")
    assert (inside.actionable, inside.covered_by) == (True, None)


async def test_a_corner_that_shows_is_enough(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<button style='position:absolute;left:0;top:0;width:200px;height:100px'>Buy</button>"
        "<div style='position:absolute;left:0;top:0;width:150px;height:100px'></div>"
    )
    assert (await best(agent, "buy")).actionable is True


async def test_open_modal_dialog_makes_the_rest_covered(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<button>Pay</button><dialog aria-label='Sure?'><button>Yes</button></dialog>"
        "<script>document.querySelector('dialog').showModal()</script>"
    )
    assert (await best(agent, "pay")).actionable == "covered"
    assert (await best(agent, "yes")).actionable is True


async def test_label_text_means_its_control(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<label for=a>Nickname</label><input id=a>"
        "<label class=box style='display:block'><input type=checkbox style='display:none'>"
        "<span>Remember me</span></label>"
    )
    assert (await best(agent, "Nickname")).role == "textbox"
    boxed = await best(agent, "remember me")
    assert (boxed.role, boxed.actionable) == ("checkbox", True), "its label stands for it"


async def test_clipped_by_a_scroller(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<div style='height:50px;width:300px;overflow:auto'>"
        "<button style='height:80px'>Half</button>"
        "<button style='display:block;margin-top:400px'>Below</button></div>"
    )
    half, below = await best(agent, "half"), await best(agent, "below")
    assert half.clipped
    assert half.bbox is not None
    assert half.bbox.height <= 50
    assert half.actionable is True
    assert below.actionable == "off-screen"


async def test_nothing_alike_and_not_sure_enough(agent: PageAgent) -> None:
    await agent.page.set_content("<button>Buy now</button>")
    nothing = await ask(agent, "zxqv")
    assert nothing.candidates == []
    assert nothing.warnings == ['no element says "zxqv" or anything like it']
    unsure = await ask(agent, "buy the red one", confidence_floor=0.9)
    assert unsure.candidates == []
    assert 'closest: button "Buy now" [e1]' in unsure.warnings[0]


async def test_a_typing_error_is_forgiven_when_nothing_else_fits(agent: PageAgent) -> None:
    await agent.page.set_content("<button>Subscribe</button><button>Other</button>")
    assert (await best(agent, "subscirbe")).name == "Subscribe"


async def test_context_ref_limits_the_search(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "signup.html").read_text())
    shipping = await best(agent, "Shipping address group")
    assert shipping.role == "group"
    inside = await ask(agent, "street", context_ref=shipping.ref)
    assert [await mark(agent, each.ref) for each in inside.candidates] == ["s-street"]


async def test_password_value_is_never_a_reason(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<input type=password value='hunter2hunter2'><input value='visible words'>"
    )
    assert (await ask(agent, "hunter2hunter2")).candidates == []
    assert (await best(agent, "visible words")).why == ["value: visible", "value: words"]


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


async def test_hostile_names_do_not_reach_the_reader(agent: PageAgent) -> None:
    await agent.page.set_content("<button>Buy\u202e\u200b now</button>")
    assert (await best(agent, "buy now")).name == "Buy now"


async def test_clobbered_form(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<form><input name=children><input name=getAttribute><input name=tagName>"
        "<input name=parentElement><input name=attributes><button>Send it</button></form>"
    )
    assert (await best(agent, "send it")).role == "button"


async def test_a_deep_document_is_searched_to_the_bottom(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<body><div id=root style='display:contents'></div><script>let at = root;"
        "for (let i = 0; i < 10000; i++) { const next = document.createElement('div');"
        "next.style.display = 'contents'; at.append(next); at = next; }"
        "at.innerHTML = '<button>Bottom</button>'</script>"
    )
    found = await ask(agent, "bottom")
    assert [each.name for each in found.candidates] == ["Bottom"]


async def test_a_huge_document_is_searched_in_part_and_says_so(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<body><button>First word</button><div id=many></div>"
        "<script>many.innerHTML = '<p>word</p>'.repeat(300000)</script>"
    )
    found = await ask(agent, "first word")
    assert found.candidates[0].name == "First word"
    assert any("the page is large" in warning for warning in found.warnings)


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
