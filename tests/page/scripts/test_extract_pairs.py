"""Labels and the values beside them."""

from __future__ import annotations

import pytest

from stockade.page.scripts import script
from tests.support.tabs import Tab


@pytest.mark.parametrize(
    ("html", "raw"),
    [
        ("<dl><dt>Price<dd>4</dl>", "4"),
        ("<dl><div><dt>Price</dt><dd>4</dd></div></dl>", "4"),
        ("<table><tr><th>Price<td>4</table>", "4"),
        ("<p>Price: 4</p>", "4"),
        ("<ul><li><strong>Price:</strong> 4</ul>", "4"),
        ("<div><span>Price</span><span>4</span></div>", "4"),
        ("<div><div>Price</div><div>4</div></div>", "4"),
        ("<label>Price <input value=4></label>", "4"),
        ("<p>Price per box: 4</p>", "4"),
        ("<p>Price at 12:30</p>", None),
        ("<p hidden>Price: 4</p>", None),
        ("<p>Price per box: 4</p><p>Price per bag: 5</p>", None),
    ],
)
async def test_a_label_leads_to_its_value(tab: Tab, html: str, raw: str | None) -> None:
    await tab.show(html)
    await tab.ref("body")
    found = await tab.page.main_frame.call(
        f"() => {{ const kit = ({script('extract_kit')})({{caller: 'test', prefix: ''}});"
        f" const pairs = ({script('extract_pairs')})(kit, ({script('data_tables')})());"
        " return pairs.value(document.body, {names: ['price'], type: 'string'}); }"
    )
    assert (found and found["raw"]) == raw
