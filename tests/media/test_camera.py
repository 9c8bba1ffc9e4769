"""No secret is to be seen on a picture, and the rest of it is as it was.

The proof needs no reading of letters: two pages that differ in nothing but their secrets, of one
length and in letters of one width, must look the same. Where places move, the secret alone is green.
"""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any, cast

import av
import pytest
from PIL import Image, ImageChops
from pypdf import PdfReader

from stockade.engines.values import Box, PdfOptions, ScreenshotOptions, Viewport
from stockade.errors import PictureWithheld
from stockade.masking.masker import Masker
from stockade.masking.scopes import SERVER
from stockade.media.camera import Camera
from stockade.media.picture import Picture
from stockade.sessions.tab import Tab
from stockade.sessions.taint import Taint
from tests.support.callers import Caller
from tests.support.pictures import shows_green

ONE, OTHER = "Zq7-secret-9K", "Xw4-hidden-2M"
PNG = ScreenshotOptions(format="png")

PAGE = """<!doctype html><meta charset=utf-8><style>
* {{ font-family: monospace }} body {{ margin: 0; height: 1400px }} iframe {{ border: 0 }}
.before::before {{ content: "{s}" }} .far {{ position: relative }}
.far::after {{ content: attr(data-x); position: absolute; left: 600px; top: 10px }}
</style><p>😀 Before {s} after, and <b id=kept>this stays</b></p>
<p>{letters}</p><input value="{s}"><textarea>x {s}</textarea><input placeholder="{s}">
<select><option>none<option selected>{s}</select><select multiple><option>{s}<option>b</select>
<p>Printed</p><p class=before>host</p><p class=far data-x="{s}">far</p><img alt="{s}" width=150 height=30>
<div style="rotate: 30deg; width: 200px; margin: 60px">turned {s}</div>
<p style="text-shadow: 200px 40px blue; width: 200px">{s}</p>
<div style="overflow: scroll; height: 40px; width: 200px"><p style="margin: 90px">{s}</p></div>
<div id=open></div><div id=closed></div><table><tr><td>{head}<td>{tail}</table>
<svg width=300 height=30><text x=10 y=20>in a drawing {s}</text></svg>
<p style="position: fixed; right: 5px; bottom: 5px">{s}</p>
<iframe id=same src="{near}" width=300 height=60 style="scale: 1.3; margin: 40px"></iframe>
<iframe src="{away}" width=400 height=120></iframe>
<p style="position: absolute; top: 1300px">far below {s}</p>
<dialog id=top>{s} on top</dialog><script>
document.querySelector('#top').showModal();
for (const mode of ['open', 'closed'])
  document.getElementById(mode).attachShadow({{ mode }}).innerHTML = '<i>{s}</i>';
document.querySelector('div[style*=scroll]').scrollTop = 60;
</script>"""


@dataclass(frozen=True)
class Shown:
    """A page in a tab, with a camera that knows its secrets, and one that knows none."""

    tab: Tab
    camera: Camera
    plain: Camera


async def show(caller: Caller, html: str, *, path: str = "/page") -> Shown:
    await caller.show(html, path=path)
    tab = caller.kernel.sessions.find(caller.principal, "default").current
    assert tab is not None
    masker = Masker()
    masker.add("ONE", ONE)
    masker.add("OTHER", OTHER)
    return Shown(tab, Camera(tab, masker), Camera(tab, Masker()))


def page(caller: Caller, secret: str) -> str:
    site = caller.site
    inner = f"<body style='margin:0;font:14px monospace'><p>in a frame {secret}</p>"
    near = site.page(f"/near-{secret}", inner)
    site.other.page(f"/innermost-{secret}", inner)
    deeper = site.other.url(f"/innermost-{secret}", host="b.localhost")
    site.other.page(f"/away-{secret}", f"{inner}<iframe src='{deeper}' height=60></iframe>")
    return PAGE.format(
        s=secret,
        letters="".join(f"<span>{each}</span>" for each in secret),
        head=secret[:6],
        tail=secret[6:],
        near=near,
        away=site.other.url(f"/away-{secret}", host="a.localhost"),
    )


