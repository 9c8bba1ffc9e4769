"""Differences in the page."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import CALLER, Tab


async def ask(tab: Tab, step: str, **more: Any) -> Any:
    return await tab.agent.call(
        tab.page.main_frame, "difference.js", step=step, key="k", caller=CALLER, **more
    )


async def test_values_change_and_secrets_are_not_told(tab: Tab) -> None:
    await tab.show("<input id=name><input id=pin type=password><input id=on type=checkbox>")
    await ask(tab, "before")
    await tab.main(
        "() => { document.getElementById('name').value = 'Ada'; pin.value = '77';"
        "pin.setAttribute('value', '77'); on.checked = true }"
    )
    said = await ask(tab, "after")
    changed = {row["path"]: row for row in said["changed"]}
    assert changed["#name"]["valueDelta"] == {"from": "", "to": "Ada"}
    assert "checked" in changed["#on"]["valueDelta"]["to"]
    assert "77" not in str(said)


async def test_elements_that_move_are_neither_new_nor_gone(tab: Tab) -> None:
    await tab.show("<ul><li id=a>A</li><li id=b>B</li></ul>")
    await ask(tab, "before")
    await tab.main("() => b.after(a)")
    said = await ask(tab, "after")
    assert said["counts"] == {"changed": 0, "added": 0, "removed": 0}


async def test_without_a_look_before_there_is_none_after(tab: Tab) -> None:
    await tab.show("<p>x")
    assert await ask(tab, "after") == {"navigated": True}
