"""What callers last saw: all of a page, and no secret in two halves."""

from __future__ import annotations

from stockade.masking.scopes import SERVER
from tests.support.callers import Caller

USER = "u1"


async def test_a_secret_between_two_parts_is_told_in_neither(caller: Caller) -> None:
    secret = "correct-horse-battery"
    masker = caller.kernel.masker
    masker.add("PASSWORD", secret)
    try:
        caller.site.page("/", f"<p>{'x' * 74_780}{secret}</p><p>{'y' * 9_000}</p>")
        made = await caller.ok("camofox_create_tab", session=USER, url=caller.site.url("/"))
        place = {"session": USER, "tabId": made["tabId"]}
        first = await caller.ok("camofox_snapshot", **place)
        second = await caller.ok("camofox_snapshot", **place, offset=first["nextOffset"])
    finally:
        masker.forget(SERVER)
    head = first["snapshot"][:74_800]
    assert "<PASSWORD>" in head + second["snapshot"]
    assert "correct" not in head
    assert "battery" not in second["snapshot"]


async def test_a_page_with_nothing_to_act_on_has_no_refs(caller: Caller) -> None:
    caller.site.page("/plain", "<p>Text</p>")
    caller.site.page("/form", "<p hidden><button>Not here</button></p><input>")
    made = await caller.ok("camofox_create_tab", session=USER)
    told = [
        (
            await caller.ok(
                "camofox_navigate",
                session=USER,
                tabId=made["tabId"],
                url=caller.site.url(path),
            )
        )["refsAvailable"]
        for path in ("/plain", "/form")
    ]
    assert told == [False, True]