def pixels(picture: Picture) -> Image.Image:
    return Image.open(BytesIO(picture.data)).convert("RGB")


def differ(one: Picture, other: Picture) -> bool:
    return ImageChops.difference(pixels(one), pixels(other)).getbbox() is not None


def shows_different_things(one: Picture, other: Picture) -> bool:
    """Whether they differ where neither is painted over: what moves meanwhile is so twice."""
    pictures = pixels(one), pixels(other)
    gap = ImageChops.difference(*pictures).convert("L")
    for each in pictures:
        painted = each.convert("L").point(lambda value: 255 if value else 0)
        gap = ImageChops.darker(gap, painted)
    return gap.getbbox() is not None


async def shots(shown: Shown, camera: Camera) -> dict[str, Picture]:
    """Every kind of picture of a page."""
    page = shown.tab.page
    found = {
        "page": await camera.take(replace(PNG, full_page=True)),
        "small": await camera.take(ScreenshotOptions(scale=0.4)),
        "box": await camera.window(Box(10, 10, 300, 200), options=PNG),
    }
    await page.main_frame.call("() => scrollTo(0, 300)")
    found["scrolled"] = await camera.take(PNG)
    before = page.emulation
    await page.emulate(replace(before, viewport=Viewport(900, 700, scale=2)))
    found["dense"] = await camera.take(PNG)
    await page.emulate(before)
    return found


async def test_pages_that_differ_in_their_secrets_alone_look_the_same(caller: Caller) -> None:
    taken: list[dict[str, Picture]] = []
    bare: list[Picture] = []
    for secret in (ONE, OTHER):
        shown = await show(caller, page(caller, secret), path=f"/{len(taken)}")
        bare.append(await shown.plain.take(replace(PNG, full_page=True)))
        taken.append(await shots(shown, shown.camera))
    assert differ(*bare), "they are there to be seen"
    for name in taken[0]:
        assert not shows_different_things(taken[0][name], taken[1][name]), name
    whole, veiled = pixels(bare[1]), pixels(taken[1]["page"])
    changed = ImageChops.difference(whole, veiled).convert("L").point(lambda each: each and 255)
    black = Image.new("RGB", whole.size)
    black.paste(veiled, mask=changed)
    assert black.getextrema() == ((0, 0),) * 3, "nothing was painted but black"
    assert sum(changed.histogram()[1:]) < whole.width * whole.height / 10


# --- what moves -------------------------------------------------------------------------------

GREEN = "<style>b {{ color: #0f0; font-size: 40px; position: absolute }} {0}</style><b id=b>{1}</b>"
MOVING = {
    "gliding": GREEN.format(
        "@keyframes k { to { translate: 900px } } b { animation: k 2s linear infinite }", ONE
    ),
    "jumping": GREEN.format(
        "@keyframes k { to { translate: 900px } } b { animation: k .1s steps(2) infinite }", ONE
    ),
    "blinking": GREEN.format(
        "@keyframes k { 50% { visibility: hidden } } b { animation: k .08s steps(1) infinite }", ONE
    ),
    "marquee": f"<marquee scrollamount=30 style='color:#0f0'>{ONE}</marquee>",
    "flashing": GREEN.format("", "")
    + f"<script>let n = 0; setInterval(() => {{ b.textContent = n++ % 2 ? '' : '{ONE}' }}, 40)"
    + "</script>",
    "toggled": GREEN.format("", ONE)
    + "<script>setInterval(() => { b.hidden = !b.hidden }, 30)</script>",
    "scrolling": GREEN.format("body { height: 5000px }", ONE)
    + "<script>let n = 0; (function go() { scrollTo(0, (n += 3) % 90); requestAnimationFrame(go) })()"
    + "</script>",
}


