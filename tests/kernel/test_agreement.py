"""What a person agreed to is done, and nothing else."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from stockade.policy.origins import OriginRule
from stockade.policy.policy import Policy
from tests.support.callers import Caller
from tests.support.desk import SHOP, Desk, paid, script
from tests.support.site import Response
from tests.support.waiting import until


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
