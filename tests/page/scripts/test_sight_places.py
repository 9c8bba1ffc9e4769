"""Where parts of a frame's text are."""

from __future__ import annotations

import pytest

from tests.page.scripts.test_sight_text import SCRIPT, read
from tests.support.tabs import Tab


async def places(tab: Tab, html: str, part: str) -> list[list[float]]:
    said = await read(tab, f"<body style='margin:0;font:20px/20px monospace'>{html}")
    start = said["text"].index(part)
    answer = await tab.agent.call(
        tab.page.main_frame, SCRIPT, step="place", spans=[[start, start + len(part)]], again=True
    )
    boxes: list[list[float]] = answer["boxes"]
    return boxes


POSITIONED = (
    "<style>p{position:relative}p::after{content:'cd';position:absolute;left:200px}</style>"
    "<p style='margin:40px'>x"
)


@pytest.mark.parametrize(
    ("html", "inside"),
    [
        ("<p style='margin:0'>ab<b>cd</b>ef", (24, 2, 24, 16)),
        ("<p style='margin:0;rotate:90deg;width:20px;height:20px'>cd", (2, 0, 16, 24)),
        ("<p style='margin:30px;text-shadow:100px 0 red'>cd", (130, 32, 24, 16)),
        ("<style>p{margin:0}p::after{content:'cd'}</style><p>", (0, 2, 24, 16)),
        (POSITIONED, (240, 42, 24, 16)),
        ("<style>p::after{content:'cd';position:relative;left:700px}</style><p>", (700, 22, 24, 9)),
        ("<svg><defs><text id=t y=20>cd</text></defs><use href=#t x=90></svg>", (90, 5, 24, 14)),
        ("<input value=cd style='border:0;width:200px'>", (0, 0, 200, 20)),
    ],
)
async def test_boxes_hold_all_that_is_painted(
    tab: Tab, html: str, inside: tuple[float, float, float, float]
) -> None:
    x, y, width, height = inside
    assert any(
        left <= x and top <= y and left + wide >= x + width and top + high >= y + height
        for left, top, wide, high in await places(tab, html, "cd")
    )


async def test_only_what_was_asked_for(tab: Tab) -> None:
    (box,) = await places(tab, "<p style='margin:0'>abcdef</p>", "cd")
    assert box[0] > 12
    assert box[0] + box[2] < 60
    assert await places(tab, "<p hidden>cd", "cd") == []
