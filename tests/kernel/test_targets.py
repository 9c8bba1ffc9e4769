"""Targets, and tabs that are watched without being held."""

from __future__ import annotations

import asyncio

from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from stockade.sessions.clock import NEVER
from stockade.urls import origin_of
from tests.support.callers import Caller


async def test_one_way_to_name_a_target(caller: Caller) -> None:
    await caller.show("<button>Go</button>")
    refusal = await caller.refused("click", ref="e1", selector="button")
    assert refusal["code"] == "invalid_argument"


async def test_a_wrong_selector_after_an_action_is_refused_soon(caller: Caller) -> None:
    await caller.show("<label>Name <input></label><button>Go</button><p id=out></p>")
    clock = asyncio.get_running_loop().time
    for tool, arguments in (
        ("click", {"selector": "text=Go"}),
        ("fill", {"selector": "label=Name", "value": "Ann"}),
    ):
        await caller.ok(tool, **arguments)
        began = clock()
        refusal = await caller.refused("click", selector="text=Leave")
        assert refusal["code"] == "not_found"
        assert clock() - began < 1.4, tool


async def test_a_watched_tab_can_be_worked_in(caller: Caller) -> None:
    await caller.show(
        "<button onclick=\"window.scrollTo(0, 500)\">Go</button><p style='height:5000px'>"
    )
    done = await caller.ok(
        "act_and_sample",
        action={"tool": "click", "args": {"selector": "button"}},
        metric="scrollTop",
        durationMs=300,
    )
    assert done["sample"]["summary"]["last"] == 500


async def test_a_watched_tab_is_not_put_to_rest(caller: Caller) -> None:
    await caller.show("<p>x")
    (session,) = caller.kernel.sessions.all()
    (tab,) = session.tabs
    assert tab.rest_at < NEVER
    with tab.watched():
        assert tab.rest_at == NEVER
    assert tab.rest_at < NEVER


async def test_what_is_seen_where_a_page_may_not_go_is_not_told(caller: Caller) -> None:
    away = caller.site.other.page("/away", "<p role=alert>Secret words</p>")
    caller.site.page(
        "/here", f"<p>x<script>setTimeout(() => {{ location = '{away}' }}, 200)</script>"
    )
    rules = (OriginRule.parse(caller.site.url("")),)
    narrow = caller.another(policy=Policy(allowed=(rules,)))
    await narrow.ok("navigate", url=caller.site.url("/"), mode="none")
    # Also if the way out lets it through.
    session = caller.kernel.sessions.find(narrow.principal, "default")
    await session.outgoing.admit(origin_of(away))
    await narrow.ok("navigate", url=caller.site.url("/here"), mode="none")
    refusal = await narrow.refused("watch", durationMs=1500)
    assert refusal["code"] == "address_denied"
    assert "Secret" not in str(refusal)


async def test_a_point_means_the_element_there_where_an_element_is_wanted(caller: Caller) -> None:
    await caller.show(
        "<body style='margin:0'><input aria-label=Name style='position:absolute;left:100px;"
        "top:50px;width:200px;height:40px'><select aria-label=Size style='position:absolute;"
        "left:100px;top:150px'><option>S<option>L</select>"
    )
    spot = {"x": 150, "y": 70}
    await caller.ok("fill", coords=spot, value="Ada")
    assert (await caller.ok("verify_value", selector="input", value="Ada"))["ok"]
    assert (await caller.ok("inspect", coords=spot))["value"] == "Ada"
    await caller.ok("press", coords=spot, key="End")
    await caller.ok("type", coords=spot, text=" L.")
    await caller.ok("select", coords={"x": 105, "y": 155}, values=["L"])
    assert (await caller.ok("verify_value", selector="select", value="L"))["ok"]
    await caller.ok("name_region", name="spot", box={"x": 100, "y": 50, "width": 90, "height": 40})
    await caller.ok("fill", named="spot", value="Grace")
    assert (await caller.ok("verify_value", selector="input", value="Grace"))["ok"]
    refused = await caller.refused("fill", coords={"x": 5000, "y": 5000}, value="x")
    assert refused["code"] == "not_found"
