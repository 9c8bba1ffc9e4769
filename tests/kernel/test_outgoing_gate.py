"""A session's requests are looked at only where there is something to look for."""

from __future__ import annotations

from stockade.kernel.outgoing_gate import OutgoingGate
from tests.support.callers import Caller
from tests.support.desk import Desk


def gate_of(caller: Caller) -> OutgoingGate:
    gate = caller.kernel.sessions.find(caller.principal, "default").parts.get(OutgoingGate)
    assert gate is not None
    return gate


async def test_it_is_open_until_a_secret_is_filled_in(mighty: Caller) -> None:
    caller = mighty
    await caller.show("<input type=password name=pw>")
    gate = gate_of(caller)
    context = await caller.kernel.sessions.find(caller.principal, "default").started()
    routes = context.routes  # type: ignore[attr-defined]
    assert routes.gate is None
    await caller.ok("register_secret", name="TOKEN", value="correct horse battery")
    assert routes.gate is None
    await caller.ok("fill", selector="[name=pw]", value="<TOKEN>")
    assert routes.gate is gate
    assert not gate.past_workers


async def test_forms_and_secrets_are_both_looked_at(hasty: Caller, mighty: Caller) -> None:
    desk = Desk.of(mighty, "form_submit")
    other = hasty.site.other
    await desk.agent.show(
        f"<form method=post action='{other.url('/in')}'><input type=password name=pw>"
        "<button>In</button></form>"
    )
    assert gate_of(desk.agent).past_workers
    await desk.agent.ok("register_secret", name="TOKEN", value="correct horse battery")
    await desk.agent.ok("fill", selector="[name=pw]", value="<TOKEN>")
    asked = await desk.waits("click", selector="button")
    await desk.say("approve")
    # A person's yes to the click does not take the secret elsewhere.
    refused = await desk.agent.refused("click", selector="button", approval=asked)
    assert refused["code"] == "secret_refused"
    assert other.asked("/in") == []
