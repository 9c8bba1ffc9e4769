from __future__ import annotations

import pytest

from stockade.errors import InvalidArgument, TargetNotFound
from stockade.page.agent import PageAgent
from stockade.page.locator import resolve

SELECTORS = """
<main><h1 title="Top">Shop</h1>
<ul><li>Tea <button>Add</button></li><li>Coffee <button>Add</button></li></ul>
<label>E-mail <input id=m></label><input placeholder="Search…"><img alt="Our logo">
<button aria-pressed=true>Bold</button><button>Italic</button>
<button style="display:none">Ghost</button><input type=submit value="Send it">
<p data-qa=note>Count: <b>3</b></p>
<div><a href=/help>Help</a> <a href=/terms>Terms</a> and more</div></main>
"""


async def ref_of(agent: PageAgent, selector: str) -> str:
    return await resolve(agent, selector, caller="test")


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
        ("li >> having=coffee >> button", "li:nth-of-type(2) button"),
        ("label=e-mail", "#m"),
        ('label="E-mail"', "#m"),
        ("placeholder=search", "[placeholder]"),
        ("alt=logo", "img"),
        ('title="Top"', "h1"),
        ("testid=note", "p"),
        ("text=Count: 3", "p"),
        ('text="Shop"', "h1"),
        ("text=send it", "[type=submit]"),
        ("text=help", "a:first-of-type"),
        ("text=terms", "a:last-of-type"),
        ("css=main > p", "p"),
        ('button:has-text("ital")', "button:not([aria-pressed]):nth-of-type(2)"),
        ("li:has-text('Coffee') > button", "li:nth-of-type(2) button"),
        ('ul li:has-text("coffee"):visible button:text-is("Add")', "li:nth-of-type(2) button"),
        ('nav, button:has-text("Bold")[aria-pressed]', "[aria-pressed]"),
        (':text("count:")', "p"),
        ('button:text-is("bold")', None),
        ("id=m", "#m"),
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


async def test_what_is_not_rendered_counts_only_alone(agent: PageAgent) -> None:
    await agent.page.set_content("<a href=x hidden>Menu</a><a href=y>Menu</a><i hidden></i>")
    assert await ref_of(agent, "a") == await ref_of(agent, "[href=y]")
    assert await ref_of(agent, "i")


@pytest.mark.parametrize(
    "selector",
    [
        "",
        "a[",
        "a >> >> b",
        "role=button[name",
        "text=",
        "nth=1",
        "a >> nth=x",
        "a:not(.b",
        "text(Add)",
        ":has-text('Tea",
        ":not(:has-text('Tea'))",
        "li:has-text('Tea') + li",
    ],
)
async def test_invalid_selectors(agent: PageAgent, selector: str) -> None:
    await agent.page.set_content(SELECTORS)
    with pytest.raises(InvalidArgument):
        await ref_of(agent, selector)


async def test_parts_go_through_shadow_roots_in_document_order(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<b id=one></b><x-a id=host><b id=three></b></x-a><b id=four></b>"
        "<script>customElements.define('x-a', class extends HTMLElement { constructor() { super();"
        "this.attachShadow({mode: 'open'}).innerHTML = '<b id=two></b><slot></slot>'; } })</script>"
    )
    for at, name in enumerate(("one", "two", "three", "four")):
        assert await ref_of(agent, f"b >> nth={at}") == await ref_of(agent, f"#{name}")
    assert await ref_of(agent, "#host >> b >> nth=0") == await ref_of(agent, "#two")


async def test_names_are_met_whole_or_by_what_is_seen_of_them(agent: PageAgent) -> None:
    hidden = "<span style='position:absolute;left:-9999px'>(opens in a new window)</span>"
    await agent.page.set_content(
        f"<button id=a>Pay {hidden}</button><button id=b>Send {hidden}</button>"
        "<button id=c>Send</button>"
    )
    for selector, same_as in {
        'role=button[name="Pay (opens in a new window)"]': "[id=a]",
        "role=button[name*=window] >> nth=0": "[id=a]",
        'role=button[name="Pay"]': "[id=a]",
        'role=button[name="Send (opens in a new window)"]': "[id=b]",
        'role=button[name="Send"]': "[id=c]",
    }.items():
        assert await ref_of(agent, selector) == await ref_of(agent, f"button{same_as}"), selector


async def test_secret_values_cannot_be_spelled_out(agent: PageAgent) -> None:
    await agent.page.set_content("<input type=radio value=red><input type=submit value=Go>")
    assert await ref_of(agent, "[value=red]")
    await agent.page.set_content("<input type=password value=hunter2><input value=x>")
    for selector in (
        "[value^=h]",
        "[VALUE ^= 'h']",
        r"[\76 alue^=h]",
        r"[v\61lue^=h]",
        "body:has([value*=unt])",
        "[*|value^=h] + input",
        "[/**/value/* */^=h]",
    ):
        with pytest.raises(InvalidArgument):
            await ref_of(agent, selector)
