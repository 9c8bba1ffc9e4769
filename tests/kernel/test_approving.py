"""What waits for a person, in a real browser."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from stockade.policy.capabilities import Capability
from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from tests.support.callers import Caller
from tests.support.desk import Desk
from tests.support.site import Response
from tests.support.waiting import until

SHOP = """<!doctype html><title>Shop</title>
<form action="/pay" method="post">
  <label>Amount <input name="amount" id="amount" value="10"></label>
  <label>Code <input name="code" type="password" value="hunter2hunter2"></label>
  <button id="pay">Pay 10 EUR</button>
</form>
<a id="help" href="/help">Help</a>
<div id="cover" style="display:none;position:fixed;inset:0">Cookies?</div>
<button id="plain" onclick="document.title = 'plain'">Plain</button>
<script>globalThis.clicks = [];
addEventListener('click', (e) => clicks.push(e.target.id), true);</script>"""


@pytest.fixture
def hasty(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Calls answer `approval_pending` at once."""
    settings = caller.kernel.settings.model_copy(update={"approval_wait": 0.001})
    monkeypatch.setattr(caller.kernel, "settings", settings)
    return caller


def paid(caller: Caller) -> int:
    return len(caller.site.asked("/pay"))


async def script(caller: Caller, code: str) -> Any:
    """Do something as the page itself would."""
    tab = caller.kernel.sessions.find(caller.principal, "default").current
    assert tab is not None
    return await tab.page.main_frame.call(f"() => {{ {code} }}", world="main")


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
        {"name": "Amount", "value": "10"},
        {"name": "Code", "value": "(secret)"},
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


CHANGES = {
    "text": "pay.textContent = 'Pay 1000 EUR'",
    "a digit": "pay.textContent = 'Pay 11 EUR'",
    "label": "pay.setAttribute('aria-label', 'Donate')",
    "action": "document.forms[0].action = '/elsewhere'",
    "own action": "pay.setAttribute('formaction', '/elsewhere')",
    "method": "document.forms[0].method = 'get'",
    "amount": "amount.value = '1000'",
    "another field": "document.forms[0].append(Object.assign(document.createElement('input'), {name: 'tip'}))",
    "swapped node": "pay.outerHTML = pay.outerHTML",
    "overlay": "cover.style.display = 'block'",
    "role": "pay.setAttribute('role', 'link')",
    "type": "pay.type = 'button'",
}


@pytest.mark.parametrize("change", CHANGES)
async def test_what_changed_after_the_yes_is_asked_again(hasty: Caller, change: str) -> None:
    desk = Desk.of(hasty, "form_submit")
    await desk.agent.show(SHOP)
    first = await desk.waits("click", selector="#pay")
    await desk.say("approve")
    await script(desk.agent, CHANGES[change])
    refused = await desk.agent.refused("click", selector="#pay", approval=first)
    assert (refused["code"], refused["reason"]) == ("approval_pending", "changed")
    assert refused["approval"] != first
    assert await script(desk.agent, "return clicks") == []
    # The old yes is gone for good, also for what it was given to.
    assert desk.approvals.find(desk.operator, first).state == "withdrawn"


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


async def test_the_page_cannot_swap_it_under_the_pointer(caller: Caller) -> None:
    desk = Desk.of(caller, "form_submit")
    html = SHOP + "<script>pay.onpointerover = () => { pay.textContent = 'Pay 99 EUR'; }</script>"
    await desk.agent.show(html)
    point = await script(
        desk.agent, "const r = pay.getBoundingClientRect(); return {x: r.x + 5, y: r.y + 5}"
    )
    async with asyncio.TaskGroup() as group:
        for arguments in ({"selector": "#pay"}, {"coords": point}):
            await desk.agent.ok("mouse_move", coords={"x": 5, "y": 500})
            await script(desk.agent, "pay.textContent = 'Pay 10 EUR'")
            clicking = group.create_task(desk.agent.refused("click", **arguments))
            await desk.say("approve")
            assert (await clicking)["code"] == "target_changed"
    assert paid(caller) == 0