@pytest.mark.parametrize("how", MOVING)
async def test_what_moves_is_painted_over_or_the_picture_withheld(caller: Caller, how: str) -> None:
    shown = await show(caller, MOVING[how])
    for _ in range(2):
        try:
            picture = await shown.camera.take(PNG)
        except PictureWithheld:
            return
        assert not shows_green(picture.data)


async def test_what_moves_beside_it_does_not_matter(caller: Caller) -> None:
    shown = await show(
        caller,
        f"<p style='color:#0f0'>{ONE}</p><p id=clock>0</p><script>let n = 0;"
        "setInterval(() => { clock.textContent = `${n++} passed` }, 10)</script>",
    )
    assert not shows_green((await shown.camera.take(PNG)).data)


# --- what cannot be read ----------------------------------------------------------------------

DRAWN = f"""<canvas id=c width=200 height=40></canvas><img id=i><p id=p style="width:200px;height:40px">
<script>const ink = c.getContext('2d'); ink.fillStyle = '#0f0'; ink.fillText('{ONE}', 9, 20);
const url = c.toDataURL(); i.src = url; p.style.background = `url(${{url}})`;</script>"""


async def test_drawings_are_painted_over_once_scripts_know_a_secret(caller: Caller) -> None:
    shown = await show(caller, DRAWN)
    assert shows_green((await shown.camera.take(PNG)).data), "nothing says that it is one"
    shown.tab.session.parts.of(Taint, Taint).mark(shown.tab, shown.tab.page.main_frame)
    assert not shows_green((await shown.camera.take(PNG)).data)
    place = {"session": "default", "tabId": shown.tab.uuid}
    refusal = await caller.refused("camofox_images", includeData=True, **place)
    assert refusal["code"] == "document_tainted"


@pytest.mark.xfail(
    reason="A secret that a page shows in a picture, without having been filled in there, is not"
    " seen: nothing reads pictures."
)
async def test_a_picture_that_shows_a_secret(caller: Caller) -> None:
    shown = await show(caller, DRAWN)
    assert not shows_green((await shown.camera.take(PNG)).data)


async def test_fields_that_were_passwords_are_always_painted_over(caller: Caller) -> None:
    shown = await show(
        caller, "<input id=f type=password value='quite another' style='color:#0f0'>"
    )
    await shown.tab.page.main_frame.call("() => { document.querySelector('#f').type = 'text' }")
    assert shows_green((await shown.plain.take(PNG)).data)
    assert not shows_green((await shown.camera.take(PNG)).data)


# --- print ------------------------------------------------------------------------------------


async def test_print_has_no_secret_in_it(caller: Caller) -> None:
    shown = await show(caller, page(caller, ONE))
    printed = await shown.camera.pdf(PdfOptions())
    text = "".join(each.extract_text() for each in PdfReader(BytesIO(printed)).pages)
    assert ONE not in "".join(text.split())
    assert "host" not in text, "what holds one is not printed"
    assert "Printed" in text
    left = "() => document.adoptedStyleSheets.length"
    assert await shown.tab.page.main_frame.call(left) == 0


@pytest.mark.parametrize(
    "html",
    [
        f"<title>{ONE}</title>",
        f"<a href='https://example.com/?a={ONE}'>link</a>",
        f"<style>@media print {{ p::before {{ content: '{ONE}' }} }}</style><p>x",
    ],
)
async def test_print_is_withheld_where_a_secret_stays_in_it(caller: Caller, html: str) -> None:
    shown = await show(caller, html)
    with pytest.raises(PictureWithheld):
        await shown.camera.pdf(PdfOptions())


# --- every tool -------------------------------------------------------------------------------

TALE = f"""<body style="color:#0f0"><p>{ONE}</p><button style="color:#0f0">{ONE}</button>"""


@contextmanager
def known(caller: Caller) -> Iterator[None]:
    caller.kernel.masker.add("ONE", ONE)
    yield
    caller.kernel.masker.forget(SERVER)


