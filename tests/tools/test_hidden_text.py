"""Hidden text is treated alike by every tool that reads a page: left out, or marked as hidden."""

from __future__ import annotations

from typing import Any

import pytest

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


@pytest.mark.parametrize("way", WAYS)
async def test_no_tool_gives_it_as_if_it_were_seen(caller: Caller, way: str) -> None:
    hidden = HIDDEN[way].format("hush SECRET")
    style = hidden.startswith("<p style") and hidden.count("<") == 2 and "transform" not in hidden
    inline = hidden.replace("<p ", "<span ").replace("</p>", "</span>") if style else ""
    await caller.show(PAGE.format(inline=inline, block=f"<section>{hidden}</section>"))
    told = {}
    for tool, arguments in CALLS:
        reply = await caller.reply(tool, **arguments)
        if "SECRET" in reply.text:
            told[f"{tool} {arguments}"[:60]] = reply.text[:600]
    assert told == {}
