"""Chords of keys in a page."""

from __future__ import annotations

from stockade.page.shortcuts import press_all
from tests.support.tabs import CALLER, Tab


async def test_events_of_all_frames_in_their_order(either_tab: Tab) -> None:
    tab = either_tab
    tab.site.page("/inner", "<input id=inner>")
    await tab.show(f'<input id=outer><iframe src="{tab.site.url("/inner", host="localhost")}">')
    frame = await tab.frame("/inner")
    ref = await tab.ref("#inner", frame=frame)
    pressed = await press_all(tab.actions, ["x", "Shift+y"], ref=ref, caller=CALLER)
    assert await tab.main("() => inner.value", frame=frame) == "xY"
    down = [each.key for each in pressed.events if each.type == "keydown"]
    assert down == ["x", "Shift", "Y"]
    assert not pressed.handled
    assert pressed.active is not None
    assert pressed.active["ref"] == ref


async def test_a_dialog_ends_it(tab: Tab) -> None:
    await tab.show("<input id=a onkeydown='alert(1)'>")
    pressed = await press_all(
        tab.actions, ["x", "y"], ref=await tab.ref("#a"), caller=CALLER, timeout=10
    )
    assert pressed.outcome.settled.effect == "dialog"
    await tab.page.answer_dialog(accept=True)


async def test_nothing_is_left_behind(tab: Tab) -> None:
    await tab.show("<input id=a>")
    await press_all(tab.actions, ["x"], ref=await tab.ref("#a"), caller=CALLER)
    assert await tab.page.main_frame.call("() => 'stockadeKeys' in globalThis") is False