@pytest.fixture
async def careful(mighty: Caller) -> AsyncIterator[Caller]:
    """A caller before a page that shows a secret and nothing else in green."""
    with known(mighty):
        await mighty.show(TALE)
        yield mighty


def kept(caller: Caller) -> list[bytes]:
    """Every picture that the session has kept."""
    session = caller.kernel.sessions.find(caller.principal, "default")
    files = caller.kernel.artifacts.of(session)
    return [each.path.read_bytes() for each in files if each.mime_type.startswith("image/")]


async def test_no_tool_shows_it(careful: Caller) -> None:
    ref = (await careful.ok("find", query="button"))["candidates"][0]["ref"]
    asked: list[tuple[str, dict[str, Any]]] = [
        ("screenshot", {}),
        ("screenshot", {"fullPage": True, "format": "png", "maxPixels": 20_000}),
        ("screenshot", {"ref": ref, "path": "one.webp"}),
        ("screenshot_region", {"box": {"x": 0, "y": 0, "width": 300, "height": 90}}),
        ("screenshot_marks", {"candidates": [{"ref": ref}]}),
        ("screenshot_schedule", {"everyMs": 100, "count": 2}),
        ("element_export", {"ref": ref}),
        ("visual_diff", {"before": "one.webp"}),
    ]
    seen = 0
    for tool, arguments in asked:
        reply = await careful.reply(tool, **arguments)
        assert reply.ok, reply.text
        seen += len(reply.images)
        assert not any(shows_green(each.data) for each in reply.images), tool
    assert seen == 5
    assert len(kept(careful)) == 9
    assert not any(map(shows_green, kept(careful)))
    point = await careful.ok("point_probe", coords={"x": 30, "y": 25}, crop=True)
    assert not shows_green(base64.b64decode(point["cropBase64"]))


async def test_no_film_shows_it(careful: Caller) -> None:
    await careful.ok("start_video")
    tab = careful.kernel.sessions.find(careful.principal, "default").current
    assert tab is not None
    await tab.page.main_frame.call(
        "text => { document.body.style.background = 'pink'; document.body.append(text) }", ONE
    )
    told = await careful.ok("stop_video")
    session = careful.kernel.sessions.find(careful.principal, "default")
    film = careful.kernel.artifacts.named(session, told["path"]).path.read_bytes()
    with av.open(BytesIO(film), "r") as container:
        frames = [cast("Any", each).to_image() for each in container.decode(video=0)]
    assert frames
    for frame in frames:
        file = BytesIO()
        frame.save(file, "PNG")
        assert not shows_green(file.getvalue())


# --- text that style sheets make --------------------------------------------------------------------

