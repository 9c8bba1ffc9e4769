"""The bundle: every file, once, as one script that a second visit leaves alone."""

from __future__ import annotations

from importlib.resources import files

from stockade.engines.port import Page
from stockade.engines.values import World
from stockade.page import bundle


def test_every_file_is_in_it_once() -> None:
    folder = files("stockade.page") / "agent"
    names = sorted(entry.name.removesuffix(".js") for entry in folder.iterdir())
    assert sorted(bundle.ORDER) == names
    assert bundle.ORDER[-1] == "entry"


async def test_it_installs_once_and_leaves_no_trace_in_the_page(page: Page) -> None:
    frame = page.main_frame
    install = f"() => {{ {bundle.source()} }}"
    await page.set_content("<p>x</p>")
    before = await frame.call("() => document.documentElement.outerHTML")
    names = "() => Object.getOwnPropertyNames(globalThis).sort()"
    globals_before = await frame.call(names, world=World.MAIN)
    await frame.call(install)
    await frame.call("() => { globalThis.first = globalThis.stockade; }")
    await frame.call(install)
    assert await frame.call("() => globalThis.first === globalThis.stockade") is True
    assert await frame.call("() => document.documentElement.outerHTML") == before
    assert await frame.call(names, world=World.MAIN) == globals_before
