"""Hidden text is treated alike by every tool that reads a page: left out, or marked as hidden."""

from __future__ import annotations

import re
from typing import Any

from tests.page.agent.test_entries import HIDDEN
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
