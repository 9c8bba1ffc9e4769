"""What a worker posts, told as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.page.scripts import script
from tests.support.logs import worker_at
from tests.support.site import Site


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("'text'", "text"),
        ("null", None),
        ("undefined", None),
        ("Infinity", "Infinity"),
        ("12n", "12"),
        ("[1, [2]]", [1, [2]]),
        ("new Set([1])", [1]),
        ("new Map([['a', {b: 1}]])", [["a", {"b": 1}]]),
        ("new Error('no')", "Error: no"),
        ("new Date(NaN)", None),
        ("new ArrayBuffer(5)", "[ArrayBuffer of 5 bytes]"),
        ("/x/", "[RegExp]"),
        ("(() => { const a = [1]; a.push(a); return a; })()", [1, "[circular]"]),
        ("'x'.repeat(5000)", None),
    ],
)
async def test_values(page: Page, site: Site, value: str, expected: Any) -> None:
    told: list[str] = []
    site.page("/w.js", "", content_type="text/javascript")
    await page.navigate(site.page("/home", "<title>Home</title>"))
    await page.context.add_worker_script(
        script("workers_messages"), lambda _, text: told.append(text)
    )
    await page.main_frame.call("() => { globalThis.w = new Worker('/w.js'); }", world=World.MAIN)
    worker = await worker_at(page.context, "/w.js")
    await worker.call(f"() => postMessage({value})")
    said = json.loads(told[0])
    if "5000" in value:
        assert said["text"] == '"' + "x" * 4095
    else:
        assert json.loads(said["data"]) == expected
