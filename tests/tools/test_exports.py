"""Exports: files that show the page again, without it."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from stockade.engines.values import World
from tests.support.callers import Caller
from tests.support.pictures import decode_png

DOT = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\x00\x00\x00\x00\x00!\xf9\x04\x00\x00\x00\x00\x00,"
    b"\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)

PAGE = """<!doctype html><html><head><title>Archive me</title><base href="/sub/">
<link rel=stylesheet href="style.css"><style>p { color: rgb(1, 2, 3) }</style>
<script>window.ran = true</script></head><body onload="window.loaded = 1">
<h1>Heading & more</h1><img src="red.gif" srcset="red.gif 1x" width=50 height=40 alt=Red>
<p>Text</p><a href="other">Link</a><a href="javascript:alert(1)">Bad</a>
<input aria-label=Name><input type=password value=hunter2 aria-label=Secret><textarea aria-label=Note></textarea>
<canvas width=30 height=30></canvas><x-open></x-open><x-closed></x-closed>
<iframe src="inner.html" width=200 height=100></iframe>
<script>
  const brush = document.querySelector('canvas').getContext('2d');
  brush.fillStyle = '#00f'; brush.fillRect(0, 0, 30, 30);
  document.querySelector('x-open').attachShadow({ mode: 'open' }).innerHTML = '<b>open shadow</b>';
  document.querySelector('x-closed').attachShadow({ mode: 'closed' }).innerHTML = '<b>closed shadow</b>';
  const sheet = new CSSStyleSheet(); sheet.replaceSync('h1 { color: rgb(9, 8, 7) }');
  document.adoptedStyleSheets = [sheet];
