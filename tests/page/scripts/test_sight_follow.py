"""What happens in a frame between two looks."""

from __future__ import annotations

from typing import Any

from tests.page.scripts.test_sight_text import SCRIPT, read
from tests.support.tabs import Tab

FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


async def between(tab: Tab, html: str, act: str, undo: str, part: str = "") -> dict[str, Any]:
    """Look, let something happen for a few frames, and look again."""
    said = await read(tab, f"<body style='margin:0'>{html}")
    main = tab.page.main_frame
    if part:
        start = said["text"].index(part)
        spans = [[start, start + len(part)]]
        await tab.agent.call(main, SCRIPT, step="place", spans=spans)
    await tab.main(f"() => {{ {act} }}")
    await main.call(FRAMES)
    await tab.main(f"() => {{ {undo} }}")
    await main.call(FRAMES)
    again: dict[str, Any] = await tab.agent.call(main, SCRIPT, step="read", again=True)
    found: dict[str, Any] = again["meanwhile"]
    return found


async def test_new_text_is_told_with_its_place(tab: Tab) -> None:
    found = await between(
        tab,
        "<p><span id=a>x</span><b>y</b></p><p id=other>z</p>",
        "document.querySelector('#a').textContent = 'fresh'",
        "document.querySelector('#a').textContent = 'x'",
    )
    (block,) = found["fresh"]
    assert "freshy" in block["text"]
    assert "z" not in block["text"]
    assert block["boxes"]
    assert (found["boxes"], found["missed"]) == ([], False)


async def test_values_are_told_too(tab: Tab) -> None:
    field = "document.querySelector('input').value"
    found = await between(tab, "<input value=x>", f"{field} = 'fresh'", f"{field} = 'x'")
    assert found["fresh"][0]["text"] == "fresh"


async def test_known_text_is_followed(tab: Tab) -> None:
    style = "document.querySelector('p').style.marginLeft"
    found = await between(tab, "<p>secret</p>", f"{style} = '500px'", f"{style} = ''", "secret")
    assert {round(box[0], -2) for box in found["boxes"]} == {0, 500}


async def test_too_much_is_told_as_such(tab: Tab) -> None:
    grow = "for (let n = 0; n < 300; n += 1) document.body.append(Object.assign("
    grow += "document.createElement('p'), {textContent: `row ${n}`}))"
    found = await between(
        tab, "", f"{grow}; document.querySelectorAll('p').forEach(p => p.append('!'))", ""
    )
    assert found["missed"]
