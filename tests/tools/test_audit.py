"""An audit of a page as it should not be."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.asking import page_says, session_of
from tests.support.callers import Caller

CATEGORIES = [
    "render-blocking",
    "unused-code",
    "oversize-images",
    "layout-thrashing",
    "long-tasks",
    "leak-suspects",
    "cache-opportunities",
    "font-loading",
]
SLOW = """<!doctype html><link rel=stylesheet href=/all.css><script src=/all.js></script>
<style>@font-face { font-family: Fancy; src: url(/fancy.woff2); font-display: block }
h1 { font-family: Fancy }</style>
<h1>Everything</h1><p id=bar>bar</p><img src=/large.svg width=10 height=10>
<script>
const end = performance.now() + 120;
while (performance.now() < end);
setInterval(() => {
  for (let i = 0; i < 10; i += 1) { bar.style.width = (50 + i) + 'px'; window.wide = bar.offsetWidth; }
}, 100);
window.kept = [];
setInterval(() => {
  for (let i = 0; i < 300; i += 1) { const div = document.createElement('div'); div.onclick = () => i; kept.push(div); }
}, 50);
</script>"""


def put_slow_page(caller: Caller) -> str:
    site = caller.site
    waste = "\n".join(
        f"function unused{n}() {{ return 'nobody wants number {n}' }}" for n in range(200)
    )
    rules = "\n".join(f".unused{n} {{ color: #123 }}" for n in range(200))
    picture = "<svg xmlns='http://www.w3.org/2000/svg' width='2000' height='2000'><!--%s--></svg>"
    site.page("/all.js", waste, content_type="text/javascript")
    site.page("/all.css", rules, content_type="text/css")
    site.page("/large.svg", picture % ("x" * 600_000), content_type="image/svg+xml")
    site.page("/fancy.woff2", b"no font", content_type="font/woff2")
    return site.page("/slow", SLOW)


def file_of(caller: Caller, name: str) -> Path:
    return caller.kernel.artifacts.named(session_of(caller), name).path


def titles(told: dict[str, Any], category: str) -> str:
    return json.dumps([each["title"] for each in told["byCategory"][category]["issues"]])


async def test_a_page_that_was_loaded_before_is_found_out(caller: Caller) -> None:
    await caller.ok("navigate", url=put_slow_page(caller))
    told = await caller.ok("perf_audit", durationMs=800, format="full")
    assert told["categoriesRun"] == CATEGORIES
    site = caller.site
    assert site.url("/all.css") in titles(told, "render-blocking")
    assert site.url("/all.js") in titles(told, "unused-code")
    assert site.url("/all.css") in titles(told, "unused-code")
    assert site.url("/large.svg") in titles(told, "oversize-images")
    assert f"@{site.url('/slow')}" in titles(told, "layout-thrashing")
    assert "busy for 1" in titles(told, "long-tasks")
    assert "event listeners" in titles(told, "leak-suspects")
    assert site.url("/large.svg") in titles(told, "cache-opportunities")
    assert "Fancy" in titles(told, "font-loading")
    assert 0 <= told["summary"]["score"] < 60
    assert told["summary"]["topIssues"][0]["severity"] == "high"
    for category in CATEGORIES:
        assert told["byCategory"][category]["remediations"]
    assert json.loads(file_of(caller, told["evidence"]["tracePath"]).read_bytes())["traceEvents"]
    counted = json.loads(file_of(caller, told["evidence"]["coveragePath"]).read_bytes())
    assert counted["jsCoverage"]
    assert len(site.asked("/slow")) == 1


async def test_a_good_page_scores_100(caller: Caller) -> None:
    await caller.show("<!doctype html><h1>Simple</h1><p>text</p>")
    told = await caller.ok("perf_audit", durationMs=100)
    assert told["summary"] == {"score": 100, "topIssues": [], "issueCount": 0}
    assert told["warnings"] == []


async def test_a_summary_is_short(caller: Caller) -> None:
    await caller.ok("navigate", url=put_slow_page(caller))
    reply = await caller.reply("perf_audit", durationMs=300)
    assert reply.ok
    assert len(reply.text) < 8500
    assert reply.data is not None
    assert all(len(each["issues"]) <= 3 for each in reply.data["byCategory"].values())


async def test_only_what_was_asked_for_is_looked_at(caller: Caller) -> None:
    await caller.ok("navigate", url=put_slow_page(caller))
    told = await caller.ok("perf_audit", durationMs=100, categories=["cache-opportunities"])
    assert told["categoriesRun"] == list(told["byCategory"]) == ["cache-opportunities"]
    assert "coveragePath" not in told["evidence"]


async def test_others_work_in_the_tab_meanwhile(caller: Caller) -> None:
    await caller.show("<button onclick=\"this.textContent = 'Done'\">Do</button>")
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(caller.ok("perf_audit", durationMs=1000))
        clicked = await caller.ok("click", selector="role=button")
        assert not watching.done()
    assert "Done" in clicked["snapshotDelta"]["tree"]
    await caller.show("<script>debugger; window.past = 1</script>", path="/after")
    assert await page_says(caller, "() => past") == 1


async def test_coverage_that_is_being_counted_goes_on(caller: Caller) -> None:
    await caller.ok("coverage_start")
    await caller.show("<p>page</p><script>var here = 1</script>")
    told = await caller.ok("perf_audit", durationMs=50)
    assert "unused-code" in told["warnings"][0]
    assert (await caller.ok("coverage_stop"))["jsCoverage"][0]["usagePercent"] == 100


@pytest.mark.parametrize(
    "wrong", [{"durationMs": 0}, {"durationMs": 30_001}, {"categories": ["x"]}]
)
async def test_what_cannot_be_is_refused(caller: Caller, wrong: dict[str, Any]) -> None:
    assert (await caller.refused("perf_audit", **wrong))["code"] == "invalid_argument"
