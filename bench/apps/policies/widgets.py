"""Menus, sliders, calendars, suggestions, pages to turn, lists to sort."""

from __future__ import annotations

from bench.apps.driver import Driver
from bench.apps.policies.registry import policy, submit

__all__: list[str] = []


@policy("drag-box")
async def drag_box(driver: Driver) -> None:
    view = await driver.see()
    await driver.drag(view.one(name="s"), view.one(name="L"))
    await driver.click(submit(view))
