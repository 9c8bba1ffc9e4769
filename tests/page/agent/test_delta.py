"""What changed since this caller last looked, and nothing else."""

from __future__ import annotations

import pytest

from stockade.page.snapshot import Region
from tests.page.looks import Looks
from tests.support.tabs import Tab


async def test_nothing_changed_is_an_empty_text(shop: Looks) -> None:
    delta = await shop.delta()
    assert (delta.text, delta.changes, delta.tokens) == ("", 0, 0)
    assert delta.snapshot is None


async def test_the_first_look_is_a_snapshot(tab: Tab) -> None:
    looks = Looks(tab)
    await tab.show("<button>Go</button>")
    delta = await looks.delta()
    assert delta.text == '- button "Go" [e1]'
    assert delta.snapshot is not None
    assert await looks.changes() == ""


async def test_a_new_document_is_a_snapshot(shop: Looks) -> None:
    await shop.tab.show("<button>Other</button>", path="/other")
    delta = await shop.delta()
    assert '- button "Other"' in delta.text
    assert delta.snapshot is not None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("n.textContent = 4", ["~ text: Count: 4"]),
        ("n.firstChild.data = 5", ["~ text: Count: 5"]),
        ("count.textContent = 'Empty'", ["~ text: Empty"]),
        ("count.textContent = ''", ["- text: Count: 3"]),
        ("state.textContent = 'vm1 running'", ["~ row: vm1 running"]),
        ("go.textContent = 'Stop'", ['~ button "Stop" [e5]']),
        ("go.disabled = true", ['~ button "Start" [e5] [disabled]']),
        ("field.value = 'Bob'", ['~ textbox "Name" [e6]: Bob']),
        ("check.checked = true", ['~ checkbox "Agree" [e7] [checked]']),
        (
            "pick.value = 'M'",
            ['~ combobox "Size" [e8]: M', '~ option "S"', '~ option "M" [selected]'],
        ),
        ("field.focus()", ['~ textbox "Name" [e6] [focused]']),
        ("save.focus()", []),
        ("list.append(list.firstElementChild)", ['~ listitem: one, moved after "two"']),
        ("list.lastElementChild.remove()", ["- listitem: two"]),
        ("hid.style.display = 'block'", ["+ text: was hidden"]),
        ("toggle.className = 'open'", ['+ link "Entry" [e10]']),
        ("save.setAttribute('data-x', 1)", []),
        ("count.innerHTML = count.innerHTML", []),
    ],
)
async def test_one_change_is_one_line(shop: Looks, change: str, expected: list[str]) -> None:
    text = await shop.changes(change)
    lines = [line.strip() for line in text.splitlines() if not line.startswith("in ")]
    assert lines == expected
    assert await shop.changes() == ""


async def test_new_rows_are_nested_and_told_where(shop: Looks) -> None:
    text = await shop.changes(
        "list.insertAdjacentHTML('beforeend', '<li>three <button>x</button>')"
    )
    assert text.splitlines() == [
        'in main "Shop" [e1]:',
        "  + listitem: three",
        '    + button "x" [e10]',
    ]


async def test_what_was_put_in_again_tells_its_new_ref(shop: Looks) -> None:
    text = await shop.changes("save.outerHTML = '<button id=save>Save</button>'")
    assert '~ button "Save" [e10], was e9' in text


async def test_regions_that_come_and_go(shop: Looks) -> None:
    delta = await shop.delta(
        "box.innerHTML = '<div role=dialog aria-label=Sure><p>Really?</p>'"
        " + '<button>Yes</button></div>'"
    )
    assert delta.appeared == (Region("dialog", "Sure", "e10"),)
    assert [line.strip() for line in delta.text.splitlines()[1:]] == [
        '+ dialog "Sure" [e10]',
        "+ text: Really?",
        '+ button "Yes" [e11]',
    ]
    gone = await shop.delta("box.innerHTML = ''")
    assert gone.removed == (Region("dialog", "Sure", "e10"),)
    assert gone.text.splitlines() == ['in main "Shop" [e1]:', '  - dialog "Sure" [e10]']


async def test_hidden_again_is_removed(shop: Looks) -> None:
    await shop.changes("hid.style.display = 'block'")
    assert "- text: was hidden" in await shop.changes("hid.style.display = 'none'")
    await shop.changes("toggle.className = 'open'")
    assert '- link "Entry" [e10]' in await shop.changes("toggle.className = ''")


async def test_an_overflow_of_changes_is_compared_as_a_whole(shop: Looks) -> None:
    text = await shop.changes(
        "for (let i = 0; i < 300; i++) { const p = document.createElement('p'); box.append(p);"
        " p.className = 'c' } n.textContent = 9"
    )
    assert "Count: 9" in text
    assert await shop.changes("document.head.append(document.createElement('style'))") == ""


