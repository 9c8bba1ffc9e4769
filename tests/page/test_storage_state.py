"""The storage state of a browser; all of it together is tried through the tools."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.engines.port import Context
from stockade.engines.values import Cookie
from stockade.errors import InvalidArgument
from stockade.page.storage_state import (
    InsteadOf,
    StorageState,
    dump,
    inject,
    read_state,
    shown_cookie,
)
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
    done = await inject(context, Policy(), read_state(given), instead_of="named", left=left)
    assert (done.cookies, done.origins, done.warnings) == (2, 1, [])
    found = await dump(context, Policy(), databases=True, left=left)
    assert sorted(found.state["cookies"], key=lambda each: each["name"]) == given["cookies"]
    assert found.state["origins"] == given["origins"]


@pytest.mark.parametrize(
    ("instead_of", "cookies", "origins"),
    [("nothing", ["new", "old"], 2), ("named", ["new"], 2), ("everything", ["new"], 1)],
)
async def test_what_goes(
    context: Context, site: Site, instead_of: InsteadOf, cookies: list[str], origins: int
) -> None:
    def state(name: str, origin: str) -> StorageState:
        item = {"name": name, "value": "1"}
        cookie = {**item, "domain": "shop.example"}
        given = {"cookies": [cookie], "origins": [{"origin": origin, "localStorage": [item]}]}
        return read_state(given)

    old, new = state("old", site.url("")), state("new", site.other.url(""))
    await inject(context, Policy(), old, instead_of="nothing", left=left)
    await inject(context, Policy(), new, instead_of=instead_of, left=left)
    found = (await dump(context, Policy(), databases=True, left=left)).state
    assert sorted(each["name"] for each in found["cookies"]) == cookies
    assert len(found["origins"]) == origins


async def test_an_origin_with_too_much_does_not_keep_out_the_others(
    context: Context, site: Site
) -> None:
    origins = [
        {"origin": site.url(""), "localStorage": [{"name": "a", "value": "x" * 6_000_000}]},
        {"origin": site.other.url(""), "localStorage": [{"name": "a", "value": "b"}]},
    ]
    state = read_state({"origins": origins})
    done = await inject(context, Policy(), state, instead_of="named", left=left)
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
