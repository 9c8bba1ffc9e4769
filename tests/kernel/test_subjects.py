"""What a call is about, to the letter."""

from __future__ import annotations

from typing import Any

from stockade.policy.capabilities import Capability
from tests.support.callers import Caller
from tests.support.desk import SHOP, Desk, script

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


async def test_what_changed_after_the_yes_is_asked_again(hasty: Caller) -> None:
    desk = Desk.of(hasty, "form_submit")
    for change in CHANGES.values():
        await desk.agent.show(SHOP)
        first = await desk.waits("click", selector="#pay")
        await desk.say("approve")
        await script(desk.agent, change)
        refused = await desk.agent.refused("click", selector="#pay", approval=first)
        assert (refused["code"], refused["reason"]) == ("approval_pending", "changed"), change
        assert refused["approval"] != first
        assert await script(desk.agent, "return clicks") == []
        # The old yes is gone for good, also for what it was given to.
        assert desk.approvals.find(desk.operator, first).state == "withdrawn"
        await desk.say("deny")


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


async def test_what_is_uploaded_is_part_of_the_question(hasty: Caller) -> None:
    desk = Desk.of(hasty, "file_upload", capabilities=frozenset(Capability))
    await desk.agent.show("<input type=file id=f>")
    first = await desk.waits("upload_file", selector="#f", name="a.txt", content="aGk=")
    other = await desk.waits("upload_file", selector="#f", name="a.txt", content="aGo=")
    assert first != other
    await desk.approvals.answer(desk.operator, first, "approve")
    await desk.agent.ok("upload_file", selector="#f", name="a.txt", content="aGk=")
