"""The site key of a tab: from whichever frame, and only when there is no doubt."""

from __future__ import annotations

import pytest

from stockade.errors import TargetAmbiguous, TargetNotFound
from stockade.page.captcha import site_key
from stockade.page.locator import resolve
from tests.support.tabs import CALLER, Tab

PAIR = """<form id=a><div class=h-captcha data-sitekey=first><b>here</b></div></form>
<form id=b><div class=h-captcha data-sitekey=second></div></form>"""


async def test_it_is_found_in_a_frame(tab: Tab) -> None:
    inner = tab.site.page("/inner", "<div class=h-captcha data-sitekey=inner></div>")
    await tab.show(f'<p data-nothing></p><iframe src="{inner}"></iframe>')
    key, frame = await site_key(tab.agent, "hcaptcha", None, caller=CALLER)
    assert (key, frame.url) == ("inner", inner)


async def test_one_of_several_is_meant_by_an_element(tab: Tab) -> None:
    await tab.show(PAIR)
    with pytest.raises(TargetAmbiguous):
        await site_key(tab.agent, "hcaptcha", None, caller=CALLER)
    for selector, key in (("#b", "second"), ("#a b", "first")):
        ref = await resolve(tab.agent, selector, caller=CALLER)
        assert (await site_key(tab.agent, "hcaptcha", ref, caller=CALLER))[0] == key
    await tab.show("<p>nothing")
    with pytest.raises(TargetNotFound, match="hcaptcha"):
        await site_key(tab.agent, "hcaptcha", None, caller=CALLER)
