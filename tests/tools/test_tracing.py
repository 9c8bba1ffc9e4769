"""Traces: recorded of one session alone, saved, and read."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

from tests.support.asking import page_says, session_of
from tests.support.callers import Caller
from tests.support.levels import only_shared

BUSY = """<link rel=stylesheet href=/site.css><h1>Prices</h1><div id=bar>bar</div>
<button onclick="work()">Work</button><p role=status id=out></p>
<script>
function work() {
  const end = performance.now() + 80;
  while (performance.now() < end);
  out.textContent = 'done';
}
function thrash() {
  for (let i = 0; i < 15; i += 1) { bar.style.width = (50 + i) + 'px'; window.wide = bar.offsetWidth; }
}
</script>"""


def file_of(caller: Caller, name: str) -> Path:
    return caller.kernel.artifacts.named(session_of(caller), name).path


async def show_busy(caller: Caller) -> None:
    caller.site.page("/site.css", "h1 { color: #123 }", content_type="text/css")
    await caller.show(BUSY)


async def recorded(caller: Caller, **arguments: Any) -> dict[str, Any]:
    await caller.ok("perf_start", **arguments)
    await show_busy(caller)
    await caller.ok("click", selector="role=button")
    return await caller.ok("perf_stop")


async def test_a_trace_says_what_was_slow(caller: Caller) -> None:
    started = await caller.ok("perf_start")
    assert started["running"] is True
    assert started["restarted"] is False
    await show_busy(caller)
    await caller.ok("click", selector="role=button")
    stopped = await caller.ok("perf_stop")
    content = file_of(caller, stopped["path"]).read_bytes()
    assert len(content) == stopped["bytes"]
    assert len(json.loads(content)["traceEvents"]) == stopped["eventCount"] > 50
    assert stopped["summary"]["longestTasks"][0]["durationMs"] >= 80
    told = (await caller.ok("perf_insights", tracePath=stopped["path"]))["insights"]
    [work] = [each for each in told["longTasks"] if each.get("function") == "onclick"]
    assert work["durationMs"] >= 80
    assert work["url"] == caller.site.url("/page")
    assert [each["url"] for each in told["renderBlocking"]] == [caller.site.url("/site.css")]
    assert told["navigation"]["url"] == caller.site.url("/page")
    for mark in ("ttfbMs", "firstContentfulPaintMs", "domContentLoadedMs", "loadEventMs"):
        assert told["navigation"][mark] > 0
    assert told["lcpCandidates"]
    assert told["totals"]["scriptingMs"] >= 80
    assert told["totals"]["requests"] == 2
    assert told["totals"]["bytes"] > len(BUSY)


async def test_a_trace_tells_nothing_of_other_sessions(caller: Caller) -> None:
    neighbour = caller.another()
    secret = caller.site.other.page("/secret-plan", "<title>Secret plan</title><h1>Plan</h1>")
    await neighbour.ok("navigate", url=secret)
    await caller.ok("perf_start", categories=["*", "disabled-by-default-devtools.timeline"])
    await show_busy(caller)
    await neighbour.ok("navigate", url=secret + "?again")
    await page_says(neighbour, "() => { performance.mark('secret-mark') }")
    stopped = await caller.ok("perf_stop")
    text = file_of(caller, stopped["path"]).read_text(encoding="utf-8")
    assert caller.site.url("/page") in text
    assert "secret" not in text
    assert f":{caller.site.other.port}" not in text
    assert "--user-data-dir" not in text
    pids = {each["pid"] for each in json.loads(text)["traceEvents"]}
    assert len(pids) == 2


async def test_frames_of_other_sites_and_popups_are_in_it(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", "<p>in</p><script>performance.mark('inner')</script>")
    caller.site.page("/popup", "<h1>Popup</h1><script>performance.mark('popup')</script>")
    await caller.ok("perf_start")
    await caller.show(
        f"""<iframe src="{inner.replace("127.0.0.1", "localhost")}"></iframe>
        <a href="/popup" target=_blank>Open</a>"""
    )
    await caller.ok("click", selector="text=Open")
    stopped = await caller.ok("perf_stop")
    trace = json.loads(file_of(caller, stopped["path"]).read_bytes())
    marks = {each["name"] for each in trace["traceEvents"]}
    assert {"inner", "popup"} <= marks


@only_shared
async def test_a_browser_records_one_trace_at_a_time(caller: Caller) -> None:
    neighbour = caller.another()
    await caller.show("<p>one</p>")
    await neighbour.show("<p>two</p>")
    await caller.ok("perf_start")
    for tool in ("perf_start", "layout_thrash_trace", "perf_audit"):
        refused = await neighbour.refused(tool)
        assert refused["code"] == "conflict"
    assert (await caller.refused("layout_thrash_trace"))["code"] == "conflict"
    await caller.ok("perf_stop")
    await neighbour.ok("perf_start")
    await neighbour.ok("close_session")
    await caller.ok("perf_start")
    await caller.ok("perf_stop")


async def test_a_trace_ends_with_its_tab(caller: Caller) -> None:
    await caller.show("<p>one</p>")
    opened = await caller.ok("tabs", action="new")
    tab = next(each["tab"] for each in opened["tabs"] if each.get("current"))
    await caller.ok("perf_start", tab=tab)
    await caller.ok("tabs", action="close", tab=tab)
    assert (await caller.ok("perf_stop"))["notRunning"] is True
    await caller.ok("perf_start")
    assert "notRunning" not in await caller.ok("perf_stop")


async def test_begun_again_it_is_a_new_trace(caller: Caller) -> None:
    assert await caller.ok("perf_stop") == {"ok": True, "notRunning": True}
    await caller.show("<p>first</p>", path="/first")
    await caller.ok("perf_start")
    await caller.show("<p>second</p>", path="/second")
    again = await caller.ok("perf_start", categories=["devtools.timeline"])
    assert (again["restarted"], again["categories"]) == (True, ["devtools.timeline"])
    await caller.show("<p>third</p>", path="/third")
    stopped = await caller.ok("perf_stop")
    text = file_of(caller, stopped["path"]).read_text(encoding="utf-8")
    assert "/third" in text
    assert caller.site.url("/first") not in text


async def test_the_name_is_the_callers_with_file_io(mighty: Caller) -> None:
    await mighty.show("<p>page</p>")
    await mighty.ok("perf_start")
    assert (await mighty.ok("perf_stop", path="traces/mine.json"))["path"] == "traces/mine.json"


async def test_forced_layouts_are_told_with_their_place(caller: Caller) -> None:
    await show_busy(caller)
    async with asyncio.TaskGroup() as group:
        watching = group.create_task(caller.ok("layout_thrash_trace", durationMs=1500))
        # Others work in the tab meanwhile.
        for _ in range(20):
            await page_says(
                caller, "() => new Promise((done) => setTimeout(() => { thrash(); done(1) }, 50))"
            )
    told = watching.result()
    assert told["forcedLayoutsCount"] >= 15
    top = told["eventsByOrigin"][0]
    assert top["originatingStack"].startswith(f"thrash@{caller.site.url('/page')}:")
    assert top["count"] >= 15
    assert file_of(caller, told["tracePath"]).stat().st_size > 0


async def test_what_is_no_trace_is_refused(caller: Caller) -> None:
    await caller.show("<p>page</p>")
    session = session_of(caller)
    for content in (b"", b"no", b"{}", b'{"traceEvents":[\n{"name":\n]}'):
        caller.kernel.artifacts.save(session, "odd.json", content)
        refused = await caller.refused("perf_insights", tracePath="odd.json")
        assert refused["code"] == "invalid_argument"
    assert (await caller.refused("perf_insights", tracePath="x"))["code"] == "artifact_not_found"
