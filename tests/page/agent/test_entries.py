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
}


@pytest.mark.parametrize("way", HIDDEN)
async def test_hidden_text_stays_out(looks: Looks, way: str) -> None:
    page = "<p>seen</p>" + HIDDEN[way].format("SECRET")
    shown = await looks.see(page)
    assert "SECRET" not in shown.text
    assert "seen" in shown.text
    if way in {"template", "comment"}:
        return
    assert shown.hidden == 1
    asked = await looks.text(hidden=True)
    assert re.search(r"- text \[hidden[^]]*\]: SECRET", asked)
    assert "- text: seen" in asked


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
