"""Every tool is refused where its capability is off, whichever way it is called."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from stockade.kernel.tool import Tool
from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.tools import registry
from stockade.tools.batch import MOST_CALLS
from stockade.tools.examples import examples
from tests.support.callers import Caller
from tests.support.mcp import STATELESS, stateless
from tests.support.serving import Served, served

REFUSED = "capability_disabled"
REFUSALS = (REFUSED, "needs the capability", "is not an action")
TOOLS = [each for each in (*registry(), *registry().apart) if each.capability is not None]
BY_CAPABILITY = {
    capability: [each for each in TOOLS if each.capability is capability]
    for capability in dict.fromkeys(each.capability for each in TOOLS)
}
WRAPPERS: dict[str, Any] = {
    "batch": lambda call: {"calls": [call]},
    "flake_check": lambda call: {"calls": [call], "n": 3},
    "act_and_diff": lambda call: {"action": call},
    "act_and_sample": lambda call: {"action": call, "metric": "scrollTop", "durationMs": 20},
    "act_and_wait_for_network": lambda call: {"action": call, "match": {"urlPattern": "x"}},
}
_ANYTHING = {
    "tabId": "t1",
    "selector": "h1",
    "sessionKey": "a",
    "width": 800,
    "height": 600,
    "schema": {"type": "object", "properties": {"a": {"type": "string", "x-ref": "e1"}}},
    "text": "a",
    "key": "a",
    "expression": "1",
    "path": "a",
    "downloadId": "a",
    "filename": "a",
}


def arguments_of(tool: Tool) -> dict[str, Any]:
    """Arguments that the tool would take."""
    example = examples().get(tool.name)
    if example is not None:
        given = {**(example.shown.get("arguments") or example.arguments)}
        given.pop("session", None)
        return {**given, "url": "about:blank"} if isinstance(given.get("url"), str) else given
    names = {field.alias or name for name, field in tool.arguments.model_fields.items()}
    return {name: value for name, value in _ANYTHING.items() if name in names}


def without(capability: Capability | None) -> Policy:
    return Policy(capabilities=frozenset(Capability) - {capability})


def test_every_capability_but_two_has_tools() -> None:
    """Stealth and attaching are ways to open a session, not tools."""
    rest = {Capability.STEALTH, Capability.BYOB_ATTACH, Capability.CLIPBOARD}
    assert set(BY_CAPABILITY) == set(Capability) - rest


async def test_no_call_passes_without_its_capability(caller: Caller) -> None:
    passed = []
    for tool in TOOLS:
        principal = replace(caller.principal, policy=without(tool.capability))
        narrow = replace(caller, principal=principal)
        reply = await narrow.reply(tool.name, **arguments_of(tool))
        if reply.ok or reply.error is None or reply.error.code != REFUSED:
            passed.append((tool.name, reply.text[:200]))
    assert passed == []
    assert not any(session.running for session in caller.kernel.sessions.all())


async def test_no_call_within_a_call_does(mighty: Caller) -> None:
    await mighty.show("<h1>Hello</h1>")
    passed = []
    for capability, tools in BY_CAPABILITY.items():
        principal = replace(mighty.principal, policy=without(capability))
        narrow = replace(mighty, principal=principal)
        inner = [{"tool": each.name, "args": arguments_of(each)} for each in tools if each.inner]
        for at in range(0, len(inner), MOST_CALLS):
            some = inner[at : at + MOST_CALLS]
            reply = await narrow.reply(
                "batch", calls=some, stopOnError=False, maxResultTokens=20_000
            )
            codes = [each.get("error", {}).get("code") for each in (reply.data or {})["results"]]
            passed += [
                call["tool"] for call, code in zip(some, codes, strict=True) if code != REFUSED
            ]
        for wrapper, wrapped in WRAPPERS.items():
            for call in inner[:1]:
                reply = await narrow.reply(wrapper, **wrapped(call))
                if not any(said in reply.text for said in REFUSALS):
                    passed.append(f"{wrapper}: {call['tool']}: {reply.text[:200]}")
    assert passed == []


async def test_what_was_planned_with_a_capability_is_not_done_without(mighty: Caller) -> None:
    await mighty.show("<button onclick=\"document.title = 'pressed'\">Go</button>")
    planned = await mighty.ok("plan", query="Go", verb="click")
    principal = replace(mighty.principal, policy=without(Capability.ACTION))
    refused = await replace(mighty, principal=principal).refused(
        "execute", descriptor=planned["descriptor"]
    )
    assert refused["code"] == REFUSED
    assert (await mighty.ok("tabs"))["tabs"][0]["title"] != "pressed"


async def test_a_session_keeps_what_it_was_opened_without(mighty: Caller) -> None:
    """The key may have more by now; the session does not."""
    narrow = replace(mighty.principal, policy=without(Capability.EVAL))
    await replace(mighty, principal=narrow).ok("list_sessions")
    await replace(mighty, principal=narrow).ok("open_session", session="default")
    assert (await mighty.refused("eval_js", expr="1"))["code"] == REFUSED


# --- from outside ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    async with served(
        tmp_path_factory.mktemp("workspace"), capabilities=("all",), log_level="error"
    ) as server:
        yield server


async def test_nor_over_rest_and_mcp_where_they_are_not_even_listed(server: Served) -> None:
    passed = []
    for capability, tools in BY_CAPABILITY.items():
        rest = [str(each) for each in Capability if each is not capability]
        _, headers = await server.key(name=f"without {capability}", capabilities=rest)
        names = {each.name for each in tools}
        listed = await _listed_over_rest(server, headers) | await _listed_over_mcp(server, headers)
        passed += sorted(f"listed: {name}" for name in listed & names)
        assert listed
        for tool in tools:
            given = arguments_of(tool)
            answer = await server.call(tool.name, headers=headers, **given)
            code = answer.json().get("code")
            if answer.status_code != 403 or code != REFUSED:
                passed.append(f"REST: {tool.name}: {answer.text[:200]}")
        # They are one path from there on: one of each kind shows that it leads there.
        tool = next((each for each in tools if each in registry()), tools[0])
        said = await _mcp(server, headers, "tools/call", tool=tool)
        if not said["isError"] or REFUSED not in json.dumps(said):
            passed.append(f"MCP: {tool.name}: {said}")
    assert passed == []


async def _listed_over_rest(server: Served, headers: dict[str, str]) -> set[str]:
    found: set[str] = set()
    for toolset in ({}, {"toolset": "camofox"}):
        query = {**toolset, "limit": "1000"}
        answer = await server.client.get("/v1/tools", params=query, headers=headers)
        assert answer.status_code == 200, answer.text
        found |= {each["name"] for each in answer.json()["tools"]}
    return found


async def _listed_over_mcp(server: Served, headers: dict[str, str]) -> set[str]:
    said = await _mcp(server, headers, "tools/list")
    return {each["name"] for each in said["tools"]}


async def _mcp(
    server: Served, headers: dict[str, str], method: str, *, tool: Tool | None = None
) -> dict[str, Any]:
    named = {"name": tool.name, "arguments": arguments_of(tool)} if tool is not None else {}
    heads = {
        **headers,
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": STATELESS,
        "mcp-method": method,
        **({"mcp-name": tool.name} if tool is not None else {}),
    }
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": stateless(**named)}
    path = "/mcp?toolsets=all,camofox"
    answer = await server.client.post(path, json=body, headers=heads)
    text = answer.text
    if answer.headers["content-type"].startswith("text/event-stream"):
        text = next(each[5:] for each in text.splitlines() if each.startswith("data:"))
    result: dict[str, Any] = json.loads(text)["result"]
    return result
