"""A command, told to the worker of an extension as the browser would."""

from __future__ import annotations

from pathlib import Path

from stockade.engines.port import Browser
from stockade.engines.values import ContextOptions
from stockade.page.scripts import script
from tests.support.browsers import writable_by_browser
from tests.support.extension import write_extension
from tests.support.levels import only_beside
from tests.support.site import Site
from tests.support.waiting import until


@only_beside
async def test_who_listens_hears_it(full_browser: Browser, site: Site, tmp_path: Path) -> None:
    folder = write_extension(writable_by_browser(tmp_path / "tint"))
    deaf = write_extension(writable_by_browser(tmp_path / "deaf"), name="Deaf")
    (deaf / "worker.js").write_text("", encoding="utf-8")
    site.page("/", "<p>hello</p>")
    own = await full_browser.own_context(ContextOptions())
    ids = [await full_browser.extensions.load(str(each)) for each in (folder, deaf)]
    page = await own.new_page()
    await page.navigate(site.url("/"))
    await until(lambda: len(own.workers) == 2)
    hearing, silent = (next(worker for worker in own.workers if each in worker.url) for each in ids)
    assert await silent.call(script("extension_command"), "paint") is False
    assert await hearing.call(script("extension_command"), "paint") is True

    async def told() -> bool:
        return await page.title() == "command paint"

    await until(told)
    for each in ids:
        await full_browser.extensions.remove(each)
    await own.close()
