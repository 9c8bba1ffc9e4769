"""Observation: what comes late, what goes wrong afterwards, and the budget of it all."""

from __future__ import annotations

from stockade.urls import origin_of
from tests.support.callers import Caller


async def test_what_comes_after_a_result_is_in_the_next(caller: Caller) -> None:
    await caller.show(
        """<button onclick="setTimeout(() => { console.error('late'); out.textContent = 'late' }, 400)">
        Go</button><p role=status id=out></p>"""
    )
    first = await caller.ok("click", selector="role=button")
    assert "console" not in first
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
    told = [*first.get("warnings", ()), *later.get("warnings", ())]
    assert any("too many are open" in warning for warning in told)


async def test_a_result_says_nothing_that_is_empty_or_as_before(caller: Caller) -> None:
    """A click that changes one text costs that text, and who said it."""
    await caller.show("<button onclick=\"out.textContent = 'Sold'\">Buy</button><p id=out></p>")
    reply = await caller.reply("click", ref="e1")
    assert reply.data is not None
    marker = reply.data["end"]
    assert reply.data == {
        "untrusted": f"{marker} {origin_of(caller.site.url('/'))}",
        "ok": True,
        "snapshotDelta": {"tree": "+ text: Sold"},
        "element": {"focused": True},
        "end": marker,
    }


async def test_a_field_that_holds_what_was_asked_for_is_told_once(caller: Caller) -> None:
    await caller.show("<p>Long words around it <label>Name <input></label> and after")
    done = await caller.ok("fill", selector="role=textbox", value="Ann")
    assert done["action"] == {"ref": "e1", "target": 'textbox "Name"'}
    assert done["element"] == {"focused": True, "value": "Ann"}


async def test_the_page_comes_first_and_the_network_last(caller: Caller) -> None:
    caller.site.page("/gone", "no", status=404)
    await caller.show(
        "<button onclick=\"console.error('bad'); fetch('/gone').then(() => out.textContent = 'x')\">"
        "Go</button><p id=out></p>"
    )
    done = await caller.ok("click", selector="role=button", mode="full")
    names = [name for name in done if name not in {"untrusted", "ok", "action", "end"}]
    assert names == ["snapshotDelta", "element", "console", "network"]
    assert done["snapshotDelta"]["mode"] == "full"


async def test_what_is_cut_says_how_large_it_is(caller: Caller) -> None:
    await caller.show("<button>Buy</button>" + "<p>Many words that fill the page</p>" * 500)
    reply = await caller.reply("click", selector="role=button", mode="full")
    assert reply.data is not None
    assert reply.data["snapshotDelta"]["truncated"]
    assert abs(reply.data["tokensEstimate"] - len(reply.text) / 4) < 30
