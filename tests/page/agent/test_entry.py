"""What the isolated world offers."""

from __future__ import annotations

from tests.support.tabs import Tab


async def test_the_surface_is_small_and_cannot_be_changed(tab: Tab) -> None:
    await tab.show("<p>x</p>")
    frame = tab.page.main_frame
    assert sorted(await frame.call("() => Object.keys(stockade)")) == [
        "adopt",
        "call",
        "document",
        "element",
        "grownRoots",
        "hear",
        "modules",
        "retire",
        "run",
        "suspects",
    ]
    assert await frame.call("() => Object.isFrozen(stockade)") is True
    assert await tab.main("() => typeof globalThis.stockade") == "undefined"
