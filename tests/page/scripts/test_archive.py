"""A document made fit to be kept."""

from __future__ import annotations

from typing import Any

from stockade.page.reach import look
from tests.support.tabs import Tab


async def said(tab: Tab) -> dict[str, Any]:
    return await look(
        tab.agent,
        tab.page.main_frame,
        "archive.js markup.js saved_parts.js",
        token="mark",
        known=[tab.site.url("/known.css")],
    )


async def test_what_it_loads_is_marked(tab: Tab) -> None:
    tab.site.page("/inner", "<p>Inner")
    await tab.show(
        "<head><link rel=stylesheet href=/known.css media=print><link rel=icon href=/i.png>"
        "<link rel=preload href=/x.js as=script></head><body style='background: url(a.png)'>"
        "<picture><source srcset=/b.webp><img src=/c.png srcset='/d.png 2x'></picture>"
        "<iframe src=/inner></iframe><video src=/v.webm poster=/p.png></video>"
    )
    found = await said(tab)
    names = [url.rpartition("/")[2] for url in found["resources"]]
    assert sorted(names) in (
        ["b.webp", "i.png", "p.png", "v.webm"],
        ["c.png", "i.png", "p.png", "v.webm"],
    )
    assert len(found["frames"]) == 1
    assert "mark-f0-" in found["html"]
    assert "mark-h0-" in found["html"]
    assert [style.get("media") for style in found["styles"]] == ["print", None]
    assert "preload" not in found["html"]


async def test_fields_hold_what_was_put_in(tab: Tab) -> None:
    await tab.show(
        "<input id=a value=old><input type=checkbox id=b><input type=checkbox checked id=c>"
        "<select><option>one<option>two</select><textarea>old</textarea><input type=password id=d>"
    )
    await tab.main(
        "() => { a.value = 'new'; b.checked = true; c.checked = false; d.value = 'secret';"
        "document.querySelector('select').selectedIndex = 1;"
        "document.querySelector('textarea').value = '<new>'; }"
    )
    html = (await said(tab))["html"]
    assert '<input id="a" value="new">' in html
    assert '<input type="checkbox" id="b" checked="" value="on">' in html
    assert '<input type="checkbox" id="c" value="on">' in html
    assert '<option selected="">two' in html
    assert "<textarea>&lt;new&gt;</textarea>" in html
    assert "secret" not in html
