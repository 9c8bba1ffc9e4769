"""Where a tab shows what must not be seen."""

from __future__ import annotations

import re
from typing import Any

from stockade.engines.port import Frame
from stockade.engines.values import Box
from stockade.errors import ProtocolFault
from stockade.page import sight as module
from stockade.page.sight import Sight
from tests.support.tabs import Tab


def secret(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer("secret", text)]


async def test_boxes_of_the_document_from_every_frame(tab: Tab) -> None:
    tab.site.other.page("/inner", "<body style='margin:0;font:20px monospace'>a secret")
    inner = tab.site.other.url("/inner", host="a.localhost")
    await tab.show(
        "<body style='margin:0;height:3000px;font:20px monospace'>😀 secret"
        f"<iframe src='{inner}' style='position:absolute;left:300px;top:1000px;border:0'></iframe>"
    )
    await tab.frame("/inner")
    await tab.main("() => scrollTo(0, 900)")
    sight = Sight(tab.agent, secret)
    before = await sight.look()
    assert before.present
    assert before.scroll == (0, 900)
    top, framed = sorted(before.boxes, key=lambda box: box.y)
    assert 20 < top.x < 40
    assert -10 < top.y < 5
    assert Box(320, 1000, 80, 20).x - 8 < framed.x < 330
    assert 990 < framed.y <= 1000
    after = await sight.look(again=True)
    assert (after.boxes, after.scroll, after.missed) == (before.boxes, before.scroll, False)


async def test_nothing_to_be_seen(tab: Tab) -> None:
    await tab.show("<p>plain</p>")
    found = await Sight(tab.agent, secret).look()
    assert (found.boxes, found.present) == (frozenset(), False)
    await tab.show("<p hidden>secret</p>")
    found = await Sight(tab.agent, secret).look()
    assert (found.boxes, found.present) == (frozenset(), True)


async def test_a_frame_that_cannot_be_read_is_covered_if_it_is_anywhere(tab: Tab) -> None:
    tab.site.page("/inner", "plain")
    await tab.show(
        "<body style='margin:0'><iframe src=/inner width=300 height=90 style='border:0'></iframe>"
        "<iframe src=/inner?2 style='display:none'></iframe>"
    )
    await tab.frame("/inner?2")

    class Blind(Sight):
        async def _read(self, frame: Frame, again: bool, timeout: float) -> Any:
            if frame.parent is not None:
                raise ProtocolFault("it does not answer")
            return await super()._read(frame, again, timeout)

    found = await Blind(tab.agent, secret).look()
    assert found.boxes == {Box(0, 0, 300, 90)}


def test_characters_are_counted_as_pages_do() -> None:
    assert module._utf16("plain secret", secret("plain secret")) == [(6, 12)]
    assert module._utf16("😀😀 secret", secret("😀😀 secret")) == [(5, 11)]
