"""Extensions in full Chromium."""

from __future__ import annotations

from pathlib import Path

import pytest

from stockade.engines.port import Browser
from stockade.engines.values import ContextOptions
from stockade.errors import InvalidArgument
from tests.support.browsers import writable_by_browser
from tests.support.extension import write_extension
from tests.support.levels import only_beside
from tests.support.site import Site
from tests.support.waiting import until


@only_beside
async def test_loaded_pressed_and_taken_away(
    full_browser: Browser, site: Site, tmp_path: Path
) -> None:
    folder = write_extension(writable_by_browser(tmp_path / "tint"))
    site.page("/", "<p>hello</p>")
    own = await full_browser.own_context(ContextOptions())
    extensions = full_browser.extensions
    tint = await extensions.load(str(folder))
    assert [(each.id, each.name, each.enabled) for each in await extensions.all()] == [
        (tint, "Tint", True)
    ]
    first, second = await own.new_page(), await own.new_page()
    for page in (first, second):
        await page.navigate(site.url("/"))
    assert await first.main_frame.call("() => document.documentElement.dataset.tint") == "on"
    # The one that is meant, and not the one in front.
    await extensions.press(tint, first)

    async def pressed() -> bool:
        return (await first.title()).startswith("pressed")

    await until(pressed)
    assert await second.title() == ""
    write_extension(folder, version="1.1")
    assert await extensions.load(str(folder)) == tint
    assert [each.version for each in await extensions.all()] == ["1.1"]
    await extensions.remove(tint)
    assert await extensions.all() == []
    with pytest.raises(InvalidArgument) as caught:
        await extensions.load(str(tmp_path))
    assert str(tmp_path) not in str(caught.value.details)
    await own.close()
