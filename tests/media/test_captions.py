"""Captions in words of the page."""

from __future__ import annotations

from stockade.engines.values import Box
from stockade.media.captions import caption
from tests.support.tabs import CALLER, Tab

PAGE = """<title>News</title><nav aria-label=Main><a href=#>Home</a></nav><main><h1>Today</h1>
<dialog open aria-label=Cookies><button>Fine</button></dialog><div style='height:2000px'></div><h2>Below</h2>
</main><x-part></x-part><script>document.querySelector('x-part').attachShadow({mode:'closed'})
.innerHTML = '<h3>In a closed root</h3>'</script>"""


async def test_the_page_the_window_and_a_part_of_it(tab: Tab) -> None:
    await tab.show(PAGE)
    whole = await caption(tab.agent, caller=CALLER, timeout=5)
    assert whole == (
        'page “News”; open: dialog "Cookies"; headings: Today, Below, In a closed root;'
        ' regions: navigation "Main", main; 2 controls'
    )
    part = await caption(tab.agent, caller=CALLER, box=Box(0, 0, 1280, 30), timeout=5)
    assert part == 'page “News”; regions: navigation "Main"; 1 controls'


async def test_one_element_also_in_a_frame(tab: Tab) -> None:
    await tab.show(PAGE)
    words = await caption(tab.agent, caller=CALLER, ref=await tab.ref("h1"), timeout=5)
    assert words == 'heading "Today" on page “News”'
    tab.site.other.page("/inner", "<title>Inner</title><p role=note>A note of some length</p>")
    await tab.show(f"<iframe src='{tab.site.other.url('/inner')}'></iframe>")
    frame = await tab.frame("/inner")
    ref = await tab.ref("role=note", frame=frame)
    words = await caption(tab.agent, caller=CALLER, ref=ref, timeout=5)
    assert words.endswith("on page “Inner”; text: A note of some length")
