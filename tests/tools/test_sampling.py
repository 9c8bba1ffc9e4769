"""Numbers over time, what comes and goes, and what an action changes."""

from __future__ import annotations

import asyncio

from tests.support.callers import Caller
from tests.support.site import Request, Response

SLIDE = """<style>#box { position: absolute; left: 0; width: 50px; height: 50px }</style>
<button onclick="box.animate([{left: '0px'}, {left: '300px'}], {duration: 200, fill: 'forwards'})">Go</button>
<div id="box" role="img" aria-label="Box"></div><p style="height: 4000px">Long</p>"""
CLICK = {"tool": "click", "args": {"selector": "button"}}


async def test_a_page_at_an_interval(caller: Caller) -> None:
    await caller.show(SLIDE)
    done = await caller.ok("sample", metric="scrollHeight", durationMs=150, intervalMs=50)
    assert (done["scope"], done["mode"], done["intervalMs"]) == ("window", "interval", 50)
    assert done["count"] == len(done["series"]) == done["summary"]["count"] >= 3
    assert done["series"][0]["value"] > 4000
    assert done["summary"]["distinctCount"] == 1
    assert done["summary"]["firstChangeTMs"] is None


async def test_an_element_moves_frame_by_frame_through_an_action(caller: Caller) -> None:
    await caller.show(SLIDE)
    done = await caller.ok(
        "act_and_sample",
        action=CLICK,
        selector="#box",
        metric="bboxX",
        durationMs=700,
        everyFrame=True,
    )
    assert done["action"]["action"]["target"] == 'button "Go"'
    sample = done["sample"]
    assert (sample["scope"], sample["mode"]) == ("element", "raf")
    assert (sample["summary"]["first"], sample["summary"]["last"]) == (0, 300)
    assert sample["summary"]["distinctCount"] > 3
    assert sample["summary"]["firstChangeTMs"] > 0


async def test_long_series_are_summarised(caller: Caller) -> None:
    await caller.show(SLIDE)
    many = {"metric": "scrollTop", "durationMs": 5500, "intervalMs": 1}
    whole, short = await asyncio.gather(
        caller.ok("sample", **many, summary=False), caller.ok("sample", **many)
    )
    assert len(whole["series"]) == whole["count"] > 300
    assert short["autoSummarised"]
    assert "series" not in short
    brief = await caller.ok("sample", metric="scrollTop", durationMs=20, summary=True)
    assert "series" not in brief


async def test_what_ends_a_measurement(caller: Caller) -> None:
    await caller.show(
        "<a href='/next'>Go</a><div id=box>Box</div>"
        "<button onclick='setTimeout(() => box.remove(), 20)'>Drop</button>"
    )
    caller.site.page("/next", "<p>Next")
    long = {"metric": "clientWidth", "durationMs": 20_000, "intervalMs": 16}
    gone = await caller.ok("act_and_sample", action=CLICK, selector="#box", **long)
    assert gone["sample"]["ended"] == "detached"
    left = await caller.ok(
        "act_and_sample", action={"tool": "click", "args": {"selector": "a"}}, **long
    )
    assert left["action"]["navigation"]["kind"] == "full_load"
    assert left["sample"]["ended"] == "navigated"
    assert left["sample"]["count"] > 0


async def test_a_measurement_that_cannot_begin_leaves_the_action_undone(caller: Caller) -> None:
    await caller.show("<button onclick=\"this.textContent = 'Done'\">Do")
    refusal = await caller.refused("act_and_sample", action=CLICK, metric="bboxX", durationMs=50)
    assert refusal["code"] == "invalid_argument"
    refusal = await caller.refused(
        "act_and_sample", action=CLICK, selector="#none", metric="bboxX", durationMs=50
    )
    assert refusal["code"] == "not_found"
    assert (await caller.ok("verify_text", selector="button", text="Do", exact=True))["ok"]


async def test_one_session_is_measured_while_another_acts(caller: Caller) -> None:
    async def push(_: Request) -> Response:
        caller.site.page("/state", "now")
        return Response("ok")

    caller.site.page("/state", "")
    caller.site.route("/push", push)
    await caller.ok("open_session", session="one")
    await caller.ok("open_session", session="two")
    await caller.show("<button onclick=\"fetch('/push', {method: 'POST'})\">Go", session="one")
    await caller.show(
        "<div id=box></div><script>setInterval(async () => {"
        "if (await (await fetch('/state')).text()) box.style.height = '900px' }, 20)</script>",
        path="/other",
        session="two",
    )
    done = await caller.ok(
        "cross_session_sample",
        action=CLICK,
        actionSession="one",
        sampleSession="two",
        selector="#box",
        metric="clientHeight",
        durationMs=1500,
    )
    summary = done["sample"]["summary"]
    assert (summary["first"], summary["last"]) == (0, 900)
    assert done["action"]["ok"]


async def test_a_toast_is_seen_however_short_it_lasts(caller: Caller) -> None:
    await caller.show(
        "<div role=status></div><script>function toast(text, ms) {"
        "const el = document.createElement('div'); el.setAttribute('role', 'alert');"
        "el.textContent = text; document.body.append(el); setTimeout(() => el.remove(), ms) }"
        "setTimeout(() => { toast('Saved', 5); console.error('oh'); fetch('/page') }, 300);"
        "setTimeout(() => { document.querySelector('[role=status]').textContent = 'Two left' }, 400);"
        "</script>"
    )
    seen = await caller.ok("watch", durationMs=1200, sampleMs=5000)
    rows = {row["name"]: row for row in seen["regions"]}
    assert rows["Saved"]["role"] == "alert"
    assert rows["Saved"]["disappearedAtMs"] >= rows["Saved"]["appearedAtMs"]
    assert (rows["Two left"]["role"], rows["Two left"]["disappearedAtMs"]) == ("status", None)
    assert rows["Two left"]["ref"].startswith("e")
    assert seen["console"]["errors"] == ["oh"]
    assert seen["network"]["summary"]["total"] == 1
    assert seen["wsFrames"] == []
    assert seen["samples"] > 0


async def test_a_watch_goes_on_through_navigation_frames_and_work(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", "<p role=alert>In a frame</p>")
    caller.site.page("/next", f"<p role=alert>Next page</p><iframe src='{inner}'></iframe>")
    await caller.show("<p role=alert>First page</p><a href='/next'>On</a>")
    seen, clicked = await asyncio.gather(
        caller.ok("watch", durationMs=2000),
        caller.ok("click", selector="a"),
    )
    assert clicked["navigation"]["changed"]
    rows = {row["name"]: row for row in seen["regions"]}
    assert rows["First page"]["disappearedAtMs"] is not None
    assert rows["Next page"]["disappearedAtMs"] is None
    assert rows["In a frame"]["ref"].startswith("f")


async def test_a_watch_outlives_a_dialog(caller: Caller) -> None:
    await caller.show(
        "<button onclick=\"setTimeout(() => { alert('Hi');"
        "document.body.insertAdjacentHTML('beforeend', '<p role=alert>After') }, 50)\">Go"
    )
    await caller.ok("set_dialog_policy", mode="accept")
    seen, _clicked = await asyncio.gather(
        caller.ok("watch", durationMs=1500), caller.ok("click", selector="button")
    )
    assert "After" in [row["name"] for row in seen["regions"]]
