from __future__ import annotations

from typing import Any

from tests.page.agent.looking import evaluate
from tests.support.tabs import Tab

ABOUT = """
const { Context } = stockade.modules;
Aria.begin();
try {
  return Object.fromEntries([...document.querySelectorAll('[id]')].map((el) => [el.id, {
    ...Context.summary(el), section: Context.section(el),
  }]));
} finally { Aria.end(); }
"""


async def contexts(tab: Tab, html: str) -> dict[str, dict[str, Any]]:
    await tab.show(html)
    found: dict[str, dict[str, Any]] = await evaluate(tab, ABOUT)
    return found


async def test_table_rows_and_columns(tab: Tab) -> None:
    found = await contexts(
        tab,
        "<table aria-label=Users><tr><th>Name</th><th>Role</th><th>Actions</th></tr>"
        "<tr><td>Ann</td><td><select id=role><option>Admin</option><option selected>Editor</option>"
        "</select></td><td><button id=del>Delete</button></td></tr></table>",
    )
    assert found["del"] == {
        "collection": 'table "Users"',
        "rowKey": "Ann",
        "column": "Actions",
        "rowText": "Ann Editor",
        "section": "Users",
    }
    assert found["role"]["column"] == "Role"


async def test_lists_articles_and_repeated_cards(tab: Tab) -> None:
    found = await contexts(
        tab,
        "<ul><li>Tea <button id=a>Add</button></li><li>Milk <button id=b>Add</button></li></ul>"
        "<article><h3>Post</h3><a id=c href=x>Reply</a></article>"
        "<div><div class=card><h4>Red</h4><p>9 €</p><button id=d>Buy</button></div>"
        "<div class=card><h4>Blue</h4><p>8 €</p><button id=e>Buy</button></div></div>"
        "<div><button id=f>Alone</button></div>",
    )
    keys = {name: each.get("rowKey") for name, each in found.items()}
    assert keys == {"a": "Tea", "b": "Milk", "c": "Post", "d": "Red", "e": "Blue", "f": None}
    assert found["e"]["rowText"] == "Blue 8 €"


async def test_sections_by_heading_group_and_dialog(tab: Tab) -> None:
    found = await contexts(
        tab,
        "<h1>Page</h1><i id=a></i><h2>Part</h2><i id=b></i><h3>Sub</h3><i id=c></i>"
        "<fieldset><legend>Billing</legend><i id=d></i></fieldset>"
        "<div role=dialog aria-label='Sure?'><i id=e></i></div>"
        "<section><header><h2>Boxed</h2></header><p><i id=f></i></p></section>"
        "<details open><summary>More</summary><i id=g></i></details>"
        "<div><div class=panel-title>Styled</div><i id=h></i></div>"
        "<dl><dt>Term</dt><dd><i id=i></i></dd></dl>",
    )
    sections = {name: each["section"] for name, each in found.items()}
    assert sections == {
        "a": "Page",
        "b": "Part",
        "c": "Sub",
        "d": "Billing",
        "e": "Sure?",
        "f": "Boxed",
        "g": "More",
        "h": "Styled",
        "i": "Term",
    }


async def test_hidden_text_is_no_context(tab: Tab) -> None:
    found = await contexts(
        tab,
        "<ul><li><span style='display:none'>secret</span>Tea <button id=a>Add</button></li></ul>",
    )
    assert found["a"]["rowText"] == "Tea"
