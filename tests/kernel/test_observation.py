"""Observation: what comes late, what goes wrong afterwards, and the budget of it all."""

from __future__ import annotations

from tests.support.callers import Caller


async def test_what_comes_after_a_result_is_in_the_next(caller: Caller) -> None:
    await caller.show(
        """<button onclick="setTimeout(() => { console.error('late'); out.textContent = 'late' }, 400)">
        Go</button><p role=status id=out></p>"""
    )
    first = await caller.ok("click", selector="role=button")
    assert first["console"]["errors"] == []
    later = await caller.ok("wait_for", text="late")
    assert later["console"]["errors"] == ["late"]
    assert "late" in later["snapshotDelta"]["tree"]


async def test_a_tab_that_closes_itself_is_told(caller: Caller) -> None:
    caller.site.page("/popup", "<button onclick=window.close()>Bye</button>")
    await caller.show("<a href=/popup target=_blank rel=opener>Open</a>")
    opened = await caller.ok("click", selector="text=Open")
    popup = opened["structure"]["newTabs"][0]["tab"]
    done = await caller.ok("click", selector="role=button", tab=popup)
    assert any("closed" in warning for warning in done["warnings"])
    refusal = await caller.refused("snapshot", tab=popup)
    assert refusal["code"] in {"tab_not_found", "tab_closed"}
    assert "Open" in await caller.text("snapshot")


async def test_work_that_goes_on_is_pending(caller: Caller) -> None:
    await caller.show(
        """<button onclick="let n = 0; setInterval(() => { const p = document.createElement('p');
        p.textContent = n++; document.body.append(p) }, 20)">Go</button>"""
    )
    done = await caller.ok("click", selector="role=button", mode="none")
    assert done["settled"] is False
    assert done["pending"]


async def test_popups_beyond_the_limit_are_closed_and_told(caller: Caller) -> None:
    caller.site.page("/popup", "<p>Popup")
    await caller.show(
        "<button onclick=\"for (let i = 0; i < 15; i++) window.open('/popup', 'w' + i)\">Many</button>"
    )
    first = await caller.ok("click", selector="role=button")
    later = await caller.ok("press", key="Tab")
    assert len((await caller.ok("tabs"))["tabs"]) <= 10
    told = [*first["warnings"], *later["warnings"]]
    assert any("too many are open" in warning for warning in told)


async def test_the_estimate_is_about_right(caller: Caller) -> None:
    await caller.show("<button>Buy</button>")
    reply = await caller.reply("click", selector="role=button")
    assert reply.data is not None
    assert abs(reply.data["tokensEstimate"] - len(reply.text) / 4) < 30
