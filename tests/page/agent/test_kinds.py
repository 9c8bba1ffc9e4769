"""What each kind of element becomes."""

from __future__ import annotations

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