GREEN_TEXT = "<style>* {{ color: #0f0; font: 20px monospace }} {0}</style>{1}"
SPELT = "".join(f"\\{ord(each):x} " for each in ONE)
DRAWING = f"<svg xmlns='http://www.w3.org/2000/svg' width='300' height='40'><text y='20' fill='%230f0'>{ONE}</text></svg>"
ENCODED = base64.b64encode(DRAWING.replace("%23", "#").encode()).decode()
STYLED = {
    "list-style": GREEN_TEXT.format(f"li {{ list-style: '{ONE}' inside }}", "<ul><li>x</ul>"),
    "list-style outside": GREEN_TEXT.format(
        f"ul {{ list-style-type: '{ONE}'; margin-left: 300px }}", "<ul><li>x</ul>"
    ),
    "list-style of an element": GREEN_TEXT.format(
        "", f"<ul style=\"list-style-type: '{ONE}'; margin-left: 300px\"><li>x</ul>"
    ),
    "list-style by a property": GREEN_TEXT.format(
        f":root {{ --x: '{ONE}' }} li {{ list-style: var(--x) inside }}", "<ul><li>x</ul>"
    ),
    "list-style in escapes": GREEN_TEXT.format(
        f'li {{ list-style: "{SPELT}" inside }}', "<ul><li>x</ul>"
    ),
    "list-style in a shadow root": "<div id=h></div><script>h.attachShadow({ mode: 'open' }).innerHTML ="
    f' `<style>* {{ color: #0f0 }} li {{ list-style: "{ONE}" inside }}</style><ul><li>x</ul>`</script>',
    "list-style of an adopted sheet": GREEN_TEXT.format("", "<ul><li>x</ul>")
    + "<script>const s = new CSSStyleSheet();"
    f" s.replaceSync(`li {{ list-style: '{ONE}' inside }}`); document.adoptedStyleSheets = [s]</script>",
    "list-style of an attribute": GREEN_TEXT.format(
        "li { list-style: attr(data-x type(<string>)) inside }",
        f"<ul><li data-x='\"{ONE}\"'>x</ul>",
    ),
    "quotes": GREEN_TEXT.format(f"q {{ quotes: '{ONE}' '' }}", "<p><q>x</q>"),
    "quotes of content": GREEN_TEXT.format(
        f"p {{ quotes: '{ONE}' '' }} p::before {{ content: open-quote }}", "<p>x"
    ),
    "hyphens": GREEN_TEXT.format(
        f"p {{ hyphenate-character: '{ONE}'; width: 260px; overflow-wrap: anywhere }}",
        "<p lang=en>extraordinarily&shy;extraordinarily&shy;extraordinarily",
    ),
    "marker": GREEN_TEXT.format(
        f"li::marker {{ content: '{ONE}' }}", "<ol style=margin-left:300px><li>x</ol>"
    ),
    "marker of a summary": GREEN_TEXT.format(
        f"summary::marker {{ content: '{ONE}' }}", "<details><summary>x</summary></details>"
    ),
    "counter symbols": GREEN_TEXT.format(
        f"@counter-style s {{ system: cyclic; symbols: '{ONE}'; suffix: '' }} ul {{ list-style: s inside }}",
        "<ul><li>x</ul>",
    ),
    "counter prefix": GREEN_TEXT.format(
        f"@counter-style s {{ system: extends decimal; prefix: '{ONE}' }} ul {{ list-style: s inside }}",
        "<ul><li>x</ul>",
    ),
    "counter in content": GREEN_TEXT.format(
        f"@counter-style s {{ system: cyclic; symbols: '{ONE}' }} p::after {{ content: counter(n, s) }}",
        "<p style='counter-increment:n'>x",
    ),
    "counter of letters": GREEN_TEXT.format(
        "@counter-style s { system: symbolic; symbols: "
        + " ".join(f"'{each}'" for each in ONE)
        + " } ol { list-style: s inside }",
        "<ol>" + "".join("<li>x" for _ in ONE) + "</ol>",
    ),
    "attribute in content": GREEN_TEXT.format(
        "p::before { content: attr(data-x) }", f"<p data-x='{ONE}'>x"
    ),
    "first letter": GREEN_TEXT.format("p::first-letter { font-size: 40px }", f"<p>{ONE}"),
    "background": GREEN_TEXT.format(
        f'p {{ background: url("data:image/svg+xml,{DRAWING}"); height: 60px }}', "<p>"
    ),
    "background in base64": GREEN_TEXT.format(
        f'p {{ background: url("data:image/svg+xml;base64,{ENCODED}"); height: 60px }}', "<p>"
    ),
    "background of an element": f"<p style='height:60px;background:url(\"data:image/svg+xml;base64,{ENCODED}\")'>",
    "background of a pseudo-element": GREEN_TEXT.format(
        f'p::before {{ content: ""; display: block; height: 60px; background: url("data:image/svg+xml;base64,{ENCODED}") }}',
        "<p>x",
    ),
    "picture as content": GREEN_TEXT.format(
        f'p::before {{ content: url("data:image/svg+xml;base64,{ENCODED}") }}', "<p>x"
    ),
    "list-style picture": GREEN_TEXT.format(
        f'ul {{ list-style: inside url("data:image/svg+xml;base64,{ENCODED}") }}', "<ul><li>x</ul>"
    ),
    "keyframes": GREEN_TEXT.format(
        f"@keyframes k {{ from, to {{ list-style-type: '{ONE}' }} }}"
        " ul { list-style-position: inside; animation: k 99s infinite }",
        "<ul><li>x</ul>",
    ),
    "animation of a script": GREEN_TEXT.format("", "<ul id=u style=padding:0><li>x</ul>")
    + f"<script>u.animate({{ listStyleType: [`'{ONE}'`, `'{ONE}'`] }}, 99999);"
    " u.animate({ listStylePosition: ['inside', 'inside'] }, 99999)</script>",
    "picture of a drawing": "<svg width=300 height=60>"
    f"<image width=300 height=60 href='data:image/svg+xml;base64,{ENCODED}' /></svg>",
    "poster": f"<video width=300 height=60 poster='data:image/svg+xml;base64,{ENCODED}'></video>",
    "embedded": f"<embed width=300 height=60 src='data:image/svg+xml;base64,{ENCODED}'>",
    "border": GREEN_TEXT.format(
        f'p {{ border: 30px solid; border-image: url("data:image/svg+xml;base64,{ENCODED}") 30 fill; height: 60px }}',
        "<p>",
    ),
    "image": f"<img src='data:image/svg+xml;base64,{ENCODED}' width=300 height=60>",
    "alternative text": GREEN_TEXT.format(
        "", f"<img alt='{ONE}' src=/none.png width=300 height=60>"
    ),
}


