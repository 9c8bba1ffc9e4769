"""Archives of hard pages; that they open again is tested with their tools."""

from __future__ import annotations

import pytest

from stockade.errors import QuotaExceeded
from stockade.media import archive as module
from stockade.media.archive import Archive, Archiver
from tests.support.tabs import CALLER, Tab


async def archived(tab: Tab, *, alone: bool = True, most: int = 10_000_000) -> Archive:
    return await Archiver(tab.agent, alone=alone, most=most, timeout=20).page()


def index(archive: Archive) -> str:
    return archive.files["index.html"].decode()


async def test_a_circle_of_imports_ends(tab: Tab) -> None:
    tab.site.page("/a.css", "@import 'b.css'; p { color: red }", content_type="text/css")
    tab.site.page("/b.css", "@import 'a.css'; p { margin: 1px }", content_type="text/css")
    await tab.show("<link rel=stylesheet href=/a.css><p>Text")
    made = await archived(tab, alone=False)
    assert sorted(name.partition("-")[2] for name in made.files if "assets" in name) == [
        "a.css",
        "b.css",
    ]


async def test_frames_of_other_sites_and_frames_in_frames(tab: Tab) -> None:
    tab.site.other.page("/inmost", "<p>Inmost</p>")
    inmost = tab.site.other.url("/inmost")
    tab.site.page("/inner", f"<p>Inner</p><iframe src='{inmost}'></iframe>")
    await tab.show(
        f"<p>Outer</p><iframe src='{tab.site.url('/inner', host='localhost')}'></iframe>"
    )
    alone = await archived(tab)
    assert alone.frames == 3
    assert "Inmost" in index(alone)
    folder = await archived(tab, alone=False)
    assert sorted(folder.files) == ["frames/1.html", "frames/2.html", "index.html"]
    assert 'src="frames/1.html"' in index(folder)
    assert 'src="2.html"' in folder.files["frames/1.html"].decode()
    assert "Inmost" in folder.files["frames/2.html"].decode()


async def test_scripts_and_ways_out_are_gone(tab: Tab) -> None:
    await tab.show(
        "<meta http-equiv=refresh content='99;url=/away'><body onload='x()'><p onclick='x()'>P</p>"
        "<a href=' javascript:x()'>A</a><form action=/post><button formaction=/other>B</button></form>"
        "<svg onload='x()'><script>x()</script><a xlink:href='javascript:x()'>s</a></svg>"
        "<object data=/thing></object><embed src=/thing><noscript>no</noscript><script>var a = 1</script>"
    )
    html = index(await archived(tab))
    for part in ("onload", "onclick", "javascript:", "<script", "refresh", "/thing", "<noscript"):
        assert part not in html
    assert "script-src" in index(await archived(tab, alone=False))
    assert "default-src &#x27;none&#x27;" in html


async def test_rules_that_only_scripts_know(tab: Tab) -> None:
    await tab.show(
        "<style id=s></style><p>P</p><script>s.sheet.insertRule('p { color: rgb(1, 2, 3) }')</script>"
    )
    assert "rgb(1, 2, 3)" in index(await archived(tab))


async def test_a_page_cannot_fill_in_marks_of_its_own(tab: Tab) -> None:
    await tab.show("<p>stockade00-r0- stockade-h0-</p>")
    assert "stockade00-r0- stockade-h0-" in index(await archived(tab))


async def test_a_picture_shown_often_does_not_grow_without_end(tab: Tab) -> None:
    tab.site.page(
        "/p.svg",
        "<svg xmlns='http://www.w3.org/2000/svg'>" + " " * 20_000 + "</svg>",
        content_type="image/svg+xml",
    )
    await tab.show("<img src=/p.svg>" * 50)
    assert (await archived(tab, most=2_000_000)).resources == 1
    with pytest.raises(QuotaExceeded):
        await archived(tab, most=500_000)


async def test_there_are_only_so_many_parts(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_PARTS", 2)
    for number in range(4):
        tab.site.page(f"/{number}.svg", "<svg/>", content_type="image/svg+xml")
    await tab.show("".join(f"<img src=/{number}.svg>" for number in range(4)))
    made = await archived(tab, alone=False)
    assert made.resources == 2
    assert [left.reason for left in made.omitted] == ["too many"]


async def test_an_element_brings_its_pictures(tab: Tab) -> None:
    tab.site.page(
        "/p.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>", content_type="image/svg+xml"
    )
    await tab.show("<div id=d style='background: url(/p.svg)'>Words<img src=/p.svg></div>")
    archiver = Archiver(tab.agent, alone=True, most=1_000_000, timeout=20)
    made = await archiver.element(await tab.ref("#d"), caller=CALLER)
    assert index(made).count("data:image/svg+xml") == 2
    assert made.omitted == []


async def test_a_stylesheet_that_the_browser_forgot_is_written_from_its_rules(tab: Tab) -> None:
    tab.site.page("/a.css", "p { color: rgb(4, 5, 6) }", content_type="text/css")
    await tab.show("<link rel=stylesheet href=/a.css><p>Text")
    before = len(tab.site.requests)
    archiver = Archiver(tab.agent, alone=True, most=1_000_000, timeout=20)
    archiver._resources._logged.clear()
    assert "rgb(4, 5, 6)" in index(await archiver.page())
    assert [each.path for each in tab.site.requests[before:]] == []
