"""Lines that say one thing once."""

from __future__ import annotations

import re

from tests.page.looks import Looks


def rows(count: int, text: str = "row") -> str:
    return "".join(f"<li>{text} {n} <button>Open</button>" for n in range(count))


async def test_a_long_select_is_folded_and_opened_by_scope(looks: Looks) -> None:
    options = "".join(f"<option>C{n}" for n in range(50))
    text = await looks.text(f"<select aria-label=Country>{options}</select>")
    lines = text.splitlines()
    assert lines[0] == '- combobox "Country" [e1]: C0'
    assert lines[1] == '  - option "C0" [selected]'
    assert lines[-1] == "  ... 40 more options (scope: e1)"
    assert len(lines) == 12
    whole = await looks.text(scope="e1")
    assert len(whole.splitlines()) == 51
    assert '  - option "C49"' in whole.splitlines()


async def test_table_rows_take_one_line(looks: Looks) -> None:
    text = await looks.text(
        "<table><caption>People</caption><tr><th>Name<th>Age</tr><tr><td>Bob<td>30</tr>"
        "<tr><td>Eve<td><td><button>Del</button></tr></table>"
    )
    assert text.splitlines() == [
        '- table "People" [e1]',
        "  - row [header]: Name | Age",
        "  - row: Bob | 30",
        "  - row: Eve",
        '    - button "Del" [e2]',
    ]


async def test_interactive_mode_keeps_what_tells_controls_apart(looks: Looks) -> None:
    text = await looks.text(
        "<main><h1>Top</h1><p>Prose that nobody clicks</p><h2>Users</h2><table>"
        "<tr><td>Bob<td><button>Del</button></tr><tr><td>Eve<td><button>Del</button></tr></table>"
        "<ul><li><a href=a>One</a><li><a href=b>Two</a></ul></main>"
        "<section><h2>Idle</h2>x</section>",
        mode="interactive",
    )
    assert text.splitlines() == [
        "- main [e1]",
        '  - heading "Users" [level=2]',
        "  - table [e2]",
        "    - row: Bob",
        '      - button "Del" [e3]',
        "    - row: Eve",
        '      - button "Del" [e4]',
        '  - link "One" [e5]',
        '  - link "Two" [e6]',
    ]


async def test_like_siblings_fold_and_scope_opens_them(looks: Looks) -> None:
    paragraphs = "".join(f"<p>Paragraph {n} says something of its own.</p>" for n in range(40))
    seen = await looks.see(f"<ul>{rows(300)}</ul>{paragraphs}", budget=1000)
    assert seen.tokens <= 1000
    assert seen.truncated
    fold = re.search(
        r"^  \.\.\. (?:about )?\d+ more items like this \(scope: (e\d+)\)$", seen.text, re.MULTILINE
    )
    assert fold is not None
    assert "Paragraph 20" in seen.text
    opened = await looks.text(scope=fold[1], budget=9000)
    assert opened.count("listitem") == 300


TABLE = """<table><tr><th>Name<th><button>Price</button><th>Stock<th>Do</tr>
<tr><td>Tea<td><a href=x>4.20</a><td>17<td><button>Edit</button> <button>Delete</button></tr>
<tr><td>see <a href=y>docs</a> now<td><td><input aria-label=Stock value=3><td>4</tr>
<tr><td rowspan=2>Big<td>1<td>2<td>3</tr><tr><td>5<td>6<td>7</tr>
<tr><td colspan=3>Total<td>9</tr>
<tr><td><img src=x alt=Cat><td><ul><li>a<li>b</ul><td>7<td onclick=1>go</tr></table>"""


async def test_cells_keep_their_columns_whatever_is_in_them(looks: Looks) -> None:
    assert (await looks.text(TABLE)).splitlines() == [
        "- table [e1]",
        "  - row [header]: Name | Price | Stock | Do",
        '    - button "Price" [e2]',
        "  - row: Tea | 4.20 | 17",
        '    - link "4.20" [e3]',
        '    - button "Edit" [e4]',
        '    - button "Delete" [e5]',
        "  - row: see docs now |  | … | 4",
        '    - link "docs" [e6]',
        '    - textbox "Stock" [e7]: 3',
        "  - row: Big | 1 | 2 | 3",
        "  - row:  | 5 | 6 | 7",
        "  - row: Total |  |  | 9",
        "  - row: Cat | … | 7 | go",
        "    - list",
        "      - listitem: a",
        "      - listitem: b",
        "    - cell [e8] [clickable]: go",
    ]
    text = await looks.text(mode="interactive")
    assert "  - row: Tea | 4.20 | 17" in text.splitlines()


