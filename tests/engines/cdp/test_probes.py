"""Instruments that follow a tab into every process it runs in."""

from __future__ import annotations

from stockade.engines.port import DevTools, Page
from tests.support.site import Site


async def test_frames_of_other_sites_are_followed_from_their_first_line(
    either_page: Page, site: Site
) -> None:
    heard: list[str] = []
    met: list[DevTools] = []

    def watch(devtools: DevTools) -> None:
        met.append(devtools)
        devtools.on("Debugger.scriptParsed", lambda event: heard.append(event["url"]))

    remove = either_page.probe(watch, [("Debugger.enable", {})])
    inner = site.other.page("/inner", "<script>1</script>").replace("127.0.0.1", "localhost")
    site.page("/", f'<script>2</script><iframe src="{inner}"></iframe>')
    await either_page.navigate(site.url("/"), until="load")
    assert {inner, site.url("/")} <= set(heard)
    assert len(met) == 2
    remove()
    await either_page.navigate(site.url("/"), until="load")
    assert len(met) == 2
