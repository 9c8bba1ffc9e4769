"""What waits for a person, in a real browser."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from stockade.policy.capabilities import Capability
from tests.support.callers import Caller
from tests.support.desk import SHOP, Desk, paid, script


async def test_a_yes_lets_exactly_one_call_through(caller: Caller) -> None:
    desk = Desk.of(caller, "form_submit")
    await desk.agent.show(SHOP)
    async with asyncio.TaskGroup() as group:
        clicking = group.create_task(desk.agent.reply("click", selector="#pay"))
        question = await desk.asked()
        # Nothing is held meanwhile: others work in the tab.
        assert "Pay 10" in await desk.agent.text("snapshot")
        assert paid(caller) == 0
        await desk.say("approve")
    told = question.description
    assert clicking.result().ok, clicking.result().text
    assert (told["tool"], told["rules"]) == ("click", ["form_submit"])
    assert told["origin"] == caller.site.url("")
    assert told["arguments"] == {"selector": "#pay"}
    assert told["target"]["described"] == 'button "Pay 10 EUR"'
    assert told["form"]["fields"] == [
        {"name": "amount", "label": "Amount", "value": "10"},
        {"name": "code", "label": "Code", "value": "(secret)"},
    ]
    assert question.picture is not None
    assert question.picture.data[:4] == b"\x89PNG"
    assert (question.state, question.by) == ("used", "boss")
    assert paid(caller) == 1


async def test_it_is_pending_until_answered_and_the_same_call_joins(hasty: Caller) -> None:
    desk = Desk.of(hasty, "form_submit")
    await desk.agent.show(SHOP)
    first = await desk.waits("click", selector="#pay")
    assert await desk.waits("click", selector="#pay") == first
    assert await desk.waits("click", selector="#pay", approval=first) == first
    assert len(desk.pending) == 1
    await desk.say("approve")
    await desk.agent.ok("click", selector="#pay", approval=first)
    assert paid(hasty) == 1
    # It was for one call: going back, the same button is asked about again.
    await desk.agent.ok("go_back")
    assert (await desk.agent.refused("click", selector="#pay", approval=first))[
        "code"
    ] == "approval_not_found"
    assert await desk.waits("click", selector="#pay") != first
    assert paid(hasty) == 1


async def test_a_no_is_a_no_and_stands(hasty: Caller) -> None:
    desk = Desk.of(hasty, "tool:click")
    await desk.agent.show(SHOP)
    first = await desk.waits("click", selector="#plain")
    await desk.say("deny", note="not today")
    for given in ({}, {"approval": first}):
        refused = await desk.agent.refused("click", selector="#plain", **given)
        assert (refused["code"], refused["reason"]) == ("approval_denied", "denied")
        assert refused["note"] == "not today"
    assert desk.pending == []
    assert await script(desk.agent, "return clicks") == []


async def test_no_answer_in_time_is_a_no(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = caller.kernel.settings.model_copy(update={"approval_timeout": 0.05})
    monkeypatch.setattr(caller.kernel, "settings", settings)
    desk = Desk.of(caller, "tool:click")
    await desk.agent.show(SHOP)
    refused = await desk.agent.refused("click", selector="#plain")
    assert (refused["code"], refused["reason"]) == ("approval_denied", "timeout")
    assert await script(desk.agent, "return clicks") == []


async def test_a_change_while_the_call_waits_ends_it(caller: Caller) -> None:
    desk = Desk.of(caller, "form_submit")
    await desk.agent.show(SHOP)
    async with asyncio.TaskGroup() as group:
        clicking = group.create_task(desk.agent.refused("click", selector="#pay"))
        await desk.asked()
        await script(desk.agent, "pay.textContent = 'Pay 1000 EUR'")
        await desk.say("approve")
    refused = clicking.result()
    assert (refused["code"], refused["reason"]) == ("approval_pending", "changed")
    assert refused["target"] == 'button "Pay 1000 EUR"'
    assert await script(desk.agent, "return clicks") == []
    await desk.say("approve")
    await desk.agent.ok("click", selector="#pay")
    assert paid(caller) == 1


WAYS: dict[str, tuple[str, dict[str, Any], bool]] = {
    "click": ("click", {"selector": "#pay"}, True),
    "click inside": ("click", {"selector": "#inside"}, True),
    "click on a point": ("click", {}, True),
    "a script button": ("click", {"selector": "#scripted"}, True),
    "a button elsewhere": ("click", {"selector": "#outside"}, True),
    "its label": ("click", {"selector": "#label"}, True),
    "double click": ("double_click", {"selector": "#pay"}, True),
    "Enter": ("press", {"selector": "#amount", "key": "Enter"}, True),
    "Enter at the focus": ("press", {"key": "Enter"}, True),
    "Space": ("press", {"selector": "#pay", "key": "Space"}, True),
    "chords": ("shortcut", {"selector": "#amount", "keys": ["Tab", "Enter"]}, True),
    "a new line": ("type", {"selector": "#amount", "text": "5\n"}, True),
    "fill_form": (
        "fill_form",
        {"fields": [{"selector": "#amount", "value": "5"}], "submit": {"selector": "#pay"}},
        True,
    ),
    "the mouse by parts": ("mouse_down", {"coords": {"x": 5, "y": 5}}, False),
    "a script": ("eval_js", {"expr": "document.forms[0].submit()"}, True),
    "the tab API": (
        "camofox_type",
        {"tab": "t1", "selector": "#amount", "text": "5", "submit": True},
        True,
    ),
    "reset": ("click", {"selector": "#reset"}, False),
    "a link": ("click", {"selector": "#help"}, False),
    "a button of no form": ("click", {"selector": "#plain"}, False),
    "a key": ("press", {"selector": "#amount", "key": "a"}, False),
    "fill": ("fill", {"selector": "#amount", "value": "5"}, False),
    "fields alone": ("fill_form", {"fields": [{"selector": "#amount", "value": "5"}]}, False),
    "hover": ("hover", {"selector": "#pay"}, False),
}
FORMS = (
    SHOP.replace("Pay 10 EUR</button>", "<b id='inside'>Pay</b></button>").replace(
        "</form>",
        "<button type=button id=scripted>Go</button><button type=reset id=reset>Reset</button>"
        "<label id=label for=pay>Pay by label</label></form>"
        "<button form=f id=outside>Out</button><form id=f></form>",
    )
    + "<script>amount.focus(); addEventListener('submit', (e) => e.preventDefault())</script>"
)


async def test_whatever_would_send_a_form_is_asked_about(
    hasty: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stockade.kernel.approvals._MOST_PENDING", 1000)
    desk = Desk.of(hasty, "form_submit", capabilities=frozenset(Capability))
    await desk.agent.show(FORMS, path="/help")
    found: dict[str, str] = {}
    for name, (tool, given, _) in WAYS.items():
        arguments = given
        if name == "click on a point":
            arguments = {
                "coords": await script(
                    desk.agent,
                    "const r = pay.getBoundingClientRect(); return {x: r.x + 4, y: r.y + 4}",
                )
            }
        reply = await desk.agent.reply(tool, **arguments)
        found[name] = reply.error.code if reply.error is not None else "ok"
    assert found == {
        name: "approval_pending" if asks else "ok" for name, (_, _, asks) in WAYS.items()
    }
    assert paid(hasty) == 0


async def test_a_rule_about_an_origin(hasty: Caller) -> None:
    desk = Desk.of(hasty, f"origin:127.0.0.1:{hasty.site.port}")
    framed = f"<button id=own>Own</button><iframe src='{hasty.site.url('/in')}'></iframe>"
    hasty.site.page("/in", "<button id=inner>Inner</button>")
    hasty.site.other.page("/out", framed)
    await desk.agent.show(SHOP)
    await desk.waits("click", selector="#plain")
    await desk.waits("fill", selector="#amount", value="5")
    await desk.agent.ok("find", query="plain")
    await desk.agent.ok("navigate", url=hasty.site.other.url("/out"))
    await desk.agent.ok("click", selector="#own")
    # A frame of that origin, in a page of another.
    matches = (await desk.agent.ok("find", query="Inner"))["candidates"]
    await desk.waits("click", ref=matches[0]["ref"])
    assert desk.pending[-1].facts["within"] == hasty.site.other.url("")


async def test_calls_within_calls_wait_too(hasty: Caller) -> None:
    desk = Desk.of(hasty, "form_submit")
    await desk.agent.show(SHOP)
    calls = [
        {"tool": "fill", "args": {"selector": "#amount", "value": "7"}},
        {"tool": "click", "args": {"selector": "#pay"}},
    ]
    done = await desk.agent.reply("batch", calls=calls)
    assert done.data is not None
    assert done.data["results"][1]["error"]["code"] == "approval_pending"
    assert paid(hasty) == 0
    await desk.say("approve")
    reply = await desk.agent.reply("act_and_diff", action=calls[1])
    assert reply.ok, reply.text
    assert paid(hasty) == 1
    assert hasty.site.asked("/pay")[0].form["amount"] == "7"


async def test_a_batch_goes_on_after_a_yes(caller: Caller) -> None:
    desk = Desk.of(caller, "tool:click")
    await desk.agent.show(SHOP)
    calls = [
        {"tool": "click", "args": {"selector": "#plain"}},
        {"tool": "fill", "args": {"selector": "#amount", "value": "9"}},
    ]
    async with asyncio.TaskGroup() as group:
        batch = group.create_task(desk.agent.reply("batch", calls=calls, timeoutMs=3000))
        await desk.asked()
        assert await desk.agent.ok("snapshot") is not None
        await desk.say("approve")
    assert batch.result().ok, batch.result().text
    assert await script(desk.agent, "return [amount.value, clicks]") == ["9", ["plain"]]
