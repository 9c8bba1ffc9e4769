"""Roles: explicit ones when valid, else what HTML gives."""

from __future__ import annotations

import pytest

from tests.page.agent.looking import each, evaluate
from tests.support.tabs import Tab

IMPLICIT = [
    ("<a id=t href=x>", "link"),
    ("<a id=t>", None),
    ("<article id=t>", "article"),
    ("<aside id=t>", "complementary"),
    ("<header id=t>", "banner"),
    ("<main><header id=t>", None),
    ("<footer id=t>", "contentinfo"),
    ("<article><div><footer id=t>", None),
    ("<div role=region aria-label=x><footer id=t>", None),
    ("<section role=none><footer id=t>", "contentinfo"),
    ("<section id=t>", None),
    ("<section id=t aria-label=x>", "region"),
    ("<form id=t>", None),
    ("<form id=t aria-labelledby=x>", "form"),
    ("<nav id=t>", "navigation"),
    ("<search id=t>", "search"),
    ("<dialog id=t open>", "dialog"),
    ("<menu id=t>", "list"),
    ("<fieldset id=t>", "group"),
    ("<details id=t>", "group"),
    ("<details><summary id=t>", None),
    ("<h4 id=t>", "heading"),
    ("<hr id=t>", "separator"),
    ("<output id=t>", "status"),
    ("<progress id=t>", "progressbar"),
    ("<meter id=t>", "meter"),
    ("<p id=t>", "paragraph"),
    ("<svg id=t>", "img"),
    ("<math id=t>", "math"),
    ("<iframe id=t role=button>", "iframe"),
    ("<img id=t>", "img"),
    ("<img id=t alt=''>", None),
    ("<img id=t alt='' title=x>", "img"),
    ("<img id=t alt='' aria-label=x>", "img"),
    ("<img id=t alt='' tabindex=0>", "img"),
    ("<ul><li id=t>", "listitem"),
    ("<ul role=none><li id=t>", None),
    ("<ul role=none aria-label=x><li id=t>", "listitem"),
    ("<ul role=tablist><li id=t>", "listitem"),
    ("<dl><dt id=t>", "term"),
    ("<select id=t>", "combobox"),
    ("<select id=t multiple>", "listbox"),
    ("<select id=t size=2>", "listbox"),
    ("<select id=t size=1>", "combobox"),
    ("<textarea id=t>", "textbox"),
    ("<div contenteditable id=t>", None),
    ("<constructor id=t>", None),
]
INPUTS = [
    ("<input id=t type=text>", "textbox"),
    ("<input id=t type=email>", "textbox"),
    ("<input id=t type=password>", "textbox"),
    ("<input id=t type=date>", "textbox"),
    ("<input id=t type=color>", "textbox"),
    ("<input id=t type=nonsense>", "textbox"),
    ("<input id=t type=search>", "searchbox"),
    ("<input id=t type=number>", "spinbutton"),
    ("<input id=t type=range>", "slider"),
    ("<input id=t type=checkbox>", "checkbox"),
    ("<input id=t type=radio>", "radio"),
    ("<input id=t type=submit>", "button"),
    ("<input id=t type=reset>", "button"),
    ("<input id=t type=button>", "button"),
    ("<input id=t type=image>", "button"),
    ("<input id=t type=file>", "button"),
    ("<input id=t type=hidden>", None),
]
TABLES = [
    ("<table><tr><td id=t>", "cell"),
    ("<table role=grid><tr><td id=t>", "gridcell"),
    ("<table role=treegrid><tbody><tr><td id=t>", "gridcell"),
    ("<table role=none><tr><td id=t>", None),
    ("<table role=presentation><tr id=t><td>", None),
    ("<table><tr><th id=t>", "columnheader"),
    ("<table><tr><th id=t><td>", "rowheader"),
    ("<table><tr><th id=t scope=col><td>", "columnheader"),
    ("<table><tr><th id=t scope=rowgroup>", "rowheader"),
    ("<table><caption id=t>", "caption"),
    ("<table><tbody id=t><tr>", "rowgroup"),
]
EXPLICIT = [
    ("<div id=t role=button>", "button"),
    ("<div id=t role='bogus link button'>", "link"),
    ("<a id=t href=x role=bogus>", "link"),
    ("<div id=t role=SWITCH>", "switch"),
    ("<a id=t href=x role=none>", "link"),
    ("<button id=t role=presentation>", "button"),
    ("<button id=t role=presentation disabled>", None),
    ("<h2 id=t role=none>", None),
    ("<h2 id=t role=none aria-live=polite>", "heading"),
    ("<p id=t role=none aria-label=x>", None),
    ("<h2 id=t role=none tabindex=-1>", "heading"),
    ("<div id=t role=generic>", None),
    ("<button id=t role=''>", "button"),
]


@pytest.mark.parametrize("cases", [IMPLICIT, INPUTS, TABLES, EXPLICIT])
async def test_roles(tab: Tab, cases: list[tuple[str, str | None]]) -> None:
    expected = dict(cases)
    assert await each(tab, expected, "Aria.role(el)") == expected


async def test_a_list_makes_a_combobox_only_if_it_exists(tab: Tab) -> None:
    await tab.show(
        "<datalist id=l></datalist><input list=l><input list=none><input type=number list=l>"
    )
    roles = await evaluate(tab, "return [...document.querySelectorAll('input')].map(Aria.role);")
    assert roles == ["combobox", "textbox", "spinbutton"]


async def test_roles_of_a_clobbered_form(tab: Tab) -> None:
    await tab.show(
        "<form id=t aria-label=F><input name=getAttribute><input name=localName>"
        "<input name=parentNode><input name=firstChild><input name=namespaceURI></form>"
    )
    found = await tab.agent.call(tab.page.main_frame, "aria_elements")
    assert found == [["textbox", ""]] * 5
    assert await evaluate(tab, "return Aria.role(document.getElementById('t'));") == "form"
