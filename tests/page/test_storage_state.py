"""The storage state of a browser; all of it together is tried through the tools."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.port import Context
from stockade.engines.values import Cookie
from stockade.errors import InvalidArgument
from stockade.page.storage_state import dump, inject, read_state, shown_cookie
from stockade.policy.policy import Policy
from tests.support.site import Site


def left() -> float:
    return 10.0


async def test_an_empty_browser_needs_no_storeroom(context: Context) -> None:
    found = await dump(context, Policy(), databases=True, left=left)
    assert found.state == {"cookies": [], "origins": []}
    assert (found.databases, found.withheld, found.warnings) == (0, 0, [])


async def test_there_and_back(context: Context, site: Site) -> None:
    cookies = [
        Cookie("a", "1", "shop.example", same_site="Lax", http_only=True),
        Cookie(
            "b",
            "2",
            ".shop.example",
            secure=True,
            same_site="None",
            partition="https://top.example",
            cross_site_ancestor=True,
        ),
    ]
    given = {
        "cookies": [shown_cookie(each) for each in cookies],
        "origins": [{"origin": site.url(""), "localStorage": [{"name": "a", "value": "b"}]}],
    }
    done = await inject(context, Policy(), read_state(given), replace=True, left=left)
    assert (done.cookies, done.origins, done.warnings) == (2, 1, [])
    found = await dump(context, Policy(), databases=True, left=left)
    assert sorted(found.state["cookies"], key=lambda each: each["name"]) == given["cookies"]
    assert found.state["origins"] == given["origins"]


async def test_an_origin_with_too_much_does_not_keep_out_the_others(
    context: Context, site: Site
) -> None:
    origins = [
        {"origin": site.url(""), "localStorage": [{"name": "a", "value": "x" * 6_000_000}]},
        {"origin": site.other.url(""), "localStorage": [{"name": "a", "value": "b"}]},
    ]
    state = read_state({"origins": origins})
    done = await inject(context, Policy(), state, replace=True, left=left)
    assert done.origins == 1
    assert "was not restored" in done.warnings[0]


@pytest.mark.parametrize("given", [b"\xff", "", "[]", [], {"cookies": [{}]}, {"origins": [1]}])
def test_what_is_no_state(given: Any) -> None:
    with pytest.raises(InvalidArgument):
        read_state(given)


def test_too_many() -> None:
    origins = [{"origin": f"https://a{number}.example"} for number in range(201)]
    with pytest.raises(InvalidArgument, match="at most"):
        read_state({"origins": origins})
