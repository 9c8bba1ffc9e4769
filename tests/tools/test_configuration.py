"""What operators decide while the server runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from stockade.policy.principal import Role
from tests.support.callers import Caller


@pytest.fixture
def operator(caller: Caller) -> Iterator[Caller]:
    """Somebody else, of a tenant that no other test is of."""
    tenant = f"of {caller.principal.id}"
    yield caller.another(role=Role.OPERATOR, tenant=tenant)
    for layer in ("user", "project"):
        caller.kernel.overlay.reset(tenant, layer)


async def test_agents_decide_nothing(caller: Caller) -> None:
    given: dict[str, dict[str, Any]] = {
        "approve_actions": {"scopes": ["file_upload"]},
        "list_approvals": {},
        "set_config": {"patch": {"capabilities": ["eval"]}},
        "reset_config": {},
    }
    for tool, arguments in given.items():
        assert (await caller.refused(tool, **arguments))["code"] == "role_required"
        inner = [{"tool": tool, "args": arguments}]
        assert not (await caller.reply("batch", calls=inner)).ok
    assert caller.kernel.overlay.resolved(caller.principal.tenant) == {}


async def test_what_is_set_holds_for_sessions_that_open_later(operator: Caller) -> None:
    agent = operator.another(role=Role.AGENT)
    await agent.ok("tabs", action="new")
    patch = {"capabilities": ["read", "navigation", "eval"], "confirmRequired": ["form_submit"]}
    told = await operator.ok("set_config", scope="project", patch=patch)
    assert told["config"] == patch
    assert told["capabilitiesPendingRestart"] == ["eval"]
    before = (await agent.ok("get_config"))["config"]
    assert "action" in before["capabilities"]
    assert before["confirmRequired"] == []
    await agent.ok("open_session", session="later")
    after = (await agent.ok("get_config", session="later"))["config"]
    assert after["capabilities"] == ["navigation", "read"]
    assert after["confirmRequired"] == ["form_submit"]
    refused = await agent.refused("click", session="later", selector="a")
    assert refused["code"] == "capability_disabled"
    assert (await agent.ok("get_config", scope="project"))["config"] == patch
    assert (await operator.ok("reset_config", scope="project"))["config"] == {}
    await agent.ok("open_session", session="latest")
    latest = (await agent.ok("get_config", session="latest"))["config"]
    assert "action" in latest["capabilities"]


@pytest.mark.parametrize(
    "patch",
    [
        {"disableWebSecurity": [True]},
        {"headless": []},
        {"capabilities": "all"},
        {"capabilities": ["everything"]},
        {"allowedOrigins": ["*"]},
        {"confirmRequired": ["nothing"]},
        {"blockedOrigins": [1]},
    ],
)
async def test_what_cannot_be_set_changes_nothing(operator: Caller, patch: dict[str, Any]) -> None:
    assert (await operator.refused("set_config", patch=patch))["code"] == "invalid_argument"
    assert (await operator.ok("get_config", scope="user"))["config"] == {}


async def test_what_is_agreed_to_beforehand_is_listed(operator: Caller) -> None:
    scopes = ["file_upload", "form_submit:bank.example"]
    wrong: dict[str, Any]
    told = await operator.ok("approve_actions", scopes=scopes, ttlSeconds=60)
    assert sorted(each["scope"] for each in told["approvals"]) == scopes
    assert (await operator.ok("list_approvals"))["approvals"][0]["uses"] == 0
    other = replace(operator, principal=replace(operator.principal, tenant="elsewhere"))
    assert (await other.ok("list_approvals"))["approvals"] == []
    for wrong in (
        {"scopes": ["no such"]},
        {"scopes": []},
        {"scopes": scopes, "ttlSeconds": 86_401},
    ):
        assert (await operator.refused("approve_actions", **wrong))["code"] == "invalid_argument"
