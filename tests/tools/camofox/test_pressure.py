"""A cleanup by the tab API: of the caller's own tabs, and with names that nobody can use."""

from __future__ import annotations

from stockade.policy.principal import Role
from tests.support.callers import Caller


async def test_idle_tabs_are_closed_on_demand(caller: Caller) -> None:
    for number in range(2):
        await caller.ok("camofox_create_tab", session="u1", sessionKey=f"g{number}")
    stranger = caller.another()
    await stranger.ok("camofox_create_tab", session="u1")
    first = await caller.ok("camofox_pressure_cleanup", minIdleMs=0)
    assert (first["dryRun"], first["candidates"], first["closed"]) == (True, 0, [])
    assert first["before"] == first["after"] == {"sessions": 1, "tabs": 2}
    assert first["preserved"] == {
        "locked": 0,
        "session_minimum": 0,
        "first_observation": 2,
        "recently_active": 0,
        "below_min_idle": 0,
    }
    done = await caller.ok("camofox_pressure_cleanup", minIdleMs=0, dryRun=False)
    assert (done["candidates"], len(done["selected"]), len(done["closed"])) == (2, 2, 1)
    assert all(len(done["closed"][0][name]) == 12 for name in ("session", "tab", "group"))
    assert done["after"] == {"sessions": 1, "tabs": 1}
    operator = caller.another(role=Role.OPERATOR)
    assert (await operator.ok("camofox_pressure_cleanup"))["before"]["sessions"] == 2
    late = await caller.ok("camofox_pressure_cleanup", minTabsPerSession=0)
    assert late["preserved"]["below_min_idle"] == 1
    assert (await caller.refused("camofox_pressure_cleanup", minIdleMs=-1))["code"] == (
        "invalid_argument"
    )
