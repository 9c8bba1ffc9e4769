"""Text: what is one run, and what stays out of sight."""

from __future__ import annotations

import re

import pytest

from tests.page.looks import Looks


async def test_inline_text_is_one_run_and_blocks_stay_apart(looks: Looks) -> None:
    text = await looks.text(
        "<p>Count: <span>3</span></p><p>a<b>b</b>c</p><div>one</div><div>two</div>"
        "<span style=display:block>x</span><span style=display:block>y</span>"
    )
    assert text.splitlines() == [
        "- text: Count: 3",
        "- text: abc",
        "- text: one",
        "- text: two",
        "- text: x y",
    ]


HIDDEN = {
    "display": "<p style=display:none>{}</p>",
    "attribute": "<p hidden>{}</p>",
    "visibility": "<p style=visibility:hidden>{}</p>",
    "opacity": "<p style=opacity:0>{}</p>",
    "far left": "<p style='position:absolute;left:-9999px'>{}</p>",
    "text indent": "<p style='text-indent:-9999px'>{}</p>",
    "tiny": "<p style=font-size:1px>{}</p>",
    "no size": "<p style=font-size:0>{}</p>",
    "white on white": "<p style='color:#fff;background:#fff'>{}</p>",
    "transparent ink": "<p style=color:transparent>{}</p>",
    "clip": "<p style='position:absolute;clip:rect(0,0,0,0)'>{}</p>",
    "clip path": "<p style=clip-path:inset(100%)>{}</p>",
    "one pixel": "<p style='width:1px;height:1px;overflow:hidden'>{}</p>",
    "closed details": "<details><summary>s</summary>{}</details>",
    "template": "<template>{}</template>",
    "comment": "<!-- {} -->",
    "closed dialog": "<dialog>{}</dialog>",
    "scaled away": "<p style='transform:scale(0)'>{}</p>",
    "nearly scaled away": "<p style='transform:scale(.05);width:40px'>{}</p>",
    "little opacity": "<p style=opacity:.01>{}</p>",
    "little opacity of a word": "<p><span style=opacity:.02>{}</span></p>",
    "opacities multiplied": "<div style=opacity:.3><div style=opacity:.3><p style=opacity:.5>{}</p></div></div>",
    "filter": "<p style='filter:opacity(0)'>{}</p>",
    "filter of a word": "<p><span style='filter:opacity(2%)'>{}</span></p>",
    "filter around": "<div style='filter:blur(0) opacity(.01)'><p>{}</p></div>",
    "no contrast left": "<p style='filter:contrast(0)'>{}</p>",
    "blurred": "<p style='filter:blur(40px)'>{}</p>",
    "mask": "<p style='mask-image:linear-gradient(transparent,transparent)'>{}</p>",
    "mask around": "<div style='-webkit-mask-image:radial-gradient(rgba(0,0,0,0),rgba(0,0,0,.01))'><p>{}</p></div>",
    "mask of no size": "<p style='mask-image:linear-gradient(#000,#000);mask-size:0 0;mask-repeat:no-repeat'>{}</p>",
    "below its block": "<div style=background:#fff><p style='position:relative;z-index:-1'>{}</p></div>",
    "below a neighbour": (
        "<div style=position:relative;height:40px;background:#eee;isolation:isolate>"
        "<p style='position:absolute;z-index:-2;margin:0'>{}</p>"
        "<div style=position:absolute;inset:0;background:#eee></div></div>"
    ),
    "far right": "<p style='position:absolute;left:99999px'>{}</p>",
    "pushed far right": "<p style='margin-left:9999px'>{}</p>",
    "moved far right": "<p style='transform:translateX(20000px)'>{}</p>",
    "far below": "<p style='position:absolute;top:999999px'>{}</p>",
    "far right of a box": "<div style=overflow:hidden;position:relative><p style='position:relative;left:9999px'>{}</p></div>",
    "empty polygon": "<p style='clip-path:polygon(0 0,0 0,0 0)'>{}</p>",
    "flat polygon": "<p style='clip-path:polygon(0 50%,100% 50%,50% 50%)'>{}</p>",
    "polygon elsewhere": "<p style='clip-path:polygon(200% 0,300% 0,300% 100%)'>{}</p>",
    "inset from below": "<p style='clip-path:inset(0 0 100% 0)'>{}</p>",
    "circle elsewhere": "<p style='clip-path:circle(5px at -50px -50px)'>{}</p>",
    "flat ellipse": "<p style='clip-path:ellipse(50% 0)'>{}</p>",
    "empty path": "<p style=\"clip-path:path('M0 0')\">{}</p>",
    "empty drawing as a clip": "<svg width=0 height=0><clipPath id=none></clipPath></svg><p style='clip-path:url(#none)'>{}</p>",
    "clip elsewhere": "<p style='position:absolute;clip:rect(900px,1000px,990px,900px)'>{}</p>",
    "clip of a word": "<p><span style='clip-path:circle(0)'>{}</span></p>",
    "back": "<p style='backface-visibility:hidden;transform:rotateY(180deg)'>{}</p>",
    "back of a card": (
        "<div style=transform-style:preserve-3d;transform:rotateX(180deg)>"
        "<p style=backface-visibility:hidden>{}</p></div>"
    ),
    "back by rotate": "<p style='backface-visibility:hidden;rotate:y 180deg'>{}</p>",
    "fallback of a canvas": "<canvas>{}</canvas>",
    "paragraph in a canvas": "<canvas><p>{}</p></canvas>",
    "fallback of a video": "<video src=data:,>{}</video>",
    "fallback of an object": "<object type=image/png data=data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=>{}</object>",
    "fallback of a meter": "<meter value=.5>{}</meter><progress value=.5>p</progress>",
    "fallback of a sound": "<audio controls>{}</audio>",
}
SHOWN = {
    "half": "<p style=opacity:.5>{}</p>",
    "grey": "<p style='opacity:.6;color:#333'>{}</p>",
    "soft mask": "<p style='mask-image:linear-gradient(#000,transparent)'>{}</p>",
    "picture as a mask": "<p style='mask-image:url(a.svg)'>{}</p>",
    "slight blur": "<p style='filter:blur(1px)'>{}</p>",
    "filters": "<p style='filter:contrast(1.2) brightness(.9) opacity(.9)'>{}</p>",
    "below nothing": "<p style='position:relative;z-index:-1'>{}</p>",
    "below, in a context of its own": "<div style='background:#fff;isolation:isolate'><p style='position:relative;z-index:-1'>{}</p></div>",
    "body with a background": "<body style=background:#fff><p style='position:relative;z-index:-1'>{}</p>",
    "cut a little": "<p style='clip-path:inset(1px round 4px)'>{}</p>",
    "polygon": "<p style='clip-path:polygon(0 0,100% 0,100% 100%,0 90%)'>{}</p>",
    "circle": "<p style='clip-path:circle(50%)'>{}</p>",
    "front": "<p style='backface-visibility:hidden;transform:rotateY(20deg)'>{}</p>",
    "front of a turned card": (
        "<div style=transform-style:preserve-3d;transform:rotateY(180deg)>"
        "<p style='backface-visibility:hidden;transform:rotateY(180deg)'>{}</p></div>"
    ),
    "wide box that scrolls": "<div style=overflow:auto;height:60px><div style=width:90000px;position:relative><p style='position:absolute;left:50000px'>{}</p></div></div>",
    "tall list": "<div style=height:900000px;position:relative><p style='position:absolute;top:500000px'>{}</p></div>",
    "wide table": "<div style=width:30000px;text-align:right><p>{}</p></div>",
    "low font, large scale": "<p style='transform:scale(2);font-size:8px'>{}</p>",
}
"""Near to it, and in plain sight."""


