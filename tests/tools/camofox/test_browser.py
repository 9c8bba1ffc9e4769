"""Browsers are started before they are wanted, and stopped by who may."""

from __future__ import annotations

from stockade.policy.principal import Role
from tests.support.callers import Caller


async def test_an_admin_stops_what_anyone_starts(caller: Caller) -> None:
    browsers = caller.kernel.sessions.browsers
    assert await caller.ok("camofox_start") == {"ok": True, "profile": "chromium"}
    started = browsers.alive
    assert len(started) == 1
    await caller.ok("camofox_start")
    assert browsers.alive == started, "one is enough"
    await caller.ok("camofox_create_tab")
    refused = await caller.refused("camofox_stop")
    assert refused["code"] == "role_required"
    assert browsers.alive
    stopped = await caller.another(role=Role.ADMIN).ok("camofox_stop")
    assert stopped == {"ok": True, "stopped": True, "profile": "chromium"}
    assert browsers.alive == []
    assert caller.kernel.sessions.all() == []
