"""An agent whose calls wait for a person, and that person."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from stockade.engines.values import World
from stockade.kernel.approvals import Approvals, Decision
from stockade.kernel.questions import Question
from stockade.policy.confirming import parse_confirmations
from stockade.policy.principal import Principal, Role
from tests.support.callers import Caller
from tests.support.waiting import until

BOSS = Principal("boss", role=Role.OPERATOR)


@dataclass(frozen=True)
class Desk:
    """Who asks, and who answers."""

    agent: Caller
    operator: Principal = BOSS

    @classmethod
    def of(cls, caller: Caller, *rules: str, **policy: Any) -> Desk:
        """The same caller, whose calls wait for a person as those rules say."""
        base = replace(caller.principal.policy, confirm=parse_confirmations(rules), **policy)
        return cls(replace(caller, principal=replace(caller.principal, policy=base)))

    @property
    def approvals(self) -> Approvals:
        return self.agent.kernel.approvals

    @property
    def pending(self) -> list[Question]:
        found = self.approvals.listed(self.operator, "pending")
        return [each for each in found if each.owner.id == self.agent.principal.id]

    async def asked(self) -> Question:
        """The question that waits now."""
        await until(lambda: bool(self.pending))
        return self.pending[-1]

    async def say(self, decision: Decision, **given: Any) -> Question:
        """Decide it."""
        question = await self.asked()
        return await self.approvals.answer(self.operator, question.id, decision, **given)

    async def waits(self, tool: str, **arguments: Any) -> str:
        """Make a call that must come to wait for a person; the id of its question."""
        refused = await self.agent.refused(tool, **arguments)
        assert refused["code"] == "approval_pending", refused
        return str(refused["approval"])


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


def paid(caller: Caller) -> int:
    return len(caller.site.asked("/pay"))


async def script(caller: Caller, code: str) -> Any:
    """Do something as the page itself would."""
    tab = caller.kernel.sessions.find(caller.principal, "default").current
    assert tab is not None
    return await tab.page.main_frame.call(f"() => {{ {code} }}", world=World.MAIN)
