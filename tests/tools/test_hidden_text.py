"""Hidden text is treated alike by every tool that reads a page: left out, or marked as hidden."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.page.agent.test_entries import HIDDEN
from tests.page.agent.test_names import HIDING
from tests.support.callers import Caller

PAGE = """<!doctype html><title>t</title><main><h1>Prices</h1>
<table><tr><th>Name</th><th>Price</th></tr><tr><td>Assam</td><td>4.20 {inline}</td></tr></table>
<ul><li>one {inline}</li><li>two</li></ul><dl><dt>Colour</dt><dd>red {inline}</dd></dl>
<div role=note>noted {inline}</div>
{block}</main>"""
TEXTS = {"type": "array", "items": {"type": "string"}}
SCHEMA = {
    "type": "object",
    "properties": {
        "cells": {**TEXTS, "x-source": {"selector": "td"}},
        "items": {**TEXTS, "x-source": {"selector": "li"}},
        "colour": {"type": "string", "x-source": {"selector": "dd"}},
        "note": {"type": "string", "x-source": {"selector": "[role=note]"}},
        "all": {"type": "string", "x-source": {"selector": "main"}},
    },
}
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("snapshot", {}),
    ("page_text", {}),
    ("read_dom", {}),
    ("extract", {"schema": SCHEMA}),
    ("text_search", {"text": "hush"}),
    ("find", {"query": "hush"}),
    ("find", {"query": "Assam"}),
    ("find", {"query": "noted"}),
]
WAYS = [
    "display", "opacity", "tiny", "far left", "little opacity", "little opacity of a word",
    "opacities multiplied", "filter", "filter of a word", "mask", "mask around", "below its block",
    "far right", "empty polygon", "inset from below", "clip of a word", "back", "back of a card",
    "fallback of a canvas", "paragraph in a canvas", "fallback of a video", "fallback of a meter",
    "fallback of an object", "white on white",
]  # fmt: skip


async def test_no_tool_gives_it_as_if_it_were_seen(caller: Caller) -> None:
    blocks, inlines = [], []
    for number, way in enumerate(WAYS):
        hidden = HIDDEN[way].format(f"hush SECRET{number:02}")
        blocks.append(f"<section>{hidden}</section>")
        if hidden.startswith("<p style") and hidden.count("<") == 2 and "transform" not in hidden:
            inlines.append(hidden.replace("<p ", "<span ").replace("</p>", "</span>"))
    await caller.show(PAGE.format(inline=" ".join(inlines), block="".join(blocks)))
    told: dict[str, list[str]] = {}
    for tool, arguments in CALLS:
        reply = await caller.reply(tool, **arguments)
        assert reply.error is None, reply.text
        found = {WAYS[int(each)] for each in re.findall(r"SECRET(\d\d)", reply.text)}
        if found:
            told[f"{tool} {arguments}"[:60]] = sorted(found)
    assert told == {}


NAMED = """<!doctype html><title>t</title><main><h1>Shop {hidden}</h1>
<button id=b>Pay {hidden}</button><a id=a href=/x>Next {hidden}</a>
<label for=f>Amount {hidden}</label><input id=f><label><input type=checkbox> Agree {hidden}</label>
<div role=tablist aria-label=Views><div role=tab tabindex=0>Map {hidden}</div></div>
<ul role=listbox aria-label=Sizes><li role=option aria-selected=true>Small {hidden}<li role=option>Large</ul>
<details><summary>More {hidden}</summary>x</details>
<fieldset><legend>Ways {hidden}</legend><input aria-label=Way></fieldset>
<table><caption>Prices {hidden}</caption><tr><th>Name {hidden}<th>Price<tr><td><a href=/z>Assam {hidden}</a><td>4.20
</table><section><h2>Teas {hidden}</h2><button>Buy {hidden}</button></section></main>"""
MARKED = re.compile(r'\[hidden: (?:\\*"(?:(?!\\*"\]).)*\\*"|[a-z]+)\]')
"""What marks the hidden words of a name, also where it is quoted."""
NAMED_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("snapshot", {}),
    ("snapshot", {"mode": "interactive"}),
    ("page_text", {}),
    ("read_dom", {}),
    ("inspect", {"selector": "#b"}),
    ("inspect", {"selector": "#f"}),
    ("inspect", {"selector": "h2"}),
    ("generate_locator", {"selector": "section button"}),
    ("generate_locator", {"selector": "h2"}),
    ("generate_locator", {"selector": "#f"}),
    ("point_probe", {"coords": {"x": 30, "y": 90}}),
    ("find", {"query": "Pay"}),
    ("find", {"query": "Buy button of Teas"}),
    ("find", {"query": "Assam"}),
    ("find", {"query": "hush"}),
    ("text_search", {"text": "Pay"}),
    ("text_search", {"text": "hush"}),
    ("text_search", {"text": "Assam"}),
    ("accessibility_audit", {}),
    ("click", {"selector": "role=button"}),
    ("click", {"selector": 'role=button[name="Pay"]'}),
    ("hover", {"selector": 'role=option[name="Small"]'}),
    ("fill", {"selector": "label=Amount", "value": "5"}),
    ("extract", {"schema": {
        "type": "object", "properties": {
            "amount": {"type": "string"}, "prices": {"type": "array", "items": {
                "type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "string"}}}},
        },
    }}),
]  # fmt: skip


@pytest.mark.parametrize(
    "way", ["little opacity", "for screen readers", "indent", "colour of the ground"]
)
async def test_no_tool_gives_a_name_as_if_all_of_it_were_seen(caller: Caller, way: str) -> None:
    hush = f'<span style="{HIDING[way]}">hush SECRET</span>'
    await caller.show(NAMED.format(hidden=hush))
    told: dict[str, str] = {}
    for tool, arguments in NAMED_CALLS:
        reply = await caller.reply(tool, **arguments)
        assert reply.error is None or reply.error.code == "ambiguous", reply.text
        left = MARKED.sub("", reply.text)
        if "SECRET" in left:
            told[f"{tool} {arguments}"[:60]] = left
    assert told == {}