async def test_other_arguments_are_another_question(hasty: Caller) -> None:
    desk = Desk.of(hasty, "tool:fill", "tool:press", "tool:navigate")
    hasty.site.page("/page", SHOP)
    given: list[tuple[str, dict[str, Any]]] = [
        ("navigate", {"url": hasty.site.url("/page")}),
        ("navigate", {"url": hasty.site.url("/page?x")}),
        ("fill", {"selector": "#amount", "value": "1"}),
        ("fill", {"selector": "#amount", "value": "2"}),
        ("press", {"selector": "#amount", "key": "a"}),
        ("press", {"selector": "#amount", "key": "b"}),
    ]
    await desk.agent.ok("open_session", session="s")
    asked = [await desk.waits(tool, session="s", **each) for tool, each in given[:2]]
    await desk.approvals.answer(desk.operator, asked[0], "approve")
    await desk.agent.ok("navigate", session="s", **given[0][1])
    asked += [await desk.waits(tool, session="s", **each) for tool, each in given[2:]]
    assert len(set(asked)) == len(asked)
    # What was asked in one session is not agreed to in another.
    await desk.agent.ok("open_session", session="t")
    assert await desk.waits("navigate", session="t", **given[1][1]) not in asked


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
    "the mouse by parts": ("mouse_down", {"coords": {"x": 5, "y": 5}}, True),
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


async def test_off_the_list_one_document_is_let_in(caller: Caller) -> None:
    site, other = caller.site, caller.site.other
    allowed = (OriginRule.parse(f"127.0.0.1:{site.port}"),)
    desk = Desk(
        replace(caller, principal=replace(caller.principal, policy=Policy(allowed=(allowed,))))
    )
    other.page("/a", "<title>A</title><a id=b href=/b>b</a><img src=/pixel>")
    other.page("/b", "<title>B</title>")
    other.page("/pixel", b"", content_type="image/png")
    third = site.url("/third", host="localhost")
    other.route("/leave", lambda _: _redirect(third))
    async with asyncio.TaskGroup() as group:
        going = group.create_task(desk.agent.reply("navigate", url=other.url("/a")))
        question = await desk.asked()
        assert question.facts["rules"] == ["navigate_off_allowlist"]
        assert question.facts["origin"] == other.url("")
        assert not other.asked("/a")
        await desk.say("approve")
    assert going.result().ok, going.result().text
    assert "A" in await desk.agent.text("snapshot")
    await until(lambda: bool(other.asked("/pixel")))
    # Another document of the same origin is another question, and is not read.
    await desk.agent.reply("click", selector="#b")
    refused = await desk.agent.refused("snapshot")
    assert refused["code"] == "address_denied"
    # Where it redirects to was not agreed to.
    async with asyncio.TaskGroup() as group:
        going = group.create_task(desk.agent.reply("navigate", url=other.url("/leave")))
        await desk.say("approve")
    assert not going.result().ok
    assert not site.asked("/third")
    # What is blocked is never asked about.
    blocked = replace(desk.agent.principal.policy, blocked=(OriginRule.parse("localhost"),))
    firm = replace(desk.agent, principal=replace(desk.agent.principal, id="firm", policy=blocked))
    assert (await firm.refused("navigate", url=third))["code"] == "address_denied"


async def _redirect(to: str) -> Response:
    return Response(status=302, headers={"location": to})


async def test_what_is_uploaded_is_part_of_the_question(hasty: Caller) -> None:
    desk = Desk.of(hasty, "file_upload", capabilities=frozenset(Capability))
    await desk.agent.show("<input type=file id=f>")
    first = await desk.waits("upload_file", selector="#f", name="a.txt", content="aGk=")
    other = await desk.waits("upload_file", selector="#f", name="a.txt", content="aGo=")
    assert first != other
    await desk.approvals.answer(desk.operator, first, "approve")
    await desk.agent.ok("upload_file", selector="#f", name="a.txt", content="aGk=")
