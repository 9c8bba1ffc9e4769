"""HTML from live nodes."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.page.scripts import script
from tests.support.tabs import Tab

WRITE = f"""() => {{
  const markup = ({script("markup")})();
  return markup.write(markup.kids(document.body), (el) => (el.id === 'no' ? null : {{
    before: `<${{markup.tagOf(el)}}${{markup.attributes(el).map(([name, value]) => markup.attribute(name, value)).join('')}}>`,
    within: markup.inside(el), after: markup.isVoid(el) ? '' : `</${{markup.tagOf(el)}}>`,
  }}));
}}"""


async def written(tab: Tab, html: str) -> dict[str, Any]:
    await tab.show(html)
    # The agent has to be there.
    await tab.agent.call(tab.page.main_frame, "page_size")
    said: dict[str, Any] = await tab.page.main_frame.call(WRITE)
    return said


@pytest.mark.parametrize(
    "html",
    [
        "<p>a &amp; b &lt; c&nbsp;d</p>",
        '<a title="&quot;x&quot; &amp; &lt;y&gt;">t</a>',
        "<br><img><input>",
        "<script>if (a < b && c) d()</script><style>a > b {}</style>",
        "<!-- note --><template><i>in</i></template>",
        '<svg viewBox="0 0 1 1"><linearGradient></linearGradient></svg>',
        '<form><input name="attributes"><input name="firstChild"></form>',
    ],
)
async def test_it_is_written_as_it_was(tab: Tab, html: str) -> None:
    assert (await written(tab, f"<body>{html}"))["html"] == html


async def test_what_is_left_out_and_deep_nesting(tab: Tab) -> None:
    assert (await written(tab, "<body><p id=no>a</p><p>b</p>"))["html"] == "<p>b</p>"
    await tab.show("<body>")
    await tab.main(
        "() => { let at = document.body; for (let i = 0; i < 2000; i++)"
        " at = at.appendChild(document.createElement('i')); }"
    )
    said = await tab.page.main_frame.call(WRITE)
    assert (said["nodes"], said["limited"]) == (2000, False)
