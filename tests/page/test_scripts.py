"""Scripts that are sent when they are wanted."""

from __future__ import annotations

from importlib.resources import files

from stockade.engines.port import Page
from stockade.page.scripts import script

NAMES = sorted(
    each.name.removesuffix(".js") for each in (files("stockade.page") / "scripts").iterdir()
)


async def test_each_is_one_function(page: Page) -> None:
    kinds = {name: await page.main_frame.call(f"() => typeof ({script(name)})") for name in NAMES}
    assert set(kinds.values()) == {"function"}, kinds
