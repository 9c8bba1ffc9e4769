"""Time, chance and speed as the caller wants them."""

from __future__ import annotations

import pytest

from tests.support.asking import page_says, tab_of
from tests.support.callers import Caller

DAY = "2030-05-06T07:08:09.000Z"
TICKING = """<h1>Auction</h1><p role=timer id=left></p><button onclick="bid()">Bid</button>
<p role=status id=out>No bid yet</p>
<script>
const ends = Date.now() + 10000;
const show = () => { left.textContent = Math.round((ends - Date.now()) / 1000) + ' s left' };
show();
setInterval(show, 1000);
function bid() {
  out.textContent = 'You bid';
  setTimeout(() => { out.textContent = 'Bid of ' + new Date().toISOString() }, 2000);
}
</script>"""


async def test_a_page_lives_by_the_clock_it_is_given(caller: Caller) -> None:
    frozen = await caller.ok("clock", mode="freeze", atIso=DAY)
    assert frozen["applied"] == {"mode": "freeze", "nowIso": DAY, "paused": True}
    assert "warning" not in frozen
    await caller.show(TICKING)
    clicked = await caller.ok("click", selector="role=button")
    assert "You bid" in clicked["snapshotDelta"]["tree"]
    assert "10 s left" in await caller.text("snapshot")
    moved = await caller.ok("clock", mode="advance", byMs=3000)
    assert moved["applied"]["nowIso"] == "2030-05-06T07:08:12.000Z"
    shown = await caller.text("snapshot")
    assert "7 s left" in shown
    assert "Bid of 2030-05-06T07:08:11.000Z" in shown


async def test_time_runs_on_when_it_is_let_go(caller: Caller) -> None:
    await caller.ok("clock", mode="freeze", atIso=DAY)
    await caller.show(TICKING)
    await caller.ok("click", selector="role=button")
    await caller.ok("clock", mode="advance", byMs=1950)
    released = await caller.ok("clock", mode="release")
    assert released["applied"]["paused"] is False
    await caller.ok("wait_for", text="Bid of")
    assert await page_says(caller, "() => new Date().getFullYear()") != 2030
    await caller.show(TICKING, path="/next")
    assert await page_says(caller, "() => new Date().getFullYear()") != 2030


async def test_frames_and_popups_have_the_same_time(caller: Caller) -> None:
    other = caller.site.other.page("/frame", "<p>frame</p>")
    await caller.show(
        f"""<iframe src="{other.replace("127.0.0.1", "localhost")}"></iframe>
        <a href="/popup" target=_blank>Open</a>"""
    )
    caller.site.page("/popup", "<h1>Popup</h1>")
    await caller.ok("clock", mode="freeze", atIso=DAY)
    await caller.ok("clock", mode="advance", atIso="2030-05-06T08:00:00Z")
    for frame in (0, 1):
        said = await page_says(caller, "() => new Date().toISOString()", frame=frame)
        assert said == "2030-05-06T08:00:00.000Z"
    opened = await caller.ok("click", selector="text=Open")
    await caller.ok("tabs", action="select", tab=opened["structure"]["newTabs"][0]["tab"])
    said = await page_says(caller, "() => new Date().toISOString()")
    assert said == "2030-05-06T08:00:00.000Z"


async def test_a_dialog_in_a_timer_is_no_end(caller: Caller) -> None:
    await caller.ok("clock", mode="freeze")
    await caller.show("<p id=out>0</p><script>setTimeout(() => alert('due'), 10)</script>")
    moved = await caller.ok("clock", mode="advance", byMs=20)
    assert moved["applied"]["paused"] is True
    told = await caller.reply("snapshot")
    assert (told.failure or {})["failure"]["text"] == "due"
    assert "due" not in await caller.text("snapshot")


async def test_timers_from_before_are_told(caller: Caller) -> None:
    await caller.show(TICKING)
    assert "loaded again" in (await caller.ok("clock", mode="freeze"))["warning"]


async def test_another_session_keeps_its_own_time(caller: Caller) -> None:
    await caller.ok("clock", mode="freeze", atIso=DAY)
    neighbour = caller.another()
    await neighbour.show("<p>elsewhere</p>")
    assert await page_says(neighbour, "() => new Date().getFullYear()") != 2030


@pytest.mark.parametrize(
    "wrong",
    [
        {"mode": "advance"},
        {"mode": "advance", "byMs": -1},
        {"mode": "advance", "atIso": "1999-01-01T00:00:00Z"},
        {"mode": "freeze", "atIso": "noon"},
        {"mode": "freeze", "atIso": "0001-01-01T00:00:00+23:59"},
        {"mode": "stop"},
    ],
)
async def test_what_cannot_be_is_refused(caller: Caller, wrong: dict[str, object]) -> None:
    assert (await caller.refused("clock", **wrong))["code"] == "invalid_argument"


async def test_chance_is_repeatable_in_every_document(caller: Caller) -> None:
    draw = "() => [Math.random(), Math.random()]"
    html = "<iframe srcdoc='<p>in</p>'></iframe><script>window.first = Math.random()</script>"
    assert (await caller.ok("seed_random", seed=42))["applied"] == {"seed": 42}
    await caller.show(html)
    first = await page_says(caller, "() => first")
    inner = await page_says(caller, draw, frame=1)
    await caller.show(html, path="/again")
    assert await page_says(caller, "() => first") == first == inner[0]
    await caller.ok("seed_random", seed=43)
    assert await page_says(caller, draw) != inner
    await caller.ok("seed_random", seed=42)
    assert await page_says(caller, draw) == inner


async def test_a_seed_has_32_bits(caller: Caller) -> None:
    for wrong in (-1, 2**32, 1.5, "x"):
        assert (await caller.refused("seed_random", seed=wrong))["code"] == "invalid_argument"


async def test_the_processor_is_slowed_for_all_tabs(caller: Caller) -> None:
    await caller.show("<p>work</p>")
    done = await caller.ok("cpu_emulate", throttleRate=6)
    assert (done["applied"], done["reset"]) == ({"throttleRate": 6}, False)
    await caller.ok("tabs", action="new")
    assert tab_of(caller).page.emulation.cpu_slowdown == 6
    assert (await caller.ok("cpu_emulate"))["reset"] is True
    assert tab_of(caller).page.emulation.cpu_slowdown == 1
    assert (await caller.refused("cpu_emulate", throttleRate=0.5))["code"] == "invalid_argument"
