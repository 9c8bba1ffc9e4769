"""Everything that can be clicked has a ref, once."""

from __future__ import annotations

from tests.page.looks import Looks


def listening(html: str) -> str:
    """The page, with a listener on every element of class `on`."""
    script = "for (const el of document.querySelectorAll('.on')) el.addEventListener('click', f)"
    return f"{html}<script>const f = () => 1; {script}</script>"


async def test_things_inside_a_container_with_a_hand_are_told_one_by_one(looks: Looks) -> None:
    text = await looks.text(
        listening(
            "<div style=cursor:pointer><span class=on>Reply</span>"
            " <span class=on>Forward</span></div>"
            "<style>.bar, .bar b { cursor: pointer }</style>"
            "<div class=bar><b>Cut</b> <b>Copy</b></div>"
        )
    )
    assert text.splitlines() == [
        '- clickable "Reply" [e1]',
        '- clickable "Forward" [e2]',
        '- clickable "Cut" [e3]',
        '- clickable "Copy" [e4]',
    ]


async def test_elements_without_attributes(looks: Looks) -> None:
    text = await looks.text(
        "<style>.menu li { cursor: pointer } i:hover { cursor: pointer }</style>"
        "<ul class=menu><li>One<li>Two</ul><i>Hover</i>"
        "<p><a>Delete</a> <a>Plain</a></p>"
        "<script>document.querySelector('a').onclick = () => 1</script>"
    )
    assert text.splitlines() == [
        "- list",
        "  - listitem [e1] [clickable]: One",
        "  - listitem [e2] [clickable]: Two",
        '- clickable "Hover" [e3]',
        '- clickable "Delete" [e4]',
        "- text: Plain",
    ]


async def test_items_of_a_list_that_listens_for_them(looks: Looks) -> None:
    text = await looks.text(
        listening(
            "<ul tabindex=0 class=on><li><div tabindex=-1>Ada</div><li><div tabindex=-1>Algol</div>"
            "</ul>"
        )
    )
    assert text.splitlines() == [
        "- list",
        "  - listitem [e1] [clickable]: Ada",
        "  - listitem [e2] [clickable]: Algol",
    ]


async def test_a_title_names_what_shows_no_text(looks: Looks) -> None:
    text = await looks.text(
        listening(
            "<a class=on title=Next><span style='position:absolute;left:-999px'>Next</span></a>"
        )
    )
    assert text.splitlines()[0] == '- clickable "Next" [e1]'


async def test_a_container_is_not_told_around_what_it_holds(looks: Looks) -> None:
    text = await looks.text(
        listening(
            "<div style=cursor:pointer><button>X</button></div>"
            "<div style=cursor:pointer title=Y><button>Y</button></div>"
            "<div class=on><button>Z</button></div>"
            "<style>.item { cursor: pointer }</style>"
            "<ul><li class=item><a href=x>Link</a></ul>"
            "<a href=y style=cursor:pointer><span style=cursor:pointer>Inner</span></a>"
            "<button><span class=on>Same</span></button>"
            "<div tabindex=0>Words <button>In</button></div>"
            "<div class=on><p>alpha</p><button>real</button></div>"
        )
    )
    assert text.splitlines() == [
        '- button "X" [e1]',
        '- button "Y" [e2]',
        '- button "Z" [e3]',
        "- list",
        '  - link "Link" [e4]',
        '- link "Inner" [e5]',
        '- button "Same" [e6]',
        "- text: Words",
        '- button "In" [e7]',
        "- text: alpha",
        '- button "real" [e8]',
    ]


async def test_what_handles_clicks_inside_a_control_has_its_own_ref(looks: Looks) -> None:
    text = await looks.text(
        listening("<div role=tab tabindex=0>File <span class=on>×</span></div>")
    )
    assert text.splitlines() == ['- tab "File ×" [e1]', '  - clickable "×" [e2]']


async def test_headings_cells_and_shapes_that_can_be_clicked(looks: Looks) -> None:
    text = await looks.text(
        listening(
            "<h3 class=on>Section</h3><table><tr><td class=on>7</table>"
            "<svg><circle class=on r=9 fill=red /></svg>"
        )
    )
    assert text.splitlines() == [
        '- heading "Section" [e1] [level=3] [clickable]',
        "- table [e2]",
        "  - row",
        "    - cell [e3] [clickable]: 7",
        '- clickable "red circle" [e4]',
    ]


async def test_the_label_of_a_hidden_control_stands_for_it(looks: Looks) -> None:
    text = await looks.text(
        "<input type=checkbox checked id=c style=display:none><label for=c>Dark</label>"
    )
    assert text == '- clickable "Dark" [e1] [checked]'


async def test_listeners_of_what_comes_later_are_heard_of(looks: Looks) -> None:
    await looks.text("<p>x</p><div id=box></div>")
    changes = await looks.changes(
        "const el = document.createElement('span'); el.textContent = 'Late';"
        "el.addEventListener('pointerdown', () => 1); document.getElementById('box').append(el)"
    )
    assert changes == '+ clickable "Late" [e1]'


