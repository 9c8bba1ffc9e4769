"""Parts of a page, marked."""

from __future__ import annotations

from typing import Any

from stockade.page.scripts import script
from tests.support.tabs import Tab

PARTS = f"const parts = ({script('saved_parts')})('mark');"


async def ask(tab: Tab, expression: str) -> Any:
    await tab.agent.call(tab.page.main_frame, "page_size")
    return await tab.page.main_frame.call(f"() => {{ {PARTS} return {expression}; }}")


async def test_addresses_become_marks(tab: Tab) -> None:
    await tab.show("<base href=/sub/><p>")
    said = await ask(
        tab,
        "[['a.png', '/b.png', 'data:image/png,x', 'javascript:x', 'http://['].map(parts.resource),"
        " parts.resources]",
    )
    assert said == [
        ["mark-r0-", "mark-r1-", "data:image/png,x", "", ""],
        [tab.site.url("/sub/a.png"), tab.site.url("/b.png")],
    ]


async def test_rules_are_written_when_the_text_lacks_them(tab: Tab) -> None:
    await tab.show(
        "<style id=plain>p { color: red; unknown: 1 }</style><style id=filled></style>"
        "<script>filled.sheet.insertRule('b { color: blue }')</script>"
    )
    said = await ask(
        tab, "['plain', 'filled'].map((id) => parts.styleText(document.getElementById(id)))"
    )
    assert said == ["p { color: red; unknown: 1 }", "b { color: blue; }"]


async def test_canvases_are_pictures_unless_they_are_stained(tab: Tab) -> None:
    tab.site.other.page(
        "/p.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
        content_type="image/svg+xml",
    )
    await tab.show(
        f"<canvas id=a></canvas><canvas id=b></canvas><img src='{tab.site.other.url('/p.svg')}'>"
    )
    await tab.main("() => b.getContext('2d').drawImage(document.images[0], 0, 0)")
    said = await ask(tab, "['a', 'b'].map((id) => parts.canvas(document.getElementById(id)))")
    assert said[0].startswith("data:image/png")
    assert said[1] is None
