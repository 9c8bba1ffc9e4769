"""What changed, for whom, and when."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import Tab


async def ask(tab: Tab, code: str, *arguments: Any) -> Any:
    """Run code in the agent's world with its modules at hand."""
    return await tab.page.main_frame.call(
        f"(...args) => {{ const {{ Observe, Dom }} = stockade.modules; return ({code})(...args); }}",
        *arguments,
    )


DIRTY = """(caller) => { const { all, roots } = Observe.dirty(caller);
  return [all, [...roots].map((node) => node.id || node.nodeName)]; }"""


async def test_each_caller_has_its_own_since(tab: Tab) -> None:
    await tab.show("<p id=a>a</p><p id=b>b</p>")
    assert (await ask(tab, DIRTY, "one"))[0] is True
    await ask(tab, "() => Observe.look('one')")
    await tab.main("() => { a.textContent = 'x'; }")
    await ask(tab, "() => Observe.look('two')")
    await tab.main("() => { b.className = 'y'; }")
    assert await ask(tab, DIRTY, "one") == [False, ["a", "b"]]
    assert await ask(tab, DIRTY, "two") == [False, ["b"]]
    await ask(tab, "() => Observe.look('one')")
    assert await ask(tab, DIRTY, "one") == [False, []]


async def test_values_checks_focus_and_popovers_count(tab: Tab) -> None:
    await tab.show("<input id=i><input type=checkbox id=c><div id=d popover>pop</div>")
    await ask(tab, "() => Observe.look('one')")
    await tab.main("() => { i.focus(); c.click(); d.showPopover(); }")
    await tab.main("() => new Promise((done) => setTimeout(done))")
    assert set((await ask(tab, DIRTY, "one"))[1]) >= {"i", "c", "d"}


async def test_a_new_style_sheet_makes_everything_new(tab: Tab) -> None:
    await tab.show("<style id=s></style><p>x</p>")
    await ask(tab, "() => Observe.look('one')")
    await tab.main("() => { s.textContent = 'p { display: none }'; }")
    assert (await ask(tab, DIRTY, "one"))[0] is True


async def test_more_changes_than_are_kept_make_everything_new(tab: Tab) -> None:
    await tab.show("<div id=y></div>")
    await ask(tab, "() => Observe.look('one')")
    await tab.main(
        "() => { for (let i = 0; i < 3000; i++) { const p = document.createElement('p');"
        " y.append(p); p.id = 'p' + i; } }"
    )
    assert (await ask(tab, DIRTY, "one"))[0] is True


async def test_removed_nodes_are_not_dirty_but_their_parent_is(tab: Tab) -> None:
    await tab.show("<div id=y><p id=p>x</p></div>")
    await ask(tab, "() => Observe.look('one')")
    await tab.main("() => { p.textContent = 'z'; p.remove(); }")
    assert await ask(tab, DIRTY, "one") == [False, ["y"]]


async def test_shadow_roots_are_watched_once_known(tab: Tab) -> None:
    await tab.show(
        "<div id=h></div><script>r = h.attachShadow({mode: 'open'}); r.innerHTML = '<p id=p>x</p>';"
        "</script>"
    )
    await ask(
        tab,
        "() => { Observe.watchRoot(document.getElementById('h').shadowRoot); Observe.look('one'); }",
    )
    await tab.main("() => { r.getElementById('p').textContent = 'y'; }")
    assert await ask(tab, DIRTY, "one") == [False, ["p"]]


async def test_restyling_is_told_from_other_changes(tab: Tab) -> None:
    await tab.show("<p id=a>a</p><p id=b>b</p>")
    await tab.main("() => { a.style.color = 'red'; b.append('more'); }")
    restyled, appended = await ask(
        tab,
        "() => ['a', 'b'].map((id) => Observe.lastRestyling(document.getElementById(id)) > 0)",
    )
    assert (restyled, appended) == (True, False)
    assert await ask(tab, "() => Observe.lastMutation(document.getElementById('b')) > 0") is True
