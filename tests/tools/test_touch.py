"""Fingers, on pages as people make them."""

from __future__ import annotations

from tests.support.callers import Caller

PAD = """
<meta name="viewport" content="width=device-width">
<style>body { margin: 0 } #pad { width: 400px; height: 400px; touch-action: none }</style>
<div id="pad"></div><p role="status">nothing</p>
<script>
  const said = [];
  for (const type of ['touchstart', 'touchmove', 'touchend'])
    pad.addEventListener(type, e => {
      const ids = [...e.changedTouches].map(t => `${t.identifier}@${Math.round(t.clientX)}`);
      said.push(`${type.slice(5)} ${ids.join('+')} of ${e.touches.length}`);
      document.querySelector('p').textContent = said.join(', ');
    });
</script>
"""


async def test_two_fingers_keep_their_identifiers(caller: Caller) -> None:
    await caller.show(PAD)
    await caller.ok("touch_start", coords={"x": 50, "y": 50})
    second = await caller.ok("touch_start", coords={"x": 200, "y": 50}, identifier=7)
    assert (second["identifier"], second["touches"]) == (7, [1, 7])
    await caller.ok("touch_move", coords={"x": 220, "y": 60}, identifier=7)
    lifted = await caller.ok("touch_end", identifier=1)
    assert lifted["touches"] == [7]
    assert (await caller.ok("touch_end"))["touches"] == []
    shown = await caller.text("snapshot")
    assert (
        "start 1@50 of 1, start 7@200 of 2, move 7@220 of 2, end 1@50 of 1, end 7@220 of 0"
    ) in shown


async def test_the_page_has_a_touch_screen_only_meanwhile(caller: Caller) -> None:
    await caller.show(
        """<p role="status"></p><script>
        const screen = matchMedia('(pointer: coarse)');
        screen.onchange = () => { document.querySelector('p').textContent += ' ' + screen.matches };
        </script>"""
    )
    await caller.ok("touch_start", coords={"x": 50, "y": 50})
    await caller.ok("touch_end")
    assert "true false" in await caller.text("snapshot")


async def test_a_swipe_scrolls_a_phone(caller: Caller) -> None:
    await caller.show(
        """<meta name="viewport" content="width=device-width"><div style="height: 5000px">Long</div>
        <p role="status" style="position: fixed; top: 0">top</p>
        <script>onscroll = () => document.querySelector('p').textContent =
          scrollY > 100 ? 'far down' : 'a little';</script>"""
    )
    result = await caller.ok(
        "gesture_swipe",
        durationMs=50,
        steps=8,
        **{"from": {"x": 300, "y": 600}, "to": {"x": 300, "y": 100}},
    )
    assert (result["from"], result["steps"], result["durationMs"]) == ({"x": 300, "y": 600}, 8, 50)
    assert "far down" in await caller.text("snapshot")


async def test_a_pinch_is_two_fingers_apart(caller: Caller) -> None:
    await caller.show(PAD)
    result = await caller.ok("gesture_pinch", coords={"x": 200, "y": 200}, scale=2, steps=2)
    assert (result["scale"], result["startOffset"], result["touches"]) == (2, 40, [])
    shown = await caller.text("snapshot")
    assert "start 1@160 of 1, start 2@240 of 2" in shown
    assert "1@120" in shown
    assert "2@280" in shown


async def test_fingers_that_are_not_there(caller: Caller) -> None:
    await caller.show(PAD)
    body = await caller.refused("touch_move", coords={"x": 1, "y": 1}, identifier=3)
    assert "touch_start" in str(body)
    assert (await caller.refused("touch_end"))["code"] == "invalid_argument"
    await caller.ok("touch_start", coords={"x": 50, "y": 50})
    assert (await caller.refused("touch_start", coords={"x": 5, "y": 5}))["code"] == (
        "invalid_argument"
    )
    await caller.ok("touch_end")