async def test_cells_of_grids_keep_their_columns(looks: Looks) -> None:
    text = await looks.text(
        "<div role=grid><div role=row><i role=columnheader>A</i><i role=columnheader>B</i></div>"
        "<div role=row><i role=gridcell><a href=q>1</a></i><i role=gridcell>2</i></div>"
        "<div role=row><i role=gridcell tabindex=0>f</i><i role=gridcell></i></div></div>"
    )
    assert text.splitlines() == [
        "- grid [e1]",
        "  - row [header]: A | B",
        "  - row: 1 | 2",
        '    - link "1" [e2]',
        "  - row: f",
        '    - gridcell "f" [e3]',
    ]


async def test_a_row_of_single_controls_is_not_told_twice(looks: Looks) -> None:
    text = await looks.text(
        "<table><tr><th>Mo<th>Tu</tr><tr><td><a href=a>1</a><td><a href=b>2</a></tr>"
        "<tr><td><td><a href=c>3</a></tr></table>"
    )
    assert text.splitlines() == [
        "- table [e1]",
        "  - row [header]: Mo | Tu",
        "  - row",
        '    - link "1" [e2]',
        '    - link "2" [e3]',
        "  - row:  | 3",
        '    - link "3" [e4]',
    ]


async def test_a_link_that_fills_its_tab_is_told_once(looks: Looks) -> None:
    text = await looks.text(
        "<style>a { display: block }</style><ul role=tablist><li role=tab tabindex=0><a href=#a tabindex=-1>Overview</a></ul>"
        "<ul role=tree><li role=treeitem><a href=#b>Fruit</a><ul role=group style=height:200px>"
        "<li role=treeitem><a href=#c>Apple</a></ul></ul>"
    )
    assert text.splitlines() == [
        "- tablist",
        '  - tab "Overview" [e1]',
        "- tree [e2]",
        '  - treeitem "Fruit" [e3]',
        '    - link "Fruit" [e4]',
        '    - treeitem "Apple" [e5]',
    ]


async def test_a_label_that_the_next_line_repeats_is_left_out(looks: Looks) -> None:
    text = await looks.text(
        "<p id=l>Town</p><div role=combobox tabindex=0 aria-labelledby=l></div>"
        "<p id=s>Size</p><div role=radiogroup aria-labelledby=s><input type=radio aria-label=S>"
        "</div><p>Name of</p><button>Name</button>"
    )
    assert text.splitlines() == [
        '- combobox "Town" [e1]',
        '- radiogroup "Size"',
        '  - radio "S" [e2]',
        "- text: Name of",
        '- button "Name" [e3]',
    ]


async def test_a_field_and_what_is_drawn_around_it_are_one_line(looks: Looks) -> None:
    text = await looks.text(
        "<style>div { cursor: pointer }</style>"
        "<div><input role=combobox aria-label=City><span>Choose</span></div>"
        "<div><input aria-label=Day><span role=img aria-label=calendar>x</span></div>"
        "<input aria-label=Hour><span role=img aria-label=clock style=pointer-events:none>x</span>"
        "<div><span role=img aria-label=caret>x</span></div>"
    )
    assert text.splitlines() == [
        '- combobox "City" [e1] [shows "Choose"]',
        '- textbox "Day" [e2]',
        '- textbox "Hour" [e3]',
        '- clickable "caret" [e4]',
    ]


async def test_what_a_control_shows_is_said_once(looks: Looks) -> None:
    text = await looks.text(
        "<div role=combobox tabindex=0 aria-label='Page size'><span>20</span></div>"
    )
    assert text == '- combobox "Page size" [e1] [shows "20"]'


async def test_a_cell_that_holds_one_control_of_its_name(looks: Looks) -> None:
    text = await looks.text(
        "<div role=grid><div role=row><div role=gridcell tabindex=-1><input type=checkbox"
        " aria-label='Pick Ada'></div><div role=gridcell tabindex=-1>Ada</div>"
        "<div role=gridcell>36</div></div></div>"
    )
    assert text.splitlines() == [
        "- grid [e1]",
        "  - row: … | Ada | 36",
        '    - checkbox "Pick Ada" [e2]',
        '    - gridcell "Ada" [e3]',
    ]


async def test_a_heading_that_alone_is_in_what_can_be_clicked(looks: Looks) -> None:
    text = await looks.text("<div onclick=1><div><h2>Orders</h2></div></div>")
    assert text == '- heading "Orders" [e1] [level=2] [clickable]'
