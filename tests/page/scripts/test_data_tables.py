"""Tables of data are told from tables of layout."""

from __future__ import annotations

import pytest

from stockade.page.scripts import script
from tests.support.tabs import Tab


@pytest.mark.parametrize(
    ("html", "data", "head"),
    [
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>", True, True),
        ("<table><thead><tr><td>a<td>b</thead><tr><td>1<td>2</table>", True, True),
        ("<table><tr><th>a<td>1<tr><th>b<td>2</table>", True, False),
        ("<table><tr><td>a<td>1<tr><td>b<td>2</table>", True, False),
        ("<table><tr><td>only one</table>", False, False),
        ("<table><tr><td><h1>a</h1><td>b<tr><td>c<td>d</table>", False, False),
        ("<table><tr><td>a<tr><td>b</table>", False, False),
    ],
)
async def test_data_and_heads(tab: Tab, html: str, data: bool, head: bool) -> None:
    await tab.show(html)
    await tab.ref("table")
    found = await tab.page.main_frame.call(
        f"() => {{ const tables = ({script('data_tables')})(); const el ="
        " document.querySelector('table'); return [tables.data(el), tables.head(el)]; }"
    )
    assert found == [data, head]


async def test_rows_of_inner_tables_are_their_own(tab: Tab) -> None:
    await tab.show("<table id=a><tr><td><table><tr><td>x<tr><td>y</table></table>")
    await tab.ref("#a")
    count = await tab.page.main_frame.call(
        f"() => ({script('data_tables')})().rowsOf(document.querySelector('#a')).length"
    )
    assert count == 1
