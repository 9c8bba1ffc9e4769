"""What a browser does not keep is told."""

from __future__ import annotations

import time

from stockade.engines.port import Context
from stockade.engines.values import Cookie
from stockade.page.cookie_import import import_cookies
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy


async def test_every_cookie_is_kept_or_spoken_of(context: Context) -> None:
    soon = time.time() + 1000
    cookies = {
        0: Cookie("host", "v", "shop.example"),
        1: Cookie("below", "v", ".shop.example", same_site="None", secure=True, expires=soon),
        2: Cookie("__Host-a", "v", "shop.example", secure=True),
        3: Cookie("chip", "v", "shop.example", secure=True, partition="https://top.example"),
        4: Cookie("url", "v", url="https://shop.example/deep/page", path="/deep", secure=True),
        10: Cookie("__Host-b", "v", "shop.example"),
        11: Cookie("none", "v", "shop.example", same_site="None"),
        12: Cookie("bad;name", "v", "shop.example"),
        13: Cookie("long", "S3CRET" * 1000, "shop.example"),
        14: Cookie("old", "v", "shop.example", expires=1),
        15: Cookie("nowhere", "v", "shop.example", secure=True, partition="nonsense"),
        16: Cookie("twice", "first", "shop.example"),
        17: Cookie("twice", "second", "shop.example"),
        18: Cookie("elsewhere", "v", "blocked.example"),
    }
    policy = Policy(blocked=(OriginRule.parse("blocked.example"),))
    refused = await import_cookies(context, policy, cookies, left=lambda: 10.0)
    assert sorted(refused) == [10, 11, 12, 13, 14, 15, 16, 18]
    assert refused[10] == "its name prefix needs secure"
    assert "S3CRET" not in str(refused)
    assert refused[16].startswith("a later one")
    kept = {each.name: each for each in await context.cookies()}
    assert sorted(kept) == ["__Host-a", "below", "chip", "host", "twice", "url"]
    assert (kept["host"].domain, kept["below"].domain) == ("shop.example", ".shop.example")
    assert (kept["twice"].value, kept["chip"].partition) == ("second", "https://top.example")
