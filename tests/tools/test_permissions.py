"""What pages may use."""

from __future__ import annotations

from tests.support.callers import Caller

PAGE = '<button onclick="Notification.requestPermission().then(p => title = p)">Notify me</button>'


async def test_granted_for_one_origin_and_taken_back(caller: Caller) -> None:
    await caller.show(PAGE)
    names = ["camera", "geolocation", "no-such-thing"]
    before = await caller.ok("permission_state", permissions=names)
    assert before["camera"] != "granted"
    assert before["no-such-thing"] == "unknown"
    result = await caller.ok(
        "grant_permissions", permissions=["camera"], origin=caller.site.url("/page")
    )
    [origin] = result["state"]["permissions"]
    assert caller.site.url("/page").startswith(origin)
    after = await caller.ok("permission_state", permissions=names)
    assert after["camera"] == "granted"
    assert after["geolocation"] == before["geolocation"]
    await caller.ok("grant_permissions", permissions=[])
    assert (await caller.ok("permission_state", permissions=["camera"])) == {
        "camera": before["camera"]
    }


async def test_of_an_origin_that_is_not_open(caller: Caller) -> None:
    await caller.show(PAGE)
    other = caller.site.other.url("/")
    await caller.ok("grant_permissions", permissions=["midi-sysex", "microphone"], origin=other)
    state = await caller.ok("permission_state", permissions=["microphone", "camera"], origin=other)
    assert state == {"microphone": "granted", "camera": "unknown"}
    caller.site.other.page("/", PAGE)
    await caller.ok("navigate", url=other, mode="none")
    state = await caller.ok("permission_state", permissions=["midi-sysex", "microphone"])
    assert state == {"midi-sysex": "granted", "microphone": "granted"}


async def test_an_unknown_permission_is_refused(caller: Caller) -> None:
    body = await caller.refused("grant_permissions", permissions=["telepathy"])
    assert body["code"] == "invalid_argument"
