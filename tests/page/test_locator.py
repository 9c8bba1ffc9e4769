from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.errors import InvalidArgument, TargetAmbiguous, TargetNotFound
from stockade.page.agent import PageAgent
from stockade.page.find import FindOptions, find
from stockade.page.locator import Locator, generate_locator, resolve
from stockade.page.playwright import Component, in_javascript, in_python

RANKING = Path(__file__).parent / "ranking"


@pytest.fixture
def agent(page: Page) -> PageAgent:
    return PageAgent(page)


async def ref_of(agent: PageAgent, selector: str, **options: Any) -> str:
    return await resolve(agent, selector, caller="test", **options)


async def locator(agent: PageAgent, selector: str) -> Locator:
    return await generate_locator(agent, await ref_of(agent, selector), caller="test")


async def test_prefers_what_lasts(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<button data-testid=buy class=a>Buy</button><button data-cy=sell class=b>Sell</button>"
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


async def test_python_words(agent: PageAgent) -> None:
    await agent.page.set_content('<button>Say "hi" it\'s me</button>')
    made = await locator(agent, "button")
    assert made.playwright == "page.getByRole('button', { name: 'Say \"hi\" it\\'s me' })"
    assert made.playwright_python == ('page.get_by_role("button", name="Say \\"hi\\" it\'s me")')


def test_every_step_in_both_languages() -> None:
    steps = [
        Component("frame", "iframe"),
        Component("role", "row", text="Ann"),
        Component("label", "Mail", exact=True),
        Component("alt", "Logo"),
        Component("nth", "2"),
    ]
    assert in_javascript(steps) == (
        "page.frameLocator('iframe').getByRole('row').filter({ hasText: 'Ann' })"
        ".getByLabel('Mail', { exact: true }).getByAltText('Logo').nth(2)"
    )
    assert in_python(steps) == (
        'page.frame_locator("iframe").get_by_role("row").filter(has_text="Ann")'
        '.get_by_label("Mail", exact=True).get_by_alt_text("Logo").nth(2)'
    )


async def test_repeated_row_actions_are_told_apart_by_their_row(agent: PageAgent) -> None:
    await agent.page.set_content((RANKING / "admin.html").read_text())
    made = await locator(agent, '[data-mark="delete-bob"]')
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
    made = await locator(agent, "x-f >> button")
    assert made.playwright == (
        "page.frameLocator('iframe[title=\"Card\"]').locator('x-f').locator('button')"
    )
    assert made.css == "x-f >> button"


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


SELECTORS = """
<main><h1 title="Top">Shop</h1>
<ul><li>Tea <button>Add</button></li><li>Coffee <button>Add</button></li></ul>
<label>E-mail <input id=m></label><input placeholder="Search…"><img alt="Our logo">
<button aria-pressed=true>Bold</button><button>Italic</button>
<button style="display:none">Ghost</button><input type=submit value="Send it">
<p data-qa=note>Count: <b>3</b></p></main>
"""


@pytest.mark.parametrize(
    ("selector", "same_as"),
    [
        ("role=heading", "h1"),
        ('role=button[name="Bold"]', "[aria-pressed]"),
        ("role=button[pressed]", "[aria-pressed]"),
        ('role=button[name="bold" i]', "[aria-pressed]"),
        ('role=button[name*="tal"]', "button:not([aria-pressed]):nth-of-type(2)"),
        ('role=listitem[text*="Coffee"] >> role=button', "li:nth-of-type(2) button"),
        ("li >> nth=-1 >> button", "li:nth-of-type(2) button"),
        ('role=button[name="Add"] >> nth=0', "li:first-child button"),
        ("label=e-mail", "#m"),
        ('label="E-mail"', "#m"),
        ("placeholder=search", "[placeholder]"),
        ("alt=logo", "img"),
        ('title="Top"', "h1"),
        ("testid=note", "p"),
        ("text=Count: 3", "p"),
        ('text="Shop"', "h1"),
        ("text=send it", "[type=submit]"),
        ("css=main > p", "p"),
        ("text=Ghost", None),
        ("role=button[name='Nope']", None),
        ("nav", None),
    ],
)
async def test_selectors(agent: PageAgent, selector: str, same_as: str | None) -> None:
    await agent.page.set_content(SELECTORS)
    if same_as is None:
        with pytest.raises(TargetNotFound):
            await ref_of(agent, selector)
    else:
        assert await ref_of(agent, selector) == await ref_of(agent, same_as)


async def test_ambiguity_is_refused_with_candidates(agent: PageAgent) -> None:
    await agent.page.set_content(SELECTORS)
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


async def test_what_is_not_rendered_counts_only_alone(agent: PageAgent) -> None:
    await agent.page.set_content("<a href=x hidden>Menu</a><a href=y>Menu</a><i hidden></i>")
    assert await ref_of(agent, "a") == await ref_of(agent, "[href=y]")
    assert await ref_of(agent, "i")


async def test_selectors_reach_closed_roots(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<x-vault></x-vault><script>customElements.define('x-vault', class extends HTMLElement {"
        "constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML ="
        "'<button>Unlock</button>'; } })</script>"
    )
    assert await ref_of(agent, "button") == await ref_of(agent, "x-vault >> text=unlock")


@pytest.mark.parametrize("selector", ["", "a[", "a >> >> b", "role=button[name", "text=", "nth=1"])
async def test_invalid_selectors(agent: PageAgent, selector: str) -> None:
    await agent.page.set_content(SELECTORS)
    with pytest.raises(InvalidArgument):
        await ref_of(agent, selector)
