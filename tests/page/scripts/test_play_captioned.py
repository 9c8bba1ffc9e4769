"""A video is played with captions and without sound."""

from __future__ import annotations

from stockade.page.scripts import script
from tests.support.tabs import Tab


async def test_the_buttons_are_pressed(tab: Tab) -> None:
    await tab.show("nothing")
    assert await tab.page.main_frame.call(script("play_captioned")) is False
    await tab.show(
        "<video></video><button class=ytp-subtitles-button aria-pressed=false "
        "onclick=\"this.setAttribute('aria-pressed', 'true')\">CC</button>"
    )
    for _ in range(2):
        assert await tab.page.main_frame.call(script("play_captioned")) is True
    shown = "() => [document.querySelector('video').muted, document.querySelector('button').ariaPressed]"
    assert await tab.main(shown) == [True, "true"]
