"""Sliders are moved the way a page listens to, and what they show afterwards is what is told."""

from __future__ import annotations

import pytest

from stockade.errors import InvalidArgument, NotActionable
from stockade.page.sliding import Position, ensure_reached
from tests.support.tabs import CALLER, Tab

COMMITTED_BY_KEYS = """
<label>Days <input id=s type=range min=1 max=14 value=3></label>
<script>
  globalThis.committed = [];
  globalThis.changes = [];
  s.addEventListener('keyup', () => committed.push(s.value));
  s.addEventListener('pointerup', () => committed.push(s.value));
  s.addEventListener('change', () => changes.push(s.value));
</script>
"""

THUMB = """
<div id=s role=slider tabindex=0 aria-label=Volume aria-valuemin=0 aria-valuemax=200 aria-valuenow=30
     style='width:20px;height:20px'></div>
<script>
  const STEPS = %s;
  let at = 30;
  s.addEventListener('keydown', (event) => {
    at = Math.min(200, Math.max(0, at + (STEPS[event.key] || 0)));
    requestAnimationFrame(() => s.setAttribute('aria-valuenow', at));
  });
</script>
"""


@pytest.mark.parametrize("value", ["5", "1", "14", "2"])
async def test_a_range_is_moved_by_the_key_that_ends_a_move(tab: Tab, value: str) -> None:
    await tab.show(COMMITTED_BY_KEYS)
    outcome = await tab.actions.fill(await tab.ref("#s"), value, caller=CALLER)
    assert outcome.after["value"] == value
    assert await tab.main("() => [committed, changes]") == [[value], [value]]


async def test_a_slider_that_keeps_its_own_number_is_moved_from_there(tab: Tab) -> None:
    await tab.show(
        """<label>Volume <input id=s type=range value=30></label><script>
        let at = 30;
        const show = (number) => { at = number; s.value = at; };
        s.oninput = () => show(Number(s.value));
        s.onkeydown = (event) => {
          if (event.key !== 'ArrowRight' && event.key !== 'ArrowLeft') return;
          event.preventDefault();
          show(at + (event.key === 'ArrowRight' ? 1 : -1));
        };</script>"""
    )
    await tab.actions.fill(await tab.ref("#s"), "70", caller=CALLER)
    assert await tab.main("() => at") == 70


@pytest.mark.parametrize(
    "steps",
    [
        "{ArrowRight: 1, ArrowLeft: -1}",
        "{ArrowRight: 1, ArrowLeft: -1, PageUp: 10, PageDown: -10}",
        "{ArrowRight: -1, ArrowLeft: 1}",
        "{ArrowUp: 5, ArrowDown: -5}",
    ],
)
@pytest.mark.parametrize("value", ["0", "25", "155"])
async def test_a_thumb_is_moved_by_the_keys_it_listens_to(tab: Tab, steps: str, value: str) -> None:
    await tab.show(THUMB % steps)
    outcome = await tab.actions.fill(await tab.ref("#s"), value, caller=CALLER)
    assert outcome.after["value"] == value
    assert await tab.main("() => at") == int(value)


async def test_a_position_is_found_by_what_the_slider_calls_it(tab: Tab) -> None:
    await tab.show(
        """<div id=s role=slider tabindex=0 aria-label=Size aria-valuenow=1 aria-valuetext=Medium
        style='width:20px;height:20px'></div><script>
        const NAMES = ['Small', 'Medium', 'Large', 'Huge'];
        let at = 1;
        s.onkeydown = (event) => {
          at = event.key === 'Home' ? 0 : Math.min(3, at + (event.key === 'ArrowRight'));
          s.setAttribute('aria-valuenow', at);
          s.setAttribute('aria-valuetext', NAMES[at]);
        };</script>"""
    )
    await tab.actions.fill(await tab.ref("#s"), "large", caller=CALLER)
    assert await tab.main("() => NAMES[at]") == "Large"


async def test_a_slider_that_no_key_moves_is_not_said_to_be_moved(tab: Tab) -> None:
    await tab.show(THUMB % "{}")
    with pytest.raises(NotActionable) as caught:
        await tab.actions.fill(await tab.ref("#s"), "70", caller=CALLER)
    assert "shows 30, not 70" in caught.value.message
    assert not caught.value.retryable


async def test_a_place_between_two_steps_is_not_said_to_be_reached(tab: Tab) -> None:
    await tab.show(THUMB % "{ArrowRight: 10, ArrowLeft: -10}")
    with pytest.raises(NotActionable) as caught:
        await tab.actions.fill(await tab.ref("#s"), "74", caller=CALLER)
    assert caught.value.details["value"] == "70"


async def test_a_slider_that_goes_back_is_not_said_to_be_moved(tab: Tab) -> None:
    await tab.show(
        """<label>Volume <input id=s type=range value=30></label>
        <script>s.onchange = () => requestAnimationFrame(() => { s.value = 30; });</script>"""
    )
    with pytest.raises(NotActionable):
        await tab.actions.fill(await tab.ref("#s"), "70", caller=CALLER)


@pytest.mark.parametrize("value", ["201", "-1", "loud", ""])
async def test_what_is_beyond_its_limits_is_refused_untouched(tab: Tab, value: str) -> None:
    await tab.show(THUMB % "{ArrowRight: 1, ArrowLeft: -1}")
    with pytest.raises(InvalidArgument) as caught:
        await tab.actions.fill(await tab.ref("#s"), value, caller=CALLER)
    assert "0 to 200" in caught.value.message
    assert await tab.main("() => at") == 30


def test_a_position_reads_as_a_number_or_as_text() -> None:
    assert Position(0.1 + 0.2).is_at(0.3)
    assert Position(2, "Large").is_at("large")
    ensure_reached(None, 3, "a slider that is gone")
