"""What each kind of element becomes."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.page.looks import Looks


async def test_contenteditable_tells_its_text(looks: Looks) -> None:
    text = await looks.text(
        "<div contenteditable>Dear <b>you</b></div>"
        "<div contenteditable role=textbox aria-label=Body>"
        "<p>one<p>two</div>"
    )
    assert text.splitlines() == [
        "- textbox [e1] [contenteditable]: Dear you",
        '- textbox "Body" [e2]: one two',
    ]


async def test_text_that_repeats_a_name_is_left_out(looks: Looks) -> None:
    text = await looks.text(
        "<fieldset><legend>Where to</legend><label for=c>City</label><input id=c></fieldset>"
        "<a href=x><span>Open</span> <b>it</b></a><h2><span>Head</span></h2>"
    )
    assert text.splitlines() == [
        '- group "Where to"',
        '  - textbox "City" [e1]',
        '- link "Open it" [e2]',
        '- heading "Head" [level=2]',
    ]


async def test_clickable_elements_without_a_role(looks: Looks) -> None:
    text = await looks.text(
        "<div style=cursor:pointer><span>Open <i>me</i></span></div><div onclick=1>Run</div>"
        "<div tabindex=0>Tab</div><div tabindex=-1>Not</div>"
        "<div onclick=1><h3>Card</h3><p>More</p></div><ul><li onclick=1>Pick</ul>"
    )
    assert text.splitlines() == [
        '- clickable "Open me" [e1]',
        '- clickable "Run" [e2]',
        '- clickable "Tab" [e3]',
        "- text: Not",
        "- clickable [e4]",
        '  - heading "Card" [level=3]',
        "  - text: More",
        "- list",
        "  - listitem [e5] [clickable]: Pick",
    ]


async def test_images_measures_and_details(looks: Looks) -> None:
    text = await looks.text(
        "<img alt='A cat' src=x><img alt='' src=x><svg><title>Logo</title></svg>"
        "<progress value=0.5 aria-label=Up></progress>"
        "<details><summary>More</summary>inside</details>"
        "<details open><summary>Less</summary>shown</details>"
    )
    assert text.splitlines() == [
        '- img "A cat"',
        '- img "Logo"',
        '- progressbar "Up": 0.5',
        '- summary "More" [e1] [collapsed]',
        '- summary "Less" [e2] [expanded]',
        "- text: shown",
        "… 1 hidden text left out",
    ]


async def test_modal_dialogs_and_popovers_come_first(looks: Looks) -> None:
    text = await looks.text(
        "<p>Behind</p><dialog id=d><h2>Sure?</h2><button>Yes</button></dialog>"
        "<div id=p popover>Tip</div><script>d.showModal(); p.showPopover()</script>"
    )
    assert text.splitlines() == [
        "- dialog [e1] [modal]",
        '  - heading "Sure?" [level=2]',
        '  - button "Yes" [e2] [focused]',
        "- popover [e3]: Tip",
        "- text: Behind",
    ]


PAGES = Path(__file__).parents[2] / "oracle" / "pages"
LINE = re.compile(r'\s*- (\w+)(?: ("(?:[^"\\]|\\.)*"))?')


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.glob("*.html")))
async def test_every_control_is_told_with_its_role_and_name(looks: Looks, page: str) -> None:
    base = looks.tab.site.files("/oracle", PAGES)
    await looks.tab.page.navigate(f"{base}/{page}", until="load")
    frame = looks.tab.page.main_frame
    expected = Counter(
        (role, name)
        for role, name in await looks.tab.agent.call(frame, "aria_elements")
        if role != "option" and len(name) < 200
    )
    text = await looks.text(mode="interactive", budget=200_000)
    told = Counter(
        (found[1], json.loads(found[2] or '""'))
        for found in (LINE.match(line) for line in text.splitlines())
        if found is not None
    )
    assert expected - told == Counter()


async def test_controls_in_drawings_and_fallbacks(looks: Looks) -> None:
    text = await looks.text(
        "<div role=img aria-label=Chart><a href=#bar>bar</a> words</div>"
        "<div role=button tabindex=0>outer <a href=#in>inner</a></div>"
        "<object><button>in object</button></object>"
    )
    assert text.splitlines() == [
        '- img "Chart"',
        '- link "bar" [e1]',
        '- button "outer inner" [e2]',
        '  - link "inner" [e3]',
        '- button "in object" [e4]',
    ]
