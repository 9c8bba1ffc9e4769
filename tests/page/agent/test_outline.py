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
        "  - row: Eve | ",
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
