"""Typing: after what a field holds, where the focus is, and into inputs that are not to be seen."""

from __future__ import annotations

import pytest

from stockade.errors import NotActionable
from tests.support.tabs import CALLER, Tab


@pytest.mark.parametrize(
    ("html", "typed", "held"),
    [
        ("<input id=f value=alpha>", "77", "alpha77"),
        ("<input id=f type=search value=alpha>", "77", "alpha77"),
        ("<input id=f type=url value=http://a>", "b", "http://ab"),
        ("<input id=f type=tel value=12>", "34", "1234"),
        ("<input id=f type=password value=se>", "cret", "secret"),
        ("<input id=f type=number value=12>", "34", "1234"),
        ("<input id=f type=email value=ann@>", "example.org", "ann@example.org"),
        ("<textarea id=f>one\ntwo</textarea>", "!", "one\ntwo!"),
        ("<div id=f contenteditable>one <b>two</b></div>", "!", "one two!"),
        ("<div id=f contenteditable><p>one</p><p>two</p></div>", "!", "one\n\ntwo!"),
        ("<div contenteditable><p id=f tabindex=0>one</p><p>two</p></div>", "!", "one!"),
    ],
)
@pytest.mark.parametrize("focused", [False, True])
async def test_text_goes_after_what_the_field_holds(
    either_tab: Tab, html: str, typed: str, held: str, focused: bool
) -> None:
    tab = either_tab
    await tab.show(html)
    if focused:
        await tab.main(
            "() => { f.focus(); f.setSelectionRange?.call && f.type !== 'number' &&"
            " f.type !== 'email' && f.setSelectionRange(0, 0); }"
        )
    await tab.actions.type(await tab.ref("#f"), typed, caller=CALLER)
    assert await tab.main("() => (f.value ?? f.innerText).trim()") == held


async def test_a_key_leaves_the_caret_where_it_is(tab: Tab) -> None:
    await tab.show("<input id=f value=alpha>")
    await tab.main("() => { f.focus(); f.setSelectionRange(2, 2); }")
    await tab.actions.press("x", ref=await tab.ref("#f"), caller=CALLER)
    assert await tab.main("() => f.value") == "alxpha"


async def test_text_goes_where_the_focus_is(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show("<input id=a autofocus><input id=b>")
    await tab.main("() => b.focus()")
    await tab.actions.type(None, "here", caller=CALLER)
    assert await tab.main("() => b.value") == "here"


@pytest.mark.parametrize("target", [True, False])
async def test_enter_after_the_text(tab: Tab, target: bool) -> None:
    await tab.show(
        "<form onsubmit='event.preventDefault(); out.textContent = f.value'><input id=f></form><p id=out>"
    )
    await tab.main("() => f.focus()")
    ref = await tab.ref("#f") if target else None
    await tab.actions.type(ref, "go", submit=True, caller=CALLER)
    assert await tab.main("() => out.textContent") == "go"
    await tab.actions.type(ref, "", submit=True, caller=CALLER)


async def test_enter_goes_where_the_text_led(tab: Tab) -> None:
    await tab.show(
        "<input id=a maxlength=1 oninput='b.focus()'><input id=b maxlength=1"
        " onkeydown=\"if (event.key === 'Enter') out.textContent = a.value + b.value\"><p id=out>"
    )
    await tab.actions.type(await tab.ref("#a"), "12", submit=True, caller=CALLER)
    assert await tab.main("() => out.textContent") == "12"


@pytest.mark.parametrize(
    "style",
    [
        "position:absolute;width:0;height:0;padding:0;border:0",
        "position:absolute;left:-9999em;top:0;width:0;height:0;opacity:0;z-index:-5",
        "position:fixed;top:-100px;width:1px;height:1px",
        "clip-path:inset(50%);position:absolute;width:1px;height:1px",
    ],
)
async def test_inputs_of_editors_that_are_not_to_be_seen_take_keys(
    either_tab: Tab, style: str
) -> None:
    tab = either_tab
    await tab.show(
        "<div style='height:200px;overflow:hidden;position:relative'>"
        f"<textarea id=f aria-label=Editor style='{style}'"
        " oninput='line.textContent += this.value; this.value = ``'></textarea><p id=line></p></div>"
    )
    ref = await tab.ref("#f")
    await tab.actions.type(ref, "let x", caller=CALLER)
    await tab.actions.press("y", ref=ref, caller=CALLER)
    assert await tab.main("() => line.textContent") == "let xy"


@pytest.mark.parametrize("style", ["width:1px;height:1px;border:0;padding:0", "color:transparent"])
async def test_an_editor_keeps_its_own_cursor(tab: Tab, style: str) -> None:
    await tab.show(f"<textarea id=f aria-label=Editor style='{style}'>one</textarea>")
    await tab.main("() => f.setSelectionRange(0, 0)")
    await tab.actions.type(await tab.ref("#f"), "x", caller=CALLER)
    assert await tab.main("() => f.value") == "xone"


@pytest.mark.parametrize("hidden", ["style='display:none'", "style='visibility:hidden'", "hidden"])
async def test_what_is_hidden_takes_no_keys(tab: Tab, hidden: str) -> None:
    await tab.show(f"<input id=f aria-label=Name {hidden}>")
    with pytest.raises(NotActionable) as caught:
        await tab.actions.type(await tab.ref("#f"), "x", caller=CALLER, timeout=1)
    assert caught.value.details["reason"] == "hidden"


async def test_an_editor_that_is_clicked_takes_what_is_typed_then(either_tab: Tab) -> None:
    tab = either_tab
    await tab.show(
        "<div id=box role=group aria-label=Code style='height:100px' onmousedown="
        "'event.preventDefault(); f.focus()'><textarea id=f style='position:absolute;width:0;height:0'>"
        "</textarea><p>1</p></div>"
    )
    await tab.actions.click(await tab.ref("#box"), caller=CALLER)
    await tab.actions.type(None, "code", caller=CALLER)
    assert await tab.main("() => f.value") == "code"
