"""Which key events a document got."""

from __future__ import annotations

from tests.support.tabs import CALLER, Tab


async def test_trusted_events_and_what_became_of_them(tab: Tab) -> None:
    await tab.show("<input id=a onkeydown='event.preventDefault()'>")
    frame = tab.page.main_frame
    await tab.agent.call(frame, "key_watch.js", step="begin", caller=CALLER)
    await tab.main("() => { a.focus(); a.dispatchEvent(new KeyboardEvent('keydown')); }")
    await tab.agent.call(frame, "guard_open")
    await tab.page.keyboard.press("q")
    seen = await tab.agent.call(frame, "key_watch.js", step="end", caller=CALLER)
    told = [(each["type"], each["key"], each["defaultPrevented"]) for each in seen["events"]]
    assert told == [("keydown", "q", True), ("keyup", "q", False)]
    assert seen["active"]["target"].startswith("textbox")
    again = await tab.agent.call(frame, "key_watch.js", step="end", caller=CALLER)
    assert again["events"] == []
