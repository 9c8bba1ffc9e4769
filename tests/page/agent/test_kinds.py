"""What each kind of element becomes."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.oracle.corpus import repeated
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
    ]


async def test_headings_and_pictures_that_nobody_sees_are_marked(looks: Looks) -> None:
    text = await looks.text(
        "<h1>Seen</h1><h2 style=opacity:.01>A</h2><h2 style=color:#fff>B</h2>"
        "<div style=background:#fff><h2 style='position:relative;z-index:-1'>C</h2></div>"
        "<h2 style='position:absolute;clip-path:inset(50%)'>For ears</h2>"
        "<img alt=D src=x style='filter:opacity(0)' width=50 height=50><img alt=E src=x>"
    )
    assert text.splitlines() == [
        '- heading "Seen" [level=1]',
        '- heading "A" [level=2] [hidden: transparent]',
        '- heading "B" [level=2] [low_contrast]',
        '- heading "C" [level=2] [hidden: covered]',
        '- heading "For ears" [level=2]',
        '- img "D" [hidden: transparent]',
        '- img "E"',
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
        "- background [inert]: Behind",
    ]


PAGES = Path(__file__).parents[2] / "oracle" / "pages"
LINE = re.compile(r'\s*- (\w+)(?: ("(?:[^"\\]|\\.)*"))?(?:.* \[hidden: ("(?:[^"\\]|\\.)*")\])?')


def letters(name: str) -> str:
    """What of a name is there, whichever way it is split into words that are seen and others."""
    return "".join(sorted("".join(name.split())))


def told(line: re.Match[str]) -> tuple[str, str]:
    """The role and the name on a line, with the words that nobody sees."""
    return line[1], letters("".join(json.loads(each or '""') for each in (line[2], line[3])))


@pytest.mark.parametrize("page", sorted(path.name for path in PAGES.glob("*.html")))
async def test_every_control_is_told_with_its_role_and_name(looks: Looks, page: str) -> None:
    base = looks.tab.site.files("/oracle", PAGES)
    await looks.tab.page.navigate(f"{base}/{page}", until="load")
    frame = looks.tab.page.main_frame
    expected = Counter(
        (role, letters(name))
        for role, name in await looks.tab.agent.call(frame, "aria_elements")
        if role != "option" and len(name) < 200
    )
    text = await looks.text(mode="interactive", budget=200_000)
    shown = Counter(
        told(found)
        for found in (LINE.match(line) for line in text.splitlines())
        if found is not None
    )
    left_out = {(role, letters(name)) for role, name in repeated(f"pages/{page}")}
    assert set(expected - shown) == left_out


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


BEHIND = (
    "<div id=root><h1>Page</h1><button aria-label=Save>S</button><button><i>Plain</i></button>"
    "<label>Name <input></label><select aria-label=Size><option>S</select><p>Words</p></div>"
    "<div id=host></div>"
)
OPEN = (
    "root.setAttribute('aria-hidden', 'true'); host.innerHTML = '<div role=dialog aria-modal=true"
    " aria-label=Sure><button>Yes</button></div>'"
)


async def test_a_modal_takes_no_names_away_and_is_what_changed(looks: Looks) -> None:
    await looks.text(BEHIND)
    assert (await looks.changes(OPEN)).splitlines() == [
        '+ dialog "Sure" [e5] [modal]',
        '  + button "Yes" [e6]',
    ]
    assert (await looks.text()).splitlines() == [
        '- dialog "Sure" [e5] [modal]',
        '  - button "Yes" [e6]',
        "- background [inert]",
        '  - heading "Page" [level=1]',
        '  - button "Save" [e1]',
        '  - button "Plain" [e2]',
        '  - textbox "Name" [e3]',
        '  - combobox "Size" [e4]: S',
        '    - option "S" [selected]',
        "  - text: Words",
    ]
    assert await looks.tab.ref('role=button[name="Save"]') == "e1"
    closed = await looks.changes("root.removeAttribute('aria-hidden'); host.innerHTML = ''")
    assert closed == '- dialog "Sure" [e5]'


async def test_media_and_pictures_without_a_name(looks: Looks) -> None:
    text = await looks.text(
        "<canvas></canvas><video controls src=/media/clip.mp4></video><audio controls></audio>"
        "<img src=/pics/cat.jpg width=40 height=40><img src=/p.gif width=1 height=1>"
        "<svg width=200 height=50><title>Chart</title><text x=10 y=20>Sales 42</text></svg>"
        "<svg width=99 height=50><text x=10 y=20>Bare</text></svg>"
        "<button><svg data-testid=DeleteIcon width=9 height=9></svg></button>"
        "<a href=x><img src=/logo.png width=50 height=50></a>"
    )
    assert text.splitlines() == [
        "- canvas [e1]",
        '- video "clip" [e2]',
        "- audio [e3]",
        "- img [src=cat]",
        '- img "Chart"',
        "- text: Sales 42",
        "- text: Bare",
        "- button [e4] [icon=Delete]",
        "- link [e5] [icon=logo]",
    ]


async def test_what_can_be_dragged_has_a_ref(looks: Looks) -> None:
    text = await looks.text(
        "<div draggable=true>Task</div><ul><li draggable=true>Card</ul>"
        "<img draggable=true alt=Pin width=9 height=9><button draggable=true>B</button>"
        "<div draggable=false>Not</div>"
    )
    assert text.splitlines() == [
        '- item "Task" [e1] [draggable]',
        "- list",
        "  - listitem [e2] [draggable]: Card",
        '- img "Pin" [e3] [draggable]',
        '- button "B" [e4] [draggable]',
        "- text: Not",
    ]


async def test_marks_that_stand_alone_are_kept_and_separators_are_not(looks: Looks) -> None:
    text = await looks.text(
        "<p><span>}</span></p><p>-</p><p>…</p><p>+</p>"
        "<div><a href=a>A</a> | <a href=b>B</a>, <a href=c>C</a></div><p>\ue001</p>"
    )
    assert text.splitlines() == [
        "- text: }",
        "- text: -",
        "- text: …",
        "- text: +",
        '- link "A" [e1]',
        '- link "B" [e2]',
        '- link "C" [e3]',
    ]


async def test_a_labelled_contenteditable_tells_its_text(looks: Looks) -> None:
    html = "<div contenteditable aria-label=Rich id=t>hello</div>"
    assert await looks.text(html) == '- textbox "Rich" [e1] [contenteditable]: hello'
    changes = await looks.changes("document.getElementById('t').textContent = 'bye'")
    assert changes == '~ textbox "Rich" [e1] [contenteditable]: bye'
    result = await looks.tab.actions.fill("e1", "new", caller=looks.caller)
    assert result.after["value"] == "new"


async def test_long_values_are_told_in_full_with_a_continuation_where_needed(looks: Looks) -> None:
    words = " ".join(f"word{number}" for number in range(300))
    html = f"<textarea aria-label=Long>{words}</textarea><p>end</p>"
    text = await looks.text(html)
    assert text.startswith(f'- textbox "Long" [e1] [{len(words)} characters]: word0 ')
    assert "- text: end" in text
    told = " ".join(line.partition(": ")[2] for line in text.splitlines()[:-1])
    assert told == words
    short = await looks.see(budget=300)
    assert short.truncated
    rest = await looks.text(continuation=short.continuation)
    assert "word299" in rest


async def test_descriptions_in_plain_sight_are_not_repeated(looks: Looks) -> None:
    text = await looks.text(
        "<input aria-label=F aria-describedby=a><span id=a>Help</span>"
        "<input aria-label=G aria-describedby=b><span id=b hidden>Only here</span>"
    )
    assert text.splitlines()[:3] == [
        '- textbox "F" [e1]',
        "- text: Help",
        '- textbox "G" [e2] [description "Only here"]',
    ]


async def test_what_neither_eyes_nor_assistive_technology_meet_is_not_listed(looks: Looks) -> None:
    hidden = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"
    text = await looks.text(
        f"<select aria-hidden=true tabindex=-1 style='{hidden}'><option>one</select>"
        "<input aria-hidden=true tabindex=-1 value=x style='opacity:0'><button>Shown</button>"
    )
    assert text.splitlines()[0] == '- button "Shown" [e1]'
