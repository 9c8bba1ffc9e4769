"""The writer of Markdown by itself."""

from __future__ import annotations

from typing import Any

from stockade.page.scripts import script
from tests.support.tabs import Tab


async def write(tab: Tab, body: str) -> Any:
    await tab.show("")
    await tab.ref("body")
    make = script("markdown_writer")
    return await tab.page.main_frame.call(
        f"() => {{ const out = ({make})(); {body} return out.text(); }}"
    )


async def test_a_marker_waits_for_its_first_line(tab: Tab) -> None:
    text = await write(
        tab,
        "out.listed(() => { out.item('- '); out.up(); out.item('- '); out.say('a'); out.up();"
        " out.unlisted(); }); out.say('b'); out.flush(true);",
    )
    assert text == "- a\n\nb"


async def test_words_said_since_a_mark_are_put_into_others(tab: Tab) -> None:
    text = await write(
        tab,
        "out.say('a '); const mark = out.mark(); out.say(' b '); out.close(mark, (x) => `<${x}>`);"
        " out.say('c'); const none = out.mark(); out.close(none, () => 'never'); out.flush(true);",
    )
    assert text == "a <b> c"


async def test_columns_that_say_nothing_are_left_out(tab: Tab) -> None:
    cell = "out.cell({across: 1, down: 1}, false); out.say(%r); out.endCell();"
    row = "out.row(); " + cell * 3 + " out.endRow();"
    text = await write(
        tab, f"out.table(true); {row % ('a', '', 'b')} {row % ('c', '', 'd|e')} out.endTable();"
    )
    assert text == "| a | b |\n|-|-|\n| c | d\\|e |"
