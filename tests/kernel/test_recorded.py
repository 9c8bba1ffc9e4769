"""Calls as steps of a flow."""

from __future__ import annotations

from stockade.flows.recording import Recordings
from tests.support.callers import Caller

PAGE = """<label>Name <input></label><label>Code <input autocomplete="one-time-code"></label>
<button onclick="this.remove()">Go</button>"""


async def steps(caller: Caller) -> list[tuple[str, dict[str, object]]]:
    session = await caller.kernel.sessions.reach(caller.principal, "default")
    running = session.parts.of(Recordings, Recordings).running
    assert running is not None
    return [(each.tool, each.arguments) for each in running.steps]


async def test_only_what_succeeded_and_only_what_matters(caller: Caller) -> None:
    await caller.show(PAGE)
    await caller.ok("start_recording", flowName="flow")
    await caller.ok("fill", selector="label=Name", value="Ada", mode="none", maxResultTokens=100)
    await caller.text("snapshot")
    await caller.refused("click", selector="text=Nothing")
    await caller.reply("verify_value", selector="label=Name", value="Bob")
    await caller.ok("click", selector="text=Go")
    assert await steps(caller) == [("fill", {"value": "Ada"}), ("click", {})]


async def test_codes_are_nobodys_business(caller: Caller) -> None:
    await caller.show(PAGE)
    await caller.ok("start_recording", flowName="flow")
    await caller.ok("type", selector="label=Code", text="123456")
    assert await steps(caller) == [("type", {"text": "<CODE>"})]


async def test_calls_within_a_call(caller: Caller) -> None:
    await caller.show(PAGE)
    await caller.ok("start_recording", flowName="flow")
    await caller.ok(
        "batch",
        calls=[
            {"tool": "fill", "args": {"selector": "label=Name", "value": "Ada"}},
            {"tool": "click", "args": {"selector": "text=Go"}},
        ],
    )
    assert [tool for tool, _ in await steps(caller)] == ["fill", "click"]
