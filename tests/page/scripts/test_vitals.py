"""What a document knows of how it was loaded and drawn."""

from __future__ import annotations

from stockade.engines.port import Page
from stockade.page.scripts import script
from tests.support.site import Site


async def test_it_tells_of_what_was_before(page: Page, site: Site) -> None:
    site.page("/a.css", "p { top: 0 }", content_type="text/css")
    picture = "<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'/>"
    site.page("/a.svg", picture, content_type="image/svg+xml")
    site.page(
        "/",
        """<link rel=stylesheet href=/a.css><p>text</p><img src=/a.svg width=30 height=20>
        <style>@font-face { font-family: Odd; src: url(/x.woff2); font-display: swap }</style>
        <script>const end = performance.now() + 70; while (performance.now() < end);</script>""",
    )
    await page.navigate(site.url("/"), until="load")
    told = await page.main_frame.call(script("vitals"))
    assert told["url"] == site.url("/")
    assert told["longTasks"][0]["duration"] >= 70
    [style] = [each for each in told["resources"] if each["url"] == site.url("/a.css")]
    assert style["blocking"] is True
    assert told["images"] == [
        {
            "url": site.url("/a.svg"),
            "width": 300,
            "height": 200,
            "shownWidth": 30,
            "shownHeight": 20,
        }
    ]
    assert told["fonts"] == [{"family": "Odd", "status": "unloaded", "display": "swap"}]
    assert told["loaded"] > 0
