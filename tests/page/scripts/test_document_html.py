"""The document as HTML."""

from __future__ import annotations

from typing import Any

from stockade.page.reach import look
from tests.support.tabs import Tab

PAGE = """<!DOCTYPE html><html><head><title>T</title></head><body><x-a></x-a>
<input type="password" value="secret"><input value="plain"><script>
const root = document.querySelector('x-a').attachShadow({ mode: 'closed' });
root.innerHTML = '<x-b></x-b>';
root.firstChild.attachShadow({ mode: 'open' }).innerHTML = '<slot></slot>deep';
</script></body></html>"""


async def written(tab: Tab, *, shadow: bool) -> dict[str, Any]:
    return await look(
        tab.agent, tab.page.main_frame, "document_html.js markup.js", includeShadow=shadow
    )


async def test_roots_within_roots_and_no_password(tab: Tab) -> None:
    await tab.show(PAGE)
    said = await written(tab, shadow=True)
    assert said["html"].startswith("<!DOCTYPE html><html><head><title>T</title></head>")
    assert (
        '<x-a><template shadowrootmode="closed"><x-b><template shadowrootmode="open">'
        "<slot></slot>deep</template></x-b></template></x-a>"
    ) in said["html"]
    assert "secret" not in said["html"]
    assert 'value="plain"' in said["html"]
    assert said["roots"] == 2
    assert "<template" not in (await written(tab, shadow=False))["html"]
