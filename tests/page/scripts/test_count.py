"""Elements counted in the page."""

from __future__ import annotations

from tests.support.tabs import Tab


async def test_those_in_shadow_roots_count_too(tab: Tab) -> None:
    await tab.show(
        "<b>1</b><div></div><script>document.querySelector('div').attachShadow({mode:'open'})"
        ".innerHTML = '<b>2</b><b hidden>3</b>'</script>"
    )
    said = await tab.agent.call(tab.page.main_frame, "count.js", selector="b")
    assert (said["count"], said["rendered"]) == (3, 2)