@pytest.mark.parametrize("way", HIDDEN)
async def test_hidden_text_stays_out(looks: Looks, way: str) -> None:
    page = "<p>seen</p>" + HIDDEN[way].format("SECRET")
    shown = await looks.see(page)
    assert "SECRET" not in shown.text
    assert "seen" in shown.text
    if way in {"template", "comment"} or "canvas" in way or "fallback" in way:
        return
    assert shown.hidden == 1
    asked = await looks.text(hidden=True)
    assert re.search(r"- text \[hidden[^]]*\]: SECRET", asked)
    assert "- text: seen" in asked


@pytest.mark.parametrize("way", SHOWN)
async def test_what_only_looks_like_it_is_shown(looks: Looks, way: str) -> None:
    shown = await looks.see("<p>seen</p>" + SHOWN[way].format("PUBLIC"))
    assert "PUBLIC" in shown.text
    assert shown.hidden == 0


async def test_faint_text_over_a_picture_is_shown(looks: Looks) -> None:
    dot = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="
    hero = (
        f"<div style=position:relative><img src='{dot}' width=300 height=100 alt=''>"
        "<p style='position:absolute;top:10px;color:#fff'>Over the picture</p></div>"
    )
    text = await looks.text(f"{hero}<div style=height:3000px></div>{hero}")
    # Out of view nobody can tell what is really painted there, so the text is flagged.
    assert text.splitlines() == [
        "- text: Over the picture",
        "- text [low_contrast]: Over the picture",
    ]


async def test_a_long_text_is_split_into_lines(looks: Looks) -> None:
    words = " ".join(f"word{n}" for n in range(400))
    lines = (await looks.text(f"<p>{words}</p>", budget=5000)).splitlines()
    assert len(lines) > 4
    assert " ".join(line.removeprefix("- text: ") for line in lines) == words