async def test_listeners_of_frames_are_heard_of(looks: Looks) -> None:
    looks.tab.site.page("/inner", listening("<span class=on>Inner</span>"))
    text = await looks.text(f"<iframe src={looks.tab.site.url('/inner')}></iframe>")
    assert '  - clickable "Inner" [f1e1]' in text.splitlines()


async def test_the_label_of_a_list_that_nobody_sees_is_text(looks: Looks) -> None:
    text = await looks.text(
        "<label for=s>Country</label><select id=s style=display:none><option>France</select>"
        "<span role=combobox tabindex=0 aria-label=France><span role=textbox>France</span></span>"
    )
    assert text.splitlines()[:2] == ["- text: Country", '- combobox "France" [e1]']


async def test_icons_of_style_sheets_have_a_ref(looks: Looks) -> None:
    text = await looks.text(
        listening(
            "<style>i { display: inline-block; width: 20px; height: 20px }"
            ".bin { content: url(/pics/trash.svg) } .post { background: url(/pics/send-mail.png) }"
            ".star::before { content: url(/pics/star.svg) } .hand { cursor: pointer }</style>"
            "<i class='bin on'></i><i class='post hand'></i><i class='star on'></i><i class=bin></i>"
        )
    )
    assert [line for line in text.splitlines() if "[e" in line] == [
        '- clickable "trash" [e1]',
        '- clickable "send-mail" [e2]',
        '- clickable "star" [e3]',
    ]


async def test_small_icons_in_rows_that_can_be_clicked_have_a_ref(looks: Looks) -> None:
    picture = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="
    text = await looks.text(
        listening(
            "<style>.row, .icon { cursor: pointer } .icon { float: right; height: 12px; width: 12px;"
            " opacity: .4 } .bin { content: url(/pics/trash.svg) } .star::before { content: '*' }"
            "</style><div class='row on'><b>Mail</b> from Ann<span><i class='icon bin on'></i>"
            f"<img class='icon on' src='{picture}' title=Flag><b class='icon star on'></b>"
            "<svg class='icon on' aria-label=Pin viewBox='0 0 9 9'><path d='M0 0h9v9z'/></svg>"
            "</span></div>"
        )
    )
    told = [line for line in text.splitlines() if "[e" in line]
    assert len(told) == 5, text
    assert all(word in text for word in ("Mail from Ann", "trash", "Flag", "Pin"))


async def test_a_muted_control_that_is_seen_is_told(looks: Looks) -> None:
    text = await looks.text(
        "<style>.up, .down { display: inline-block; width: 26px; height: 18px;"
        " text-indent: -9999px; background: silver }</style><input aria-label=Amount>"
        "<a class=up tabindex=-1 aria-hidden=true role=button><i class='ui-icon-triangle-1-n'></i>"
        "<i>&nbsp;</i></a>"
        + listening("<b class='down on' aria-hidden=true><i class='ui-icon-triangle-1-s'></i></b>")
    )
    assert text.splitlines() == [
        '- textbox "Amount" [e1]',
        "- button [e2] [icon=triangle 1 n]",
        '- clickable "triangle 1 s" [e3]',
    ]


async def test_what_nobody_sees_of_a_widget_is_left_out(looks: Looks) -> None:
    text = await looks.text(
        "<style>.bar { display: inline-block; width: 6px; height: 40px; background: red }</style>"
        + listening(
            "<div tabindex=0 class=guard></div><b class='bar on' style=cursor:col-resize></b>"
            "<b class='bar on' style=background:none></b><b class='bar on' style=opacity:0></b>"
            "<b class='bar on fold-cell'></b><i class=on style=opacity:0><svg width=9></svg></i>"
        )
    )
    assert text.splitlines() == ['- clickable "bar" [e1]', '- clickable "on" [e2]']


async def test_what_a_slot_shows_is_in_its_element(looks: Looks) -> None:
    text = await looks.text(
        "<div id=h><p>First</p><p>Second</p></div><script>h.attachShadow({mode: 'open'})"
        ".innerHTML = '<div tabindex=0><slot></slot></div>'</script>"
    )
    assert text.splitlines() == ["- text: First", "- text: Second"]


async def test_a_part_that_fills_a_control_is_that_control(looks: Looks) -> None:
    text = await looks.text(
        listening(
            "<button aria-label=Colour><b class=on style='display:block;height:20px'></b></button>"
            "<button aria-label=Rate style=width:90px><b class=on><svg width=9></svg></b></button>"
        )
    )
    assert text.splitlines() == [
        '- button "Colour" [e1]',
        '- button "Rate" [e2]',
        '  - clickable "on" [e3]',
    ]


SERVING = (
    "<style>.row:hover { background: silver } .tile { user-select: none }</style>"
    "<script>const serve = (id) => document.getElementById(id)"
    ".addEventListener('click', (event) => event.target.closest('div, tr, td'));</script>"
)


