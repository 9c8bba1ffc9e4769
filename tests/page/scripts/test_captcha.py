"""Site keys in the page."""

from __future__ import annotations

import pytest

from tests.support.tabs import CALLER, Tab

KEY = "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI"
THIRD = f"""<script src="/recaptcha/api.js?render=explicit"></script>
<script src="/recaptcha/enterprise.js?render={KEY}"></script>"""
SHADOW = f"""<x-box></x-box><script>document.querySelector('x-box').attachShadow({{mode: 'open'}})
.innerHTML = '<div class=cf-turnstile data-sitekey={KEY}></div>'</script>"""


async def keys(tab: Tab, kind: str, html: str) -> list[str]:
    await tab.show(html)
    said = await tab.agent.call(
        tab.page.main_frame, "captcha.js", caller=CALLER, kind=kind, ref=0, most=5
    )
    return list(said["keys"])


@pytest.mark.parametrize(
    ("kind", "html"),
    [
        ("recaptcha2", f'<form><div class="g-recaptcha" data-sitekey="{KEY}"></div></form>'),
        (
            "recaptcha2",
            f'<iframe src="/recaptcha/api2/anchor?ar=1&k={KEY}&co=aHR0"></iframe><p data-sitekey=x>',
        ),
        ("recaptcha3", THIRD),
        ("hcaptcha", f'<div class=h-captcha data-sitekey="{KEY}"></div><div data-sitekey=no></div>'),
        ("hcaptcha", f'<iframe src="https://newassets.hcaptcha.com/c/x.html#id=0&sitekey={KEY}"></iframe>'),
        ("turnstile", SHADOW),
    ],
)  # fmt: skip
async def test_they_are_found_where_sites_put_them(tab: Tab, kind: str, html: str) -> None:
    assert await keys(tab, kind, html) == [KEY]


async def test_the_address_of_a_widget_has_its_key(tab: Tab) -> None:
    path = (
        "/cdn-cgi/challenge-platform/h/b/turnstile/if/ov2/av0/rcv/x1/0x4AAAAAAADnPIDROrmt1Wwj/light"
    )
    html = f'<iframe src="https://challenges.cloudflare.com{path}"></iframe>'
    assert await keys(tab, "turnstile", html) == ["0x4AAAAAAADnPIDROrmt1Wwj"]


async def test_what_is_no_key_is_none(tab: Tab) -> None:
    html = '<div class=h-captcha data-sitekey="a b&amp;pageurl=x"></div><iframe src="http://["></iframe>'
    assert await keys(tab, "hcaptcha", html) == []
    assert await keys(tab, "recaptcha3", '<script src="/recaptcha/api.js?render=explicit">') == []
