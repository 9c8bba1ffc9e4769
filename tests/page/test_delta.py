"""Deltas: what changed since this caller last looked, and nothing else."""

from __future__ import annotations

import pytest

from stockade.page.snapshot import Region
from tests.page.looks import Looks, tokens
from tests.support.tabs import Tab

PAGE = """
<main aria-label=Shop><h1>Cart</h1><p id=count>Count: <b id=n>3</b></p>
<ul id=list><li>one <button>x</button><li>two <button>x</button></ul>
<table><tr id=row><td id=state>vm1 stopped<td><button id=go>Start</button></table>
<input id=field aria-label=Name><input type=checkbox id=check aria-label=Agree>
<select id=pick aria-label=Size><option>S<option>M</select>
<div id=box></div><div id=hid style=display:none><p>was hidden</p></div>
<style>#menu { display: none } .open + #menu { display: block }</style>
<div id=toggle></div><div id=menu><a href=x>Entry</a></div><button id=save>Save</button></main>
"""


@pytest.fixture
async def looks(tab: Tab) -> Looks:
    looks = Looks(tab)
    await looks.see(PAGE)
    return looks


async def test_nothing_changed_is_an_empty_text(looks: Looks) -> None:
    delta = await looks.delta()
    assert (delta.text, delta.changes, delta.tokens) == ("", 0, 0)
    assert delta.snapshot is None


async def test_the_first_look_is_a_snapshot(tab: Tab) -> None:
    looks = Looks(tab)
    await tab.show("<button>Go</button>")
    delta = await looks.delta()
    assert delta.text == '- button "Go" [e1]'
    assert delta.snapshot is not None
    assert await looks.changes() == ""


async def test_a_new_document_is_a_snapshot(looks: Looks) -> None:
    await looks.tab.show("<button>Other</button>", path="/other")
    delta = await looks.delta()
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
        ("list.append(list.firstElementChild)", []),
        ("list.lastElementChild.remove()", ["- listitem: two"]),
        ("hid.style.display = 'block'", ["+ text: was hidden"]),
        ("toggle.className = 'open'", ['+ link "Entry" [e10]']),
        ("save.setAttribute('data-x', 1)", []),
        ("count.innerHTML = count.innerHTML", []),
    ],
)
async def test_one_change_is_one_line(looks: Looks, change: str, expected: list[str]) -> None:
    text = await looks.changes(change)
    lines = [line.strip() for line in text.splitlines() if not line.startswith("in ")]
    assert lines == expected
    assert await looks.changes() == ""


async def test_new_rows_are_nested_and_told_where(looks: Looks) -> None:
    text = await looks.changes(
        "list.insertAdjacentHTML('beforeend', '<li>three <button>x</button>')"
    )
    assert text.splitlines() == [
        'in main "Shop" [e1]:',
        "  + listitem: three",
        '    + button "x" [e10]',
    ]


async def test_what_was_put_in_again_tells_its_new_ref(looks: Looks) -> None:
    text = await looks.changes("save.outerHTML = '<button id=save>Save</button>'")
    assert '~ button "Save" [e10], was e9' in text


async def test_regions_that_come_and_go(looks: Looks) -> None:
    delta = await looks.delta(
        "box.innerHTML = '<div role=dialog aria-label=Sure><p>Really?</p>'"
        " + '<button>Yes</button></div>'"
    )
    assert delta.appeared == (Region("dialog", "Sure", "e10"),)
    assert [line.strip() for line in delta.text.splitlines()[1:]] == [
        '+ dialog "Sure" [e10]',
        "+ text: Really?",
        '+ button "Yes" [e11]',
    ]
    gone = await looks.delta("box.innerHTML = ''")
    assert gone.removed == (Region("dialog", "Sure", "e10"),)
    assert gone.text.splitlines() == ['in main "Shop" [e1]:', '  - dialog "Sure" [e10]']


async def test_hidden_again_is_removed(looks: Looks) -> None:
    await looks.changes("hid.style.display = 'block'")
    assert "- text: was hidden" in await looks.changes("hid.style.display = 'none'")
    await looks.changes("toggle.className = 'open'")
    assert '- link "Entry" [e10]' in await looks.changes("toggle.className = ''")


async def test_each_caller_has_a_delta_of_its_own(looks: Looks) -> None:
    other = Looks(looks.tab, "other")
    await other.see()
    assert "Count: 4" in await looks.changes("n.textContent = 4")
    assert "Count: 5" in await looks.changes("n.textContent = 5")
    assert "Count: 5" in await other.changes()
    assert await other.changes() == ""


async def test_what_the_budget_hid_has_not_appeared(tab: Tab) -> None:
    looks = Looks(tab)
    rows = "".join(f"<p>Paragraph {n} of a long page.</p>" for n in range(300))
    seen = await looks.see(f"<div id=all>{rows}</div>", budget=200)
    assert seen.truncated
    text = await looks.changes("all.insertAdjacentHTML('beforeend', '<p>Really new</p>')")
    assert text == "+ text: Really new"
    assert await looks.changes("all.className = 'other'") == ""
    far = await looks.changes("all.children[200].textContent = 'Far but changed'")
    assert far == "~ text: Far but changed"


async def test_an_overflow_of_changes_is_compared_as_a_whole(looks: Looks) -> None:
    text = await looks.changes(
        "for (let i = 0; i < 300; i++) { const p = document.createElement('p'); box.append(p);"
        " p.className = 'c' } n.textContent = 9"
    )
    assert "Count: 9" in text
    assert await looks.changes("document.head.append(document.createElement('style'))") == ""


async def test_a_delta_has_a_budget_and_can_be_continued(looks: Looks) -> None:
    delta = await looks.delta(
        "list.innerHTML = Array.from({length: 80},"
        " (_, i) => `<li>row ${i} <button>x</button>`).join('')",
        budget=200,
    )
    assert delta.truncated
    assert tokens(delta.text) <= 200
    assert delta.continuation is not None
    more = await looks.see(continuation=delta.continuation, budget=5000)
    assert "+ listitem: row 79" in more.text


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


async def test_a_scoped_look_keeps_the_rest_of_the_delta(looks: Looks) -> None:
    await looks.tab.main("() => { n.textContent = 7; state.textContent = 'vm1 gone' }")
    assert "vm1 gone" in await looks.text(scope="e4")
    text = await looks.changes()
    assert "Count: 7" in text
    assert "vm1 gone" not in text