async def test_like_things_that_one_listener_serves(looks: Looks) -> None:
    text = await looks.text(
        f"{SERVING}<div id=a><div class=row>Ada</div><div class=row>Bob</div></div>"
        "<div id=b><section><div class=tile>Red</div><div class=tile>Blue</div></section></div>"
        "<table id=c><tr data-id=1><td>One<td>1<tr data-id=2><td>Two<td>2</table>"
        "<table><tbody id=d><tr><td>Three<tr><td>Four</table>"
        "<div id=e><p data-key=x>Left</p><p data-key=y>Right</p></div>"
        "<script>'abcde'.split('').forEach(serve)</script>"
    )
    assert text.splitlines() == [
        '- clickable "Ada" [e1]',
        '- clickable "Bob" [e2]',
        '- clickable "Red" [e3]',
        '- clickable "Blue" [e4]',
        "- table [e5]",
        "  - row [e6] [clickable]: One | 1",
        "  - row [e7] [clickable]: Two | 2",
        "- table [e8]",
        "  - row [e9] [clickable]: Three",
        "  - row [e10] [clickable]: Four",
        '- clickable "Left" [e11]',
        '- clickable "Right" [e12]',
    ]


async def test_no_listener_makes_everything_around_it_clickable(looks: Looks) -> None:
    text = await looks.text(
        f"{SERVING}<div id=a><p>One</p><p>Two</p><div><p data-k=1>Three</p></div>"
        "<div class=row>Alone</div><button>Real</button>"
        "<div style=user-select:none><p>Line</p><p>Line 2</p></div>"
        "<span style=user-select:none>/</span><span style=user-select:none>-</span>"
        "<span><b data-k=1 aria-hidden=true>/</b><b data-k=2 aria-hidden=true>.</b></span></div>"
        "<div id=b><div class=row>Ada</div><div class=row>Bob</div></div>"
        "<script>serve('a'); for (const type of Object.keys(window).filter("
        "(key) => key.startsWith('on')).slice(0, 60).concat('onclick'))"
        " b.addEventListener(type.slice(2), () => 1)</script>"
    )
    assert [line for line in text.splitlines() if "[e" in line] == ['- button "Real" [e1]']
    assert "Bob" in text


async def test_served_things_in_a_part_of_the_page(looks: Looks) -> None:
    await looks.text(
        f"{SERVING}<div id=a><section aria-label=List><div class=row>Ada</div>"
        "<div class=row>Bob</div></section></div><script>serve('a')</script>"
    )
    text = await looks.text(scope="e1")
    assert text.splitlines() == [
        '- region "List" [e1]',
        '  - clickable "Ada" [e2]',
        '  - clickable "Bob" [e3]',
    ]


async def test_listeners_in_shadow_roots_are_heard_of(looks: Looks) -> None:
    text = await looks.text(
        "<div id=h></div><script>const root = h.attachShadow({mode: 'open'});"
        "root.innerHTML = '<p>Words</p><b>Star</b><div id=i></div>';"
        "root.querySelector('b').addEventListener('click', () => 1);"
        "const inner = root.getElementById('i').attachShadow({mode: 'open'});"
        "inner.innerHTML = '<u>Deep</u>'; inner.firstChild.onclick = () => 1;</script>"
    )
    assert text.splitlines() == [
        "- text: Words",
        '- clickable "Star" [e1]',
        '- clickable "Deep" [e2]',
    ]


async def test_listeners_in_a_closed_shadow_root_are_heard_of(looks: Looks) -> None:
    text = await looks.text(
        "<div id=h style=height:50px></div><script>const root = h.attachShadow({mode: 'closed'});"
        "root.innerHTML = '<p>Words</p><b>Star</b>';"
        "root.querySelector('b').addEventListener('click', () => 1);</script>"
    )
    assert text.splitlines() == ["- text: Words", '- clickable "Star" [e1]']


async def test_listeners_that_come_into_a_shadow_root_are_heard_of(looks: Looks) -> None:
    await looks.text(
        "<div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<p>x</p>'</script>"
    )
    changes = await looks.changes(
        "const el = document.createElement('span'); el.textContent = 'Late';"
        "el.addEventListener('click', () => 1); h.shadowRoot.append(el)"
    )
    assert changes == '+ clickable "Late" [e1]'


async def test_words_beside_pictures_are_the_name(looks: Looks) -> None:
    text = await looks.text(
        listening(
            "<table><tr><th class=on tabindex=0>Age <span role=img aria-label=up>&#9650;</span>"
            "<span role=img aria-label=down>&#9660;</span><th>Name<tr><td>20<td>Ada</table>"
            "<div class=on>Holiday <img alt=beach src=/beach.png width=40 height=40></div>"
        )
    )
    assert "- columnheader [e2] [clickable]: Age\n" in text
    assert '- clickable "Holiday" [e3]\n  - img "beach"' in text
