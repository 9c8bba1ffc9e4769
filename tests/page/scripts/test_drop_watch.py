"""The watch over a drop."""

from __future__ import annotations

from typing import Any

from stockade.engines.values import Point
from stockade.page.scripts import script
from tests.support.tabs import Tab

PAGE = """<body style='margin:0'><div id=zone style='width:300px;height:200px'>Zone</div>
<input type=file id=field><script>zone.ondragover = (event) => event.preventDefault()</script>"""


async def ask(tab: Tab, step: str, ref: int = 1) -> Any:
    return await tab.page.main_frame.call(script("drop_watch"), step, ref)


async def test_it_tells_what_was_seen_and_taken(tab: Tab) -> None:
    await tab.show(PAGE)
    await ask(tab, "begin")
    await tab.main(
        "() => zone.dispatchEvent(new DragEvent('dragover', {cancelable: true, bubbles: true}))"
    )
    assert await ask(tab, "taken") is False, "what a page makes up does not count"
    for kind in ("enter", "over"):
        await tab.page.mouse.drag_files(kind, Point(50, 50), [])
    assert await ask(tab, "taken") is True
    await tab.page.mouse.drag_files("cancel", Point(50, 50), [])
    assert {"dragenter", "dragover"} <= set(await ask(tab, "end"))
    assert await ask(tab, "end") == []


async def test_a_file_field_takes_files_by_itself(tab: Tab) -> None:
    await tab.show(PAGE)
    number = int((await tab.ref("#field")).removeprefix("e"))
    await ask(tab, "begin", number)
    assert await ask(tab, "taken", number) is True
    await ask(tab, "end", number)