@pytest.mark.parametrize("how", STYLED)
async def test_text_that_style_sheets_make_is_painted_over(caller: Caller, how: str) -> None:
    shown = await show(caller, STYLED[how])
    assert shows_green((await shown.plain.take(PNG)).data), "it is there to be seen"
    assert not shows_green((await shown.camera.take(PNG)).data)


CHARMLESS = STYLED["counter symbols"].replace(ONE, "quite another")


async def test_what_counts_by_symbols_of_its_own_is_covered_where_scripts_know_a_secret(
    caller: Caller,
) -> None:
    shown = await show(caller, CHARMLESS)
    assert shows_green((await shown.camera.take(PNG)).data), "nothing says that it is one"
    shown.tab.session.parts.of(Taint, Taint).mark(shown.tab, shown.tab.page.main_frame)
    assert not shows_green((await shown.camera.take(PNG)).data)


async def test_a_rule_that_scripts_change_in_place_is_read_anew_where_they_know_a_secret(
    caller: Caller,
) -> None:
    shown = await show(
        caller,
        "<style>p { color: #0f0; font: 20px monospace } p::before { color: #0f0 }</style><p>",
    )
    shown.tab.session.parts.of(Taint, Taint).mark(shown.tab, shown.tab.page.main_frame)
    await shown.camera.take(PNG)
    change = "text => { document.styleSheets[0].cssRules[1].style.content = JSON.stringify(text) }"
    await shown.tab.page.main_frame.call(change, ONE)
    assert shows_green((await shown.plain.take(PNG)).data)
    assert not shows_green((await shown.camera.take(PNG)).data)


@pytest.mark.parametrize(
    "style",
    [
        f"@page {{ @top-center {{ content: '{ONE}' }} }}",
        f"li {{ list-style: '{ONE}' inside }}",
        f"@counter-style s {{ system: cyclic; symbols: '{ONE}' }} li {{ list-style: s inside }}",
        f"q {{ quotes: '{ONE}' '' }}",
        f"li::marker {{ content: '{ONE}' }}",
    ],
)
async def test_print_has_no_such_text_either(caller: Caller, style: str) -> None:
    shown = await show(caller, f"<style>{style}</style><ul><li>x</ul><q>y</q>")
    try:
        printed = await shown.camera.pdf(PdfOptions())
    except PictureWithheld:
        return
    text = "".join(each.extract_text() for each in PdfReader(BytesIO(printed)).pages)
    assert ONE not in "".join(text.split())
