"""States and values, each only where it applies."""

from __future__ import annotations

from typing import Any

from tests.page.agent.looking import each, evaluate
from tests.support.tabs import Tab

STATES: list[tuple[str, dict[str, Any]]] = [
    ("<button id=t>", {}),
    ("<button id=t disabled>", {"disabled": True}),
    ("<fieldset disabled><button id=t>", {"disabled": True}),
    ("<fieldset disabled><legend><button id=t>", {}),
    ("<div aria-disabled=true><div id=t role=button>", {"disabled": True}),
    ("<div aria-disabled=true><p id=t>", {}),
    ("<input id=t type=checkbox checked>", {"checked": True}),
    ("<input id=t type=checkbox aria-checked=true>", {}),
    ("<div id=t role=checkbox aria-checked=mixed>", {"checked": "mixed"}),
    ("<div id=t role=switch aria-checked=mixed>", {}),
    ("<div id=t role=link aria-checked=true>", {}),
    ("<button id=t aria-pressed=true>", {"pressed": True}),
    ("<button id=t aria-pressed=mixed>", {"pressed": "mixed"}),
    ("<button id=t aria-expanded=false>", {"expanded": False}),
    ("<button id=t aria-expanded=true aria-haspopup=true>", {"expanded": True, "haspopup": "menu"}),
    ("<details><summary id=t>x", {"expanded": False}),
    ("<details open><summary id=t>x", {"expanded": True}),
    ("<h3 id=t>", {"level": 3}),
    ("<h3 id=t aria-level=7>", {"level": 7}),
    ("<div id=t role=tab aria-selected=true>", {"selected": True}),
    ("<select><option>a<option id=t selected>b</select>", {"selected": True}),
    ("<input id=t required>", {"required": True}),
    ("<input id=t aria-required=true readonly>", {"required": True, "readonly": True}),
    ("<input id=t aria-invalid=grammar>", {"invalid": True}),
    ("<input id=t aria-invalid=false>", {}),
    ("<a id=t href=x aria-current=page>", {"current": "page"}),
    ("<a id=t href=x aria-current=true>", {"current": True}),
    ("<a id=t href=x aria-current=false>", {}),
    ("<div id=t role=dialog aria-modal=true>", {"modal": True}),
    ("<div id=t role=list aria-busy=true>", {"busy": True}),
]
VALUES = [
    ("<input id=t value=' some  text '>", "some text"),
    ("<input id=t>", None),
    ("<textarea id=t>lines\nof text</textarea>", "lines of text"),
    ("<input id=t type=range value=3 max=9>", "3"),
    ("<input id=t type=checkbox value=on>", None),
    ("<input id=t type=date value=2020-02-03>", "2020-02-03"),
    ("<select id=t><option>a<option selected>b</select>", "b"),
    ("<div id=t role=slider aria-valuenow=4 aria-valuetext=four>", "four"),
    ("<progress id=t value=3 max=4>", "3"),
    ("<input id=t type=password value=secret>", None),
    ("<input id=t style='-webkit-text-security: disc' value=secret>", None),
    (
        "<div id=t role=combobox aria-controls=l></div><p id=l><b role=option aria-selected=true>x",
        "x",
    ),
]


async def test_states(tab: Tab) -> None:
    expected = dict(STATES)
    assert await each(tab, expected, "Aria.states(el, Aria.role(el))") == expected


async def test_properties_count_not_attributes(tab: Tab) -> None:
    await tab.show("<input id=t type=checkbox checked><script>t.indeterminate = true</script>")
    assert await evaluate(tab, "return Aria.states(document.getElementById('t'), 'checkbox');") == {
        "checked": "mixed"
    }


async def test_the_focused_element_is_active_through_shadow_roots(tab: Tab) -> None:
    await tab.show(
        "<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<input id=i>';"
        "h.shadowRoot.getElementById('i').focus()</script>"
    )
    inner = "document.getElementById('h').shadowRoot.getElementById('i')"
    assert await evaluate(tab, f"return Aria.states({inner}, 'textbox');") == {"active": True}


async def test_values(tab: Tab) -> None:
    expected = dict(VALUES)
    assert await each(tab, expected, "Aria.value(el, Aria.role(el)) ?? null") == expected


async def test_what_was_a_password_stays_unread(tab: Tab) -> None:
    await tab.show("<label>PIN <input id=t type=password value=secret></label>")
    read = (
        "const el = document.getElementById('t');"
        "return [Aria.value(el, 'textbox') ?? null, Dom.value(el), Aria.name(el)];"
    )
    await tab.agent.call(tab.page.main_frame, "aria_elements")
    await tab.main("() => { t.type = 'text'; }")
    assert await evaluate(tab, read) == [None, "", "PIN"]


async def test_a_password_does_not_leak_through_a_name(tab: Tab) -> None:
    await tab.show("<a href=x>go <input type=password value=secret></a>")
    assert await tab.agent.call(tab.page.main_frame, "aria_elements") == [
        ["link", "go"],
        ["textbox", ""],
    ]


async def test_descriptions(tab: Tab) -> None:
    await tab.show(
        "<p id=d hidden>More <b>words</b></p><input id=a aria-describedby=d title=x>"
        "<input id=b aria-description='Said here'><input id=c aria-label=n title=Tip>"
        "<input id=e title=Name>"
    )
    said = await evaluate(
        tab,
        "return ['a', 'b', 'c', 'e'].map((id) => Aria.description(document.getElementById(id)));",
    )
    assert said == ["More words", "Said here", "Tip", ""]
