"""Names for elements and regions."""

from __future__ import annotations

from tests.support.callers import Caller

PAGE = """
<button onclick="this.textContent = 'Bought'">Buy</button>
<button onclick="this.textContent = 'Gone'">Delete</button>
<div style="position: fixed; left: 100px; top: 200px; width: 50px; height: 30px"
     onclick="this.textContent = 'Hit'">Spot</div>
"""


async def found(caller: Caller, query: str) -> str:
    candidates = (await caller.ok("find", query=query))["candidates"]
    ref: str = candidates[0]["ref"]
    return ref


async def test_a_named_element_is_meant_again(caller: Caller) -> None:
    await caller.show(PAGE)
    ref = await found(caller, "Buy")
    await caller.ok("name_ref", name="the buy button", ref=ref)
    result = await caller.ok("click", named="the buy button")
    assert "Bought" in result["snapshotDelta"]["tree"]
    listed = await caller.ok("list_named_refs")
    assert listed["refs"] == [
        {"name": "the buy button", "ref": ref, "tab": result.get("tab", "t1"), "open": True}
    ]


async def test_a_named_region_is_a_place_to_click(caller: Caller) -> None:
    await caller.show(PAGE)
    box = {"x": 100, "y": 200, "width": 50, "height": 30}
    await caller.ok("name_region", name="spot", box=box)
    assert (await caller.ok("region", name="spot"))["center"] == {"x": 125, "y": 215}
    result = await caller.ok("click", named="spot")
    assert "Hit" in result["snapshotDelta"]["tree"]
    assert (await caller.ok("list_named_refs"))["regions"] == [{"name": "spot", "box": box}]


async def test_a_name_means_one_thing(caller: Caller) -> None:
    await caller.show(PAGE)
    buy, delete = await found(caller, "Buy"), await found(caller, "Delete")
    await caller.ok("name_ref", name="it", ref=buy)
    assert (await caller.ok("name_ref", name="it", ref=delete))["replaced"] == buy
    assert (await caller.ok("list_named_refs"))["count"] == 1
    box = {"x": 0, "y": 0, "width": 5, "height": 5}
    await caller.ok("name_region", name="it", box=box)
    listed = await caller.ok("list_named_refs")
    assert (listed["refs"], listed["count"]) == ([], 1)


async def test_what_is_not_there_gets_no_name(caller: Caller) -> None:
    await caller.show(PAGE)
    assert (await caller.refused("name_ref", name="ghost", ref="e999"))["code"] == "stale_ref"
    assert (await caller.refused("region", name="ghost"))["code"] == "not_found"
    assert (await caller.refused("click", named="ghost"))["code"] == "not_found"


async def test_names_belong_to_one_session(caller: Caller) -> None:
    await caller.show(PAGE)
    await caller.ok("name_ref", name="mine", ref=await found(caller, "Buy"))
    other = caller.another()
    assert (await other.ok("list_named_refs"))["count"] == 0
