"""The person behind a client is asked, in both eras of the protocol, where the operator lets them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from stockade.kernel.dispatch import Kernel
from stockade.surfaces.mcp.caller import Caller as Client
from tests.support.callers import Caller
from tests.support.desk import Desk
from tests.support.mcp import CORE, HANDSHAKE, STATELESS, Speaker, speaking

ABLE: dict[str, Any] = {"elicitation": {}}
ABOUT = {"name": "speaker", "version": "1"}
PAGE = "<title>before</title><button onclick=\"document.title = 'after'\">Buy</button>"
CLICK = {"selector": "button"}


def allowing(kernel: Kernel, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> None:
    given = {"approval_elicitation": True, "approval_wait": 0.01, **settings}
    monkeypatch.setattr(kernel, "settings", kernel.settings.model_copy(update=given))


async def shake_hands(speaker: Speaker, capabilities: dict[str, Any]) -> None:
    await speaker.ask(
        "initialize", protocolVersion=HANDSHAKE, capabilities=capabilities, clientInfo=ABOUT
    )
    await speaker.tell("notifications/initialized")


async def reply(speaker: Speaker, to: Any, result: dict[str, Any]) -> None:
    await speaker.say(json.dumps({"jsonrpc": "2.0", "id": to, "result": result}).encode())


def modern(capabilities: dict[str, Any], **given: Any) -> dict[str, Any]:
    prefix = "io.modelcontextprotocol"
    meta = {f"{prefix}/protocolVersion": STATELESS, f"{prefix}/clientCapabilities": capabilities}
    return {"name": "click", "arguments": CLICK, **given, "_meta": meta}


@pytest.mark.parametrize(
    ("said", "title", "state"),
    [
        ({"action": "accept", "content": {"value": True}}, "after", "used"),
        ({"action": "accept", "content": {"value": False}}, "before", "denied"),
        ({"action": "decline"}, "before", "denied"),
        ({"action": "cancel"}, "before", "denied"),
    ],
)
async def test_a_client_is_asked_while_its_call_waits_or_to_call_again(
    caller: Caller, monkeypatch: pytest.MonkeyPatch, said: Any, title: str, state: str
) -> None:
    allowing(caller.kernel, monkeypatch)
    desk = Desk.of(caller, "tool:click")
    client = Client(desk.agent.principal, CORE)
    await desk.agent.show(PAGE)
    async with speaking(caller.kernel, client) as speaker:
        await shake_hands(speaker, ABLE)
        number = await speaker.begin("tools/call", name="click", arguments=CLICK)
        asked = await speaker.hear()
        assert asked["method"] == "elicitation/create"
        assert 'button "Buy"' in asked["params"]["message"]
        await reply(speaker, asked["id"], said)
        told = await speaker.hear()
        assert (told["id"], told["result"]["isError"]) == (number, state == "denied")
    [question] = desk.approvals.listed(desk.operator)[-1:]
    assert (question.state, question.by) == (state, f"elicitation:{desk.agent.principal.id}")
    assert (await desk.agent.ok("tabs"))["tabs"][0]["title"] == title
    # A no stands for a while, so it is about another page now.
    await desk.agent.show(PAGE, path="/other")
    async with speaking(caller.kernel, client) as speaker:
        first = (await speaker.ask("tools/call", **modern(ABLE)))["result"]
        assert first["resultType"] == "input_required"
        assert "Buy" in first["inputRequests"]["approval"]["params"]["message"]
        back = {"inputResponses": {"approval": said}, "requestState": first["requestState"]}
        second = (await speaker.ask("tools/call", **modern(ABLE, **back)))["result"]
        assert second.get("isError", False) is (state == "denied")
        # The same answer again answers nothing.
        third = (await speaker.ask("tools/call", **modern(ABLE, **back)))["result"]
        assert third["isError"]
    assert (await desk.agent.ok("tabs"))["tabs"][0]["title"] == title


async def test_nobody_is_asked_unless_the_operator_and_the_client_agree(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk.of(caller, "tool:click")
    client = Client(desk.agent.principal, CORE)
    await desk.agent.show(PAGE)
    for allowed, able in ((False, ABLE), (True, {}), (True, {"elicitation": {"url": {}}})):
        allowing(caller.kernel, monkeypatch, approval_elicitation=allowed)
        async with speaking(caller.kernel, client) as speaker:
            await shake_hands(speaker, able)
            told = await speaker.call("click", **CLICK)
            assert "approval_pending" in told["content"][0]["text"]
        async with speaking(caller.kernel, client) as speaker:
            forged = {"action": "accept", "content": {"value": True}}
            back = {"inputResponses": {"approval": forged}, "requestState": desk.pending[0].id}
            told = (await speaker.ask("tools/call", **modern(able, **back)))["result"]
            assert "approval_pending" in told["content"][0]["text"]
    assert (await desk.agent.ok("tabs"))["tabs"][0]["title"] == "before"


async def test_await_human_asks_the_same_way(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowing(caller.kernel, monkeypatch)
    client = Client(caller.principal, frozenset({"core", "web"}))
    async with speaking(caller.kernel, client) as speaker:
        await shake_hands(speaker, ABLE)
        given = {"kind": "choose", "prompt": "Which?", "choices": ["red", "green"]}
        await speaker.begin("tools/call", name="await_human", arguments=given)
        asked = await speaker.hear()
        properties = asked["params"]["requestedSchema"]["properties"]
        assert properties["value"]["enum"] == ["red", "green"]
        await reply(speaker, asked["id"], {"action": "accept", "content": {"value": "green"}})
        told = await speaker.hear()
        assert told["result"]["structuredContent"]["value"] == "green"