</script></body></html>"""


async def opened(mighty: Caller) -> None:
    site = mighty.site
    site.page(
        "/sub/style.css",
        "@import 'more.css'; body { background: url(red.gif) }",
        content_type="text/css",
    )
    site.page("/sub/more.css", "h1 { font-size: 50px }", content_type="text/css")
    site.page("/sub/red.gif", DOT, content_type="image/gif")
    site.page("/sub/inner.html", "<p>In the frame</p><img src=red.gif>")
    await mighty.show(PAGE)
    await mighty.ok("fill", selector="label=Name", value="Ada", mode="none")
    await mighty.ok("fill", selector="label=Note", value="<b>note</b>", mode="none")


def content(mighty: Caller, name: str) -> bytes:
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    return mighty.kernel.artifacts.named(session, name).path.read_bytes()


async def ask(mighty: Caller, expression: str) -> Any:
    tab = mighty.kernel.sessions.find(mighty.principal, "default").current
    assert tab is not None
    return await tab.page.main_frame.call(f"() => {expression}", world=World.MAIN)


async def test_one_file_shows_the_page_without_the_site(mighty: Caller) -> None:
    await opened(mighty)
    done = await mighty.ok("page_archive", path="saved/page.html")
    assert (done["path"], done["frameCount"], done["omittedCount"]) == ("saved/page.html", 2, 0)
    saved = content(mighty, "saved/page.html")
    assert len(saved) == done["bytes"]
    assert b"hunter2" not in saved
    before = len(mighty.site.requests)
    mighty.site.page("/again", saved)
    await mighty.ok("navigate", url=mighty.site.url("/again"), mode="none")
    asked = [each.path for each in mighty.site.requests[before:]]
    assert asked == ["/again"], "an archive loads nothing"
    value = await ask(
        mighty,
        """[window.ran, window.loaded, document.querySelector('[aria-label=Name]').value,
          document.querySelector('textarea').value, getComputedStyle(document.querySelector('h1')).fontSize,
          getComputedStyle(document.querySelector('h1')).color,
          getComputedStyle(document.querySelector('p')).color,
          document.querySelector('x-open').shadowRoot.textContent, document.images[0].naturalWidth,
          document.querySelectorAll('script').length, document.links[0].href,
          document.querySelector('[aria-label=Secret]').value].map(String)""",
    )
    assert value == [
        "undefined", "undefined", "Ada", "<b>note</b>", "50px", "rgb(9, 8, 7)", "rgb(1, 2, 3)",
        "open shadow", "1", "0", mighty.site.url("/sub/other"), "",
    ]  # fmt: skip
    seen = await mighty.text("snapshot")
    assert "closed shadow" in seen
    assert "In the frame" in seen


async def test_a_directory_has_its_files_beside_it(mighty: Caller, tmp_path: Path) -> None:
    await opened(mighty)
    done = await mighty.ok("page_archive", format="directory")
    assert done["resourceCount"] == 3
    index = content(mighty, f"{done['path']}/index.html").decode()
    assert 'href="assets/' in index
    session = mighty.kernel.sessions.find(mighty.principal, "default")
    for each in mighty.kernel.artifacts.of(session):
        place = tmp_path / each.name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(each.path.read_bytes())
    before = len(mighty.site.requests)
    mighty.site.files("/copy", tmp_path / done["path"])
    await mighty.ok("navigate", url=mighty.site.url("/copy/index.html"), mode="none")
    seen = await mighty.text("snapshot")
    assert "closed shadow" in seen
    assert "In the frame" in seen
    value = await ask(
        mighty,
        "[getComputedStyle(document.querySelector('h1')).fontSize, document.images[0].naturalWidth]",
    )
    assert value == ["50px", 1]
    paths = {each.path for each in mighty.site.requests[before:]}
    assert all(path.startswith("/copy/") for path in paths)


async def test_an_archive_stays_within_its_size(mighty: Caller) -> None:
    mighty.site.page("/big.png", noise(), content_type="image/png")
    await mighty.show("<img src=/big.png>")
    done = await mighty.ok("page_archive", maxSizeMb=0.05)
    assert (done["omittedCount"], done["omitted"][0]["reason"]) == (1, "too large")
    assert done["bytes"] < 50_000
    refusal = await mighty.refused("page_archive", maxSizeMb=0.0001)
    assert refusal["code"] == "quota_exceeded"


def noise() -> bytes:
    file = BytesIO()
    Image.effect_noise((300, 300), 90).save(file, "PNG")
    return file.getvalue()


async def test_an_element_looks_alike_on_its_own(mighty: Caller) -> None:
    await mighty.show(
        "<style>.card { background: rgb(0, 128, 0); padding: 10px; width: 180px; color: white }"
        ".card b { font-weight: normal } .card::before { content: 'New '; color: yellow }</style>"
        "<div style='font-size:30px'><div class=card role=group aria-label=Card>Tea <b>now</b>"
        "<x-note></x-note></div></div><script>document.querySelector('x-note')"
        ".attachShadow({mode:'closed'}).innerHTML = '<i>inside</i>'</script>"
    )
    done = await mighty.ok("element_export", selector="role=group", path="card.html")
    assert (done["path"], done["pngPath"]) == ("card.html", "card.png")
    was = decode_png(content(mighty, "card.png"))
    html = content(mighty, "card.html")
    assert b"<i" in html
    assert b"New" in html
    mighty.site.page("/card", html)
    await mighty.ok("navigate", url=mighty.site.url("/card"), mode="none")
    reply = await mighty.reply("screenshot", selector="css=.card", format="png")
    now = decode_png(reply.images[0].data)
    assert now.size == was.size
    same = sum(
        was.pixel(x, y) == now.pixel(x, y)
        for x in range(was.size.width)
        for y in range(was.size.height)
    )
    assert same / (was.size.width * was.size.height) > 0.97


async def test_the_dom_with_shadow_roots_and_frames(mighty: Caller) -> None:
    await opened(mighty)
    done = await mighty.ok("dom_export", path="dom.html")
    assert [each["frame"] for each in done["parts"]] == ["f0", "f1"]
    whole = content(mighty, "dom.html").decode()
    assert '<template shadowrootmode="closed"><b>closed shadow</b></template>' in whole
    assert '<template shadowrootmode="open"><b>open shadow</b></template>' in whole
    assert "window.ran = true" in whole
    assert "Heading &amp; more" in whole
    assert "hunter2" not in whole
    assert "In the frame" in content(mighty, done["parts"][1]["path"]).decode()
    flat = await mighty.ok("dom_export", includeShadow=False)
    assert "closed shadow" not in content(mighty, flat["path"]).decode().split("<script>")[0]
    assert flat["parts"][0]["shadowRoots"] == 0


async def test_the_dom_as_lines(mighty: Caller) -> None:
    await opened(mighty)
    done = await mighty.ok("dom_export", format="jsonl")
    rows = [json.loads(line) for line in content(mighty, done["path"]).decode().split("\n")]
    assert len(rows) == done["parts"][0]["nodes"]
    by_id = {row["id"]: row for row in rows}
    (root,) = [row for row in rows if row.get("mode") == "closed"]
    assert by_id[root["parent"]]["tag"] == "x-closed"
    (text,) = [row for row in rows if row.get("text") == "closed shadow"]
    assert by_id[by_id[text["parent"]]["parent"]] is root
    assert any(row.get("attributes", {}).get("alt") == "Red" for row in rows)


async def test_assets_are_chosen_counted_and_kept(mighty: Caller) -> None:
    site = mighty.site
    for number in range(3):
        site.page(f"/p{number}.gif", DOT + b"x" * number, content_type="image/gif")
    site.page("/gone.gif", "none", status=404, content_type="image/gif")
    site.page("/data.json", '{"a": 1}', content_type="application/json")
    await mighty.show(
        "".join(f"<img src=/{name}>" for name in ("p0.gif", "p1.gif", "p2.gif", "gone.gif"))
        + "<script>fetch('/data.json').then(r => r.text())</script>"
    )
    await mighty.ok("wait_for", selector="css=img", mode="none")
    await site.wait_asked("/data.json")
    done = await mighty.ok(
        "asset_export",
        filter={"mime": "image/*", "status": 200, "minBytes": len(DOT) + 1},
        intoDir="pics",
    )
    assert (done["matchedCount"], done["persistedCount"], done["droppedCount"]) == (2, 2, 0)
    assert done["totalCount"] >= 5
    assert done["intoDir"] == "pics"
    for row in done["manifest"]:
        assert content(mighty, row["path"]).startswith(DOT)
    assert json.loads(content(mighty, done["manifestPath"])) == done["manifest"]
    done = await mighty.ok("asset_export", filter={"urlPattern": "*/p*.gif"}, maxCount=1)
    assert (done["matchedCount"], done["persistedCount"], done["droppedCount"]) == (3, 1, 2)
    done = await mighty.ok("asset_export", filter={"mime": "application/json"}, maxBytes=3)
    assert (done["matchedCount"], done["persistedCount"]) == (1, 0)


async def test_a_page_is_printed(caller: Caller) -> None:
    await caller.show("<h1>Print me</h1>")
    done = await caller.ok("pdf_save", format="A5", scale=0.5, printBackground=False)
    assert (done["format"], done["scale"], done["printBackground"]) == ("A5", 0.5, False)
    assert content(caller, done["path"]).startswith(b"%PDF-")
    again = await caller.ok("pdf_save")
    assert again["path"] != done["path"]
    refusal = await caller.refused("pdf_save", path="mine.pdf")
    assert refusal["requiredCapability"] == "file-io"
    assert (await caller.refused("pdf_save", scale=3))["code"] == "invalid_argument"
