"""Keys as pages see them."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.port import Page
from stockade.engines.values import World
from tests.support.site import Site

PAGE = """<textarea id=t autofocus></textarea><script>
globalThis.seen = [];
for (const type of ['keydown', 'keyup'])
  addEventListener(type, (e) => seen.push([type, e.key, e.code, e.shiftKey, e.ctrlKey, e.repeat]));
t.focus();
</script>"""


@pytest.fixture
async def typing(either_page: Page, site: Site) -> Page:
    site.page("/", PAGE)
    await either_page.navigate(site.url("/"), until="load")
    return either_page


async def main(page: Page, code: str) -> Any:
    return await page.main_frame.call(code, world=World.MAIN)


async def test_typing_gives_keys_and_text(typing: Page) -> None:
    await typing.keyboard.type("aB 1!\n日本é😀")
    assert await main(typing, "() => t.value") == "aB 1!\n日本é😀"
    seen = await main(typing, "() => seen")
    assert ["keydown", "B", "KeyB", True, False, False] in seen
    assert ["keydown", "!", "Digit1", True, False, False] in seen
    assert ["keydown", "Enter", "Enter", False, False, False] in seen


async def test_long_text_keeps_its_order(typing: Page) -> None:
    text = "".join(chr(97 + number % 26) for number in range(1000))
    await typing.keyboard.type(text)
    assert await main(typing, "() => t.value") == text


async def test_chords_hold_and_release(typing: Page) -> None:
    await typing.keyboard.press("Control+Shift+k")
    assert [entry[:2] for entry in await main(typing, "() => seen")] == [
        ["keydown", "Control"],
        ["keydown", "Shift"],
        ["keydown", "K"],
        ["keyup", "K"],
        ["keyup", "Shift"],
        ["keyup", "Control"],
    ]


async def test_editing_chords_edit(typing: Page) -> None:
    await typing.keyboard.type("one two")
    await typing.keyboard.press("Control+a")
    await typing.keyboard.press("Control+x")
    assert await main(typing, "() => t.value") == ""
    await typing.keyboard.press("Control+v")
    await typing.keyboard.press("Control+v")
    assert await main(typing, "() => t.value") == "one twoone two"
    await typing.keyboard.press("Control+z")
    assert await main(typing, "() => t.value") == "one two"


async def test_a_held_key_repeats(typing: Page) -> None:
    await typing.keyboard.down("a")
    await typing.keyboard.down("a")
    await typing.keyboard.up("a")
    assert await main(typing, "() => t.value") == "aa"
    assert [entry[5] for entry in await main(typing, "() => seen")] == [False, True, False]


async def test_insert_is_one_input(typing: Page) -> None:
    await main(typing, "() => { globalThis.inputs = 0; t.oninput = () => { inputs += 1; }; }")
    await typing.keyboard.insert("a whole ✓ sentence")
    assert await main(typing, "() => t.value") == "a whole ✓ sentence"
    assert await main(typing, "() => inputs") == 1


async def test_arrows_tab_and_backspace_move(typing: Page) -> None:
    await typing.keyboard.type("abc")
    await typing.keyboard.press("ArrowLeft")
    await typing.keyboard.press("Backspace")
    assert await main(typing, "() => t.value") == "ac"
    await typing.keyboard.press("Tab")
    assert await main(typing, "() => document.activeElement === t") is False
