"""What waits for a person, in a real browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from stockade.kernel.approvals import Approvals
from stockade.kernel.questions import Question
from stockade.policy.confirming import parse_confirmations
from stockade.policy.policy import Policy
from stockade.policy.principal import Principal, Role
from tests.support.callers import Caller
from tests.support.site import Site
from tests.support.waiting import until

SHOP = """<!doctype html><title>Shop</title>
<form action="/pay" method="post">
  <label>Amount <input name="amount" value="10"></label>
  <label>Code <input name="code" type="password" value="hunter2hunter2"></label>
  <button id="pay">Pay 10 EUR</button>
</form>
<a id="help" href="/help">Help</a>
<button id="plain" onclick="document.title = 'plain'">Plain</button>"""


@dataclass(frozen=True)
class Desk:
    """An agent whose calls wait for a person, and the person."""

    agent: Caller
    operator: Principal

    @property
    def approvals(self) -> Approvals:
        return self.agent.kernel.approvals

    def pending(self) -> list[Question]:
        found = self.approvals.listed(self.operator, "pending")
        return [each for each in found if each.asker.id == self.agent.principal.id]

    async def asked(self) -> Question:
        await until(lambda: bool(self.pending()))
        return self.pending()[-1]

    async def say(self, decision: Any, **given: Any) -> Question:
        question = await self.asked()
        return await self.approvals.answer(self.operator, question.id, decision, **given)


def confirming(caller: Caller, *rules: str, **policy: Any) -> Caller:
    """The same caller, whose calls wait for a person as those rules say."""
    base = replace(caller.principal.policy, confirm=parse_confirmations(rules), **policy)
    return replace(caller, principal=replace(caller.principal, policy=base))


@pytest.fixture
def impatient(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Calls answer `approval_pending` at once."""
    settings = caller.kernel.settings.model_copy(update={"approval_wait": 0.001})
    monkeypatch.setattr(caller.kernel, "settings", settings)
    return caller


@pytest.fixture
def operator() -> Principal:
    return Principal("boss", role=Role.OPERATOR)


async def shop(caller: Caller) -> list[str]:
    """Serve the shop, and go there; what was paid is in the answer."""
    paid: list[str] = []
    caller.site.page("/paid", "<title>Paid</title>")
    await caller.show(SHOP, path="/shop")
    return paid


async def ref_of(caller: Caller, name: str) -> str:
    found = await caller.ok("find", query=name)
    return str(found["matches"][0]["ref"])


async def test_a_yes_lets_exactly_one_call_through(caller: Caller, operator: Principal) -> None:
    desk = Desk(confirming(caller, "form_submit"), operator)
    await shop(desk.agent)
    async with asyncio.TaskGroup() as group:
        clicking = group.create_task(desk.agent.reply("click", selector="#pay"))
        question = await desk.asked()
        # Nothing is held meanwhile: others work in the tab.
        assert "Pay 10" in await desk.agent.text("snapshot")
        await desk.say("approve")
    told = question.description
    assert clicking.result().ok, clicking.result().text
    assert told["rules"] == ["form_submit"]
    assert told["target"]["described"] == 'button "Pay 10 EUR"'
    assert told["form"]["fields"] == [{"name": "Amount", "value": "10"}, {"name": "Code", "value": "(secret)"}]
    assert question.picture
    assert question.picture[:4] == b"\x89PNG"
    assert question.state == "used"
    assert [each.path for each in desk.agent.site.requests if each.method == "POST"] == ["/pay"]
