"""What a page loaded, from memory."""

from __future__ import annotations

from stockade.engines.events import RequestFinished
from stockade.media.resources import Resources
from tests.support.expecting import expecting
from tests.support.tabs import Tab


async def found(tab: Tab, url: str) -> tuple[str, bytes] | None:
    resources = Resources(tab.page, timeout=10)
    resource = await resources.get(url)
    return (resource.mime_type, resource.content) if resource is not None else None


async def test_files_of_every_frame_without_asking_again(tab: Tab) -> None:
    site = tab.site
    site.page("/a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", content_type="image/svg+xml")
    site.page("/b.css", "p { color: red }", content_type="text/css")
    site.page("/inner", "<link rel=stylesheet href=/b.css><p>Inner")
    inner = site.url("/inner", host="localhost")
    await tab.show(f"<img src=/a.svg><iframe src='{inner}'></iframe>")
    await tab.frame("/inner")
    before = len(site.requests)
    assert await found(tab, site.url("/a.svg")) == (
        "image/svg+xml",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    )
    assert await found(tab, site.url("/b.css", host="localhost")) == (
        "text/css",
        b"p { color: red }",
    )
    assert await found(tab, site.url("/never")) is None
    assert len(site.requests) == before


async def test_what_scripts_fetched_and_what_is_gone(tab: Tab) -> None:
    tab.site.page("/data", b"\x00\xffraw", content_type="application/octet-stream")
    await tab.show("<p>Text")
    async with expecting(
        tab.page.events, RequestFinished, where=lambda event: event.request.url.endswith("/data")
    ):
        await tab.main("() => fetch('/data').then((answer) => answer.arrayBuffer()).then(() => 1)")
    assert await found(tab, tab.site.url("/data#part")) == (
        "application/octet-stream",
        b"\x00\xffraw",
    )
    await tab.show("<p>Elsewhere", path="/elsewhere")
    assert tab.site.url("/data") in Resources(tab.page, timeout=1).urls


async def test_a_picture_that_the_log_has_lost(tab: Tab) -> None:
    tab.site.page(
        "/a.gif",
        b"GIF89a" + b"\1\0\1\0\x80\0\0" + b"\xff" * 6 + b",\0\0\0\0\1\0\1\0\0\2\2D\1\0;",
        content_type="image/gif",
    )
    await tab.show("<img src=/a.gif>")
    before = len(tab.site.requests)
    resources = Resources(tab.page, timeout=10)
    resources._logged.clear()
    resource = await resources.get(tab.site.url("/a.gif"))
    assert resource is not None
    assert (resource.mime_type, resource.content[:6]) == ("image/gif", b"GIF89a")
    assert len(tab.site.requests) == before
