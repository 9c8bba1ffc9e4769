"""The clipboard between fields, tabs and states, on both binaries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from stockade.engines.port import Browser, Page
from stockade.engines.values import ContextOptions, World
from tests.support.site import Site

PAGE = """<input id=a><input id=b><div id=rich contenteditable>plain <b>bold</b></div>
<script>const seen = []; addEventListener('paste', e => seen.push(e.clipboardData.types.join()))
</script>"""


@pytest.fixture
async def two(either_browser: Browser, site: Site) -> AsyncIterator[tuple[Page, Page]]:
    """A tab each of two states that share a browser."""
    site.page("/", PAGE)
    options = ContextOptions(common_browser=True)
    contexts = [await either_browser.new_context(options) for _ in range(2)]
    pages = [await context.new_page() for context in contexts]
    for page in pages:
        await page.navigate(site.url())
    yield pages[0], pages[1]
    for context in contexts:
        await context.close()


async def copy(page: Page, text: str, chord: str = "Control+c") -> None:
    await page.main_frame.call(
        "t => { a.value = t; a.focus(); a.select(); }", text, world=World.MAIN
    )
    await page.keyboard.press(chord)


async def pasted(page: Page, chord: str = "Control+v") -> str:
    await page.main_frame.call("() => { b.value = ''; b.focus(); }", world=World.MAIN)
    await page.keyboard.press(chord)
    return str(await page.main_frame.call("() => b.value", world=World.MAIN))


async def test_none_pastes_what_another_copied(two: tuple[Page, Page]) -> None:
    first, second = two
    await copy(first, "mine")
    assert await pasted(second) == ""
    assert await pasted(first) == "mine"
    await copy(second, "yours")
    assert await pasted(first) == "mine"
    assert await pasted(second) == "yours"
    assert await first.context.clipboard_text() == "mine"


async def test_nor_when_the_chord_is_written_in_capitals(two: tuple[Page, Page]) -> None:
    first, second = two
    await copy(first, "mine", "Control+C")
    assert await pasted(second, "Control+V") == ""
    assert await pasted(first, "Control+V") == "mine"


async def test_nor_when_all_press_at_once(two: tuple[Page, Page]) -> None:
    async def often(page: Page, text: str) -> set[str]:
        found = set()
        for _ in range(5):
            await copy(page, text)
            found.add(await pasted(page))
        return found

    both = await asyncio.gather(often(two[0], "mine"), often(two[1], "yours"))
    assert list(both) == [{"mine"}, {"yours"}]


async def test_a_new_tab_of_the_same_state_pastes_it(two: tuple[Page, Page], site: Site) -> None:
    await copy(two[0], "mine")
    other = await two[0].context.new_page()
    await other.navigate(site.url())
    assert await pasted(other) == "mine"


async def test_cut_and_the_older_chords(two: tuple[Page, Page]) -> None:
    page, _ = two
    await copy(page, "moved", "Control+x")
    assert await page.main_frame.call("() => a.value", world=World.MAIN) == ""
    assert await pasted(page, "Shift+Insert") == "moved"
    await copy(page, "again", "Control+Insert")
    assert await pasted(page, "Control+Shift+V") == "again"


async def test_formatting_goes_along(two: tuple[Page, Page]) -> None:
    page, _ = two
    await page.main_frame.call("() => { rich.focus(); getSelection().selectAllChildren(rich); }")
    await page.keyboard.press("Control+c")
    await page.main_frame.call("() => { rich.innerHTML = ''; rich.focus(); }")
    await page.keyboard.press("Control+v")
    assert "text/html" in (await page.main_frame.call("() => seen", world=World.MAIN))[-1]
    assert "bold" in await page.main_frame.call(
        "() => rich.querySelector('b, [style*=bold], [style*=\"700\"]').textContent"
    )


async def test_copying_nothing_keeps_what_there_was(two: tuple[Page, Page]) -> None:
    await copy(two[0], "kept")
    await copy(two[0], "")
    assert await pasted(two[0]) == "kept"


async def test_alone_in_a_browser_what_pages_copy_is_pasted(either_page: Page, site: Site) -> None:
    site.page("/", PAGE)
    await either_page.navigate(site.url())
    await either_page.main_frame.call(
        "() => { a.value = 'by script'; a.focus(); a.select(); }", world=World.MAIN
    )
    await either_page.main_frame.evaluate("document.execCommand('copy')", "given => given")
    assert await pasted(either_page) == "by script"
    assert await either_page.context.clipboard_text() == "by script"
