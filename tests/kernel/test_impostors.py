"""Sites that are made to be taken for others."""

from __future__ import annotations

from tests.support.callers import Caller


async def test_a_site_that_looks_like_one_shown_before_is_told_apart(caller: Caller) -> None:
    site = caller.site
    site.page("/", "<p>Welcome</p>")
    real = await caller.ok("navigate", url=site.url("/", host="paypal.localhost"))
    assert "warnings" not in real
    fake = await caller.ok("navigate", url=site.url("/", host="paypa1.localhost"))
    assert fake["warnings"] == ["paypa1.localhost is not paypal.localhost, which it looks like"]
    assert "is not paypal.localhost" in (await caller.text("snapshot")).partition("<page")[0]
    mixed = await caller.ok("navigate", url=site.url("/", host="gооgle.localhost"))
    [said] = mixed["warnings"]
    assert said.startswith("xn--ggle-55da.localhost (shown as gооgle.localhost) mixes the letters")