async def test_closed_roots_and_shadow_roots_tell_their_changes(tab: Tab) -> None:
    looks = Looks(tab)
    await looks.see(
        "<div id=o></div><x-y></x-y><script>"
        "o.attachShadow({mode:'open'}).innerHTML='<p id=a>open</p>';"
        "customElements.define('x-y', class extends HTMLElement { constructor() { super();"
        "globalThis.root = this.attachShadow({mode:'closed'}); root.innerHTML='<p>closed</p>' } });"
        "</script>"
    )
    assert await looks.changes("o.shadowRoot.firstChild.textContent = 'opened'") == "~ text: opened"
    assert await looks.changes("root.firstChild.textContent = 'shut'") == "~ text: shut"


@pytest.mark.parametrize(
    ("style", "markup", "expected"),
    [
        ("#t{display:none} b:hover + #t{display:block}", "<div id=t>Tip</div>", "+ text: Tip"),
        (
            "#t{visibility:hidden} b:hover + #t{visibility:visible}",
            "<i id=t>Tip</i>",
            "+ text: Tip",
        ),
        ("#t{opacity:0} b:hover + #t{opacity:1}", "<div id=t>Tip</div>", "+ text: Tip"),
        (
            "#t{visibility:hidden} b:hover + #t{visibility:visible}",
            "<button id=t>Tip</button>",
            '+ button "Tip" [e2]',
        ),
        (
            "#t{display:none} b:hover + #t{display:block}",
            "<div id=t role=tooltip>Tip</div>",
            '+ tooltip "Tip"',
        ),
    ],
)
async def test_what_a_style_alone_brings_to_light_is_told(
    tab: Tab, style: str, markup: str, expected: str
) -> None:
    await tab.show(f"<style>{style}</style><b tabindex=0>Point here</b>{markup}")
    looks = Looks(tab)
    await looks.see()
    await tab.actions.hover(await tab.ref("b"), caller="test")
    assert (await looks.delta()).text.splitlines() == [expected]


async def test_a_change_beyond_the_budget_of_the_last_look_is_told(tab: Tab) -> None:
    """Also where a new style sheet makes the whole page one to be compared."""
    looks = Looks(tab)
    filler = "".join(f"<p>Paragraph {number} of a long page</p>" for number in range(60))
    await looks.see(f"{filler}<div role=log aria-label=Cells id=cells></div>", budget=120)
    text = await looks.changes(
        "document.head.append(document.createElement('style'));"
        "cells.innerHTML = '<pre>forty-two</pre>'; cells.scrollIntoView()"
    )
    assert "forty-two" in text
    assert "Paragraph" not in text


@pytest.mark.parametrize("budget", [120, 3000])
async def test_a_popup_is_told_whenever_it_opens(tab: Tab, budget: int) -> None:
    """Also one that waits beyond the budget of the last look."""
    looks = Looks(tab)
    filler = "".join(f"<p>Paragraph {number} of a long page</p>" for number in range(60))
    first = await looks.see(
        f"{filler}<div id=p hidden><div><button>Inside</button><p>Further</p></div></div>\n",
        budget=budget,
    )
    assert first.truncated == (budget < 1000)
    opened = await looks.changes("p.hidden = false")
    assert [line.split(" [")[0] for line in opened.splitlines()] == [
        '+ button "Inside"',
        "+ text: Further",
    ]
    assert '- button "Inside"' in await looks.changes("p.hidden = true")
    assert await looks.changes("p.hidden = false") == opened


async def test_what_asks_for_an_answer_and_fields_come_first(tab: Tab) -> None:
    looks = Looks(tab)
    await looks.see("<div id=box></div><input id=field aria-label=Name><div id=end></div>")
    delta = await looks.delta(
        "box.innerHTML = '<p>A line of a long text</p>'.repeat(200); field.value = 'Ada';"
        "end.innerHTML = '<div role=dialog aria-label=Sure><button>Yes</button></div>'",
        budget=60,
    )
    told = [line.strip().split(" [")[0] for line in delta.text.splitlines()]
    assert {'~ textbox "Name"', '+ dialog "Sure"', '+ button "Yes"'} <= set(told)
    assert delta.truncated


async def test_controls_that_are_gone_together_take_one_line(tab: Tab) -> None:
    looks = Looks(tab)
    days = "".join(f"<button>{day}</button>" for day in range(1, 9))
    await looks.see(f"<div id=p><p>March</p>{days}</div><div id=q role=dialog>{days}</div>")
    assert (await looks.changes("p.remove(); q.remove()")).splitlines() == [
        "- text: March",
        "- dialog [e9]",
        "- 8 elements gone: e1-e8",
    ]
