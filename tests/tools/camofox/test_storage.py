"""The storage of a user, taken out and forgotten."""

from __future__ import annotations

import asyncio

from stockade.kernel.dispatch import Kernel
from tests.support.callers import Caller


async def test_exported_as_playwright_has_it(mighty: Caller) -> None:
    refusal = await mighty.refused("camofox_storage_state", session="ada")
    assert refusal["code"] == "not_found"
    await mighty.ok("open_session", session="ada")
    assert (await mighty.refused("camofox_storage_state", session="ada"))["code"] == "not_found"
    await mighty.show("<script>localStorage.tea = 'green'</script>", session="ada")
    await mighty.ok("eval_js", expr="document.cookie = 'who=ada; secure'", session="ada")
    state = await mighty.ok("camofox_storage_state", session="ada")
    [cookie] = state["cookies"]
    assert (cookie["name"], cookie["value"], cookie["secure"]) == ("who", "ada", True)
    items = [{"name": "tea", "value": "green"}]
    assert state["origins"] == [{"origin": mighty.site.url(""), "localStorage": items}]
    stranger = mighty.another()
    assert (await stranger.refused("camofox_storage_state", session="ada"))["code"] == "not_found"


async def test_reset_forgets_what_is_live_and_what_was_kept(mighty: Caller, kernel: Kernel) -> None:
    nothing = {"ok": True, "clearedLive": False, "removedPersisted": False}
    assert await mighty.ok("camofox_reset_storage", session="ada") == nothing
    fill = "document.cookie = 'who=ada'; localStorage.tea = sessionStorage.tea = 'green'; 1"
    for closed in (False, True):
        await mighty.ok("open_session", session="ada", mode="persistent")
        await mighty.show("<p>hello", session="ada")
        await mighty.ok("eval_js", expr=fill, session="ada")
        if closed:
            await mighty.ok("close_session", session="ada")
            done = await mighty.ok("camofox_reset_storage", session="ada")
        else:
            replies = await asyncio.gather(
                *(mighty.reply("camofox_reset_storage", session="ada") for _ in range(2))
            )
            assert [each.error and each.error.code for each in replies] == [None, "conflict"]
            done = replies[0].data or {}
            left = await mighty.ok("camofox_storage_state", session="ada")
            assert (left["cookies"], left["origins"]) == ([], [])
            code = "document.cookie + localStorage.length + sessionStorage.length"
            assert (await mighty.ok("eval_js", expr=code, session="ada"))["value"] == "00"
            await mighty.ok("close_session", session="ada")
        assert done == {"ok": True, "clearedLive": not closed, "removedPersisted": True}
        place = kernel.settings.workspace.glob(f"profiles/*/*{mighty.principal.id}/=ada/*")
        # That the agent had a hand in its pages is known for as long as the session lasts.
        assert [each.name for each in place if each.name not in {".lock", "provenance"}] == []
