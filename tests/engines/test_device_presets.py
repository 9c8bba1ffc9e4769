"""Well-known devices."""

from __future__ import annotations

import pytest

from stockade.engines.cdp.limits import check_emulation
from stockade.engines.device_presets import NAMES, preset
from stockade.engines.port import Browser
from stockade.engines.values import ContextOptions, Emulation
from stockade.errors import InvalidArgument
from tests.support.site import Site


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_device_that_can_be(name: str) -> None:
    found = preset(name)
    assert found.name == name
    check_emulation(Emulation(viewport=found.viewport, user_agent=found.user_agent))


def test_spelling_does_not_matter() -> None:
    assert preset("iphone-15") is preset("iPhone 15")
    turned = preset("Pixel 7 landscape").viewport
    assert (turned.width, turned.height) == (839, 412)


def test_what_is_close_is_told() -> None:
    with pytest.raises(InvalidArgument) as caught:
        preset("iPhone 15 Promax 2")
    assert "iPhone 15 Pro Max" in caught.value.hint
    with pytest.raises(InvalidArgument) as caught:
        preset("toaster")
    assert "Pixel 7" in caught.value.hint


async def test_a_page_sees_the_device(browser: Browser, site: Site) -> None:
    found = preset("iPhone 15")
    emulation = Emulation(viewport=found.viewport, user_agent=found.user_agent)
    context = await browser.new_context(ContextOptions(emulation=emulation))
    try:
        site.page("/", '<meta name="viewport" content="width=device-width">')
        page = await context.new_page()
        await page.navigate(site.url())
        seen = await page.main_frame.call(
            "() => [innerWidth, devicePixelRatio, navigator.maxTouchPoints > 0,"
            " navigator.platform, matchMedia('(pointer: coarse)').matches]"
        )
        assert seen == [393, 3, True, "iPhone", True]
        assert "iPhone" in site.asked("/")[0].headers["user-agent"]
    finally:
        await context.close()
