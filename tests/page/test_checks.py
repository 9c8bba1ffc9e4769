"""Elements as a check reads them."""

from __future__ import annotations

import pytest

from stockade.errors import InvalidArgument, StaleRef
from stockade.page.checks import count, read
from tests.support.tabs import CALLER, Tab


async def test_what_changed_is_read_as_it_is_now(tab: Tab) -> None:
    await tab.show("<button>Save</button>")
    ref = await tab.ref("button")
    await tab.main("() => { document.querySelector('button').textContent = 'Saved' }")
    assert (await read(tab.agent, ref)).texts == ["Saved"]
    await tab.main("() => document.querySelector('button').remove()")
    with pytest.raises(StaleRef):
        await read(tab.agent, ref)


async def test_an_element_of_a_hidden_frame_is_hidden(tab: Tab) -> None:
    inner = tab.site.other.page("/inner", "<p>Words</p>")
    await tab.show(f"<iframe src='{inner}'></iframe>")
    frame = await tab.frame("/inner")
    ref = await tab.ref("p", frame=frame)
    assert (await read(tab.agent, ref)).visible
    await tab.main("() => { document.querySelector('iframe').style.display = 'none' }")
    hidden = await read(tab.agent, ref)
    assert (hidden.visible, bool(hidden.why)) == (False, True)


async def test_counts_are_of_all_frames(tab: Tab) -> None:
    inner = tab.site.other.page("/inner", "<p>Words</p><p hidden>More</p>")
    await tab.show(f"<p>One</p><iframe src='{inner}'></iframe>")
    await tab.frame("/inner")
    found = await count(tab.agent, "p", caller=CALLER)
    assert (found.count, found.rendered) == (3, 2)
    with pytest.raises(InvalidArgument):
        await count(tab.agent, "p[", caller=CALLER)
