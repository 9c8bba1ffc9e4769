"""Pointer programs in a real page."""

from __future__ import annotations

import pytest

from stockade.engines.values import Point, World
from stockade.errors import DeadlineExceeded
from stockade.page.gestures import Played, Step, play
from tests.support.tabs import Tab

PAD = """<style>html, body { margin: 0; height: 100% }</style><script>
globalThis.seen = [];
for (const kind of ['pointerdown', 'pointermove', 'pointerup', 'wheel'])
  addEventListener(kind, (e) => seen.push([e.type, e.clientX, e.clientY, e.isTrusted, e.buttons ?? 0]));
</script>"""


async def seen(tab: Tab) -> list[list[object]]:
    found: list[list[object]] = await tab.page.main_frame.call("() => seen", world=World.MAIN)
    return found


async def make(tab: Tab, steps: list[Step], played: Played, *, timeout: float = 10) -> None:
    """As tools do: while input may go wherever it falls."""
    await tab.actions.bare("gesture", lambda: play(tab.page, steps, played, timeout=timeout), 10)


async def test_a_stroke_is_trusted_input_in_order(tab: Tab) -> None:
    await tab.show(PAD)
    played = Played()
    steps = [
        Step("down", Point(10, 10)),
        Step("move", Point(50, 90), seconds=0.064),
        Step("wait", seconds=0.001),
        Step("up"),
        Step("wheel", Point(50, 50), dy=30),
    ]
    await make(tab, steps, played)
    assert (played.steps, played.held, played.warnings) == (5, [], [])
    assert played.seconds >= 0.065
    events = await seen(tab)
    kinds = [each[0] for each in events]
    assert [each for each in kinds if each != "pointermove"] == [
        "pointerdown",
        "pointerup",
        "wheel",
    ]
    dragged = [each for each in events if each[0] == "pointermove" and each[4] == 1]
    assert dragged[-1][1:3] == [50, 90]
    assert len(dragged) >= 2
    assert all(each[3] for each in events)


async def test_it_ends_with_its_document(tab: Tab) -> None:
    tab.site.page("/next", PAD)
    await tab.show(f"<body onpointerdown=\"location = '{tab.site.url('/next')}'\">x</body>")
    played = Played()
    steps = [Step("down", Point(12, 15)), *(Step("wait", seconds=0.05) for _ in range(100))]
    await make(tab, [*steps, Step("up", Point(9, 9))], played)
    assert played.steps < len(steps)
    assert played.held == []
    assert "elsewhere" in played.warnings[0]


async def test_broken_off_it_holds_nothing(tab: Tab) -> None:
    await tab.show(PAD)
    played = Played()
    steps = [Step("down", Point(5, 5)), Step("wait", seconds=20), Step("up")]
    with pytest.raises(DeadlineExceeded):
        await make(tab, steps, played, timeout=0.5)
    assert played.held == []
    assert (await seen(tab))[-1][0] == "pointerup"
