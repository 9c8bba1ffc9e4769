"""Whatever an agent's key calls, nobody's policy gets wider, and nothing of others changes."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
import schemathesis
from schemathesis.hooks import unregister

from stockade.policy.capabilities import Capability
from stockade.policy.policy import Policy
from stockade.tools import registry
from tests.fuzz.fuzzing import Effort, fuzz
from tests.gate.test_capabilities import arguments_of
from tests.support.mcp import STATELESS, stateless
from tests.support.serving import Served, served
from tests.support.site import Site
from tests.support.soak import Soak

SECRET = "wid3n-me-not-9f2c"
PRIVATE = "the-victims-own-words"
PAGE = "<title>Home</title><form action=/sent method=post><button id=go>Go</button></form>"
ON = ("default", "eval", "file-io", "secrets", "diagnostics")
CONFIRM = ("form_submit", "file_upload", "navigate_off_allowlist")
_TOOL = re.compile(r"/tools/[a-z]\w*$")
_RULING = {
    *("open_session", "get_config", "set_config", "reset_config", "approve_actions"),
    *("list_approvals", "register_secret", "get_credential", "get_totp", "grant_permissions"),
    *("set_dialog_policy", "set_permission_policy", "set_notification_policy"),
    *("set_fs_picker_policy", "permission_state", "auth_load", "auth_delete", "profile_restore"),
}
"""Tools that have to do with what is allowed, or with what belongs to whom."""


@dataclass
class Ground:
    """A server, an operator, somebody with an agent's key, and somebody else with another."""

    server: Served
    home: str
    mine: dict[str, str]
    theirs: dict[str, str]
    question: str = ""
    victim: str = ""
    said: list[str] = field(default_factory=list)
    """What the agent was answered, all of it."""

    async def try_(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> httpx.Response:
        """Ask for something as the agent."""
        heads = {**self.mine, **headers}
        answer = await self.server.stranger.request(method, path, json=body, headers=heads)
        self.said.append(answer.text)
        return answer

    async def seen(self) -> dict[str, Any]:
        """Everything that must stay as it is, as the operator sees it."""
        see = self.server.client.get
        keys = (await see("/v1/keys")).json()["keys"]
        questions = (await see("/v1/approvals")).json()["approvals"]
        sessions = (await see("/v1/sessions")).json()["sessions"]
        layers = [
            (await self.server.client.post("/v1/tools/get_config", json={"scope": scope})).json()
            for scope in ("user", "project", "resolved")
        ]
        granted = await self.server.client.post("/v1/tools/list_approvals", json={})
        kept = await self.server.call("artifact_get", headers=self.theirs, name="note.txt")
        return {
            "keys": [{**each, "last_used_at": None} for each in keys],
            "secrets": (await see("/v1/secrets")).json()["secrets"],
            "question": next(each["state"] for each in questions if each["id"] == self.question),
            "answered": [each for each in questions if each.get("answeredBy")],
            "victim": [each["url"] for each in sessions if each["session_id"] == self.victim],
            "layers": [each["config"] for each in layers],
            "granted": granted.json()["approvals"],
            "kept": PRIVATE in kept.text,
        }

    async def policies(self) -> list[dict[str, Any]]:
        """What each session of the agent may do, as it is told itself."""
        listed = await self.try_("POST", "/v1/tools/list_sessions", {})
        names = ["", *(each["id"] for each in listed.json()["sessions"])]
        found = []
        for name in names:
            given = {"scope": "resolved", **({"session": name} if name else {})}
            told = await self.try_("POST", "/v1/tools/get_config", given)
            found.append(told.json()["config"])
        return found


@pytest.fixture(scope="module")
async def ground(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Ground]:
    async with Site.serve() as site:
        home = site.page("/", PAGE)
        async with served(
            tmp_path_factory.mktemp("workspace"),
            capabilities=ON,
            allowed_origins=(site.url(""),),
            confirm_required=CONFIRM,
            toolsets=("all",),
            approval_wait=0.001,
            call_deadline=1,
            queue_wait=1,
            tab_wait=1,
            log_level="error",
        ) as server:
            _, mine = await server.key(name="agent")
            _, theirs = await server.key(name="victim")
            kept = {"value": SECRET, "origins": [site.url("")]}
            assert (await server.client.put("/v1/secrets/SITE", json=kept)).is_success
            await server.call("navigate", headers=theirs, url=home)
            note = {"name": "note.txt", "content": PRIVATE, "encoding": "utf-8"}
            await server.call("artifact_save", headers=theirs, **note)
            asked = (await server.call("click", headers=theirs, selector="#go")).json()
            listed = (await server.client.get("/v1/sessions")).json()["sessions"]
            yield Ground(server, home, mine, theirs, asked["approval"], listed[0]["session_id"])


def _attempts(ground: Ground) -> list[tuple[str, str, Any]]:
    """Everything that would be more than the key is for, asked for as plainly as can be."""
    question, victim = ground.question, ground.victim
    wide = {"capabilities": ["all"], "origins": [], "allowedOrigins": [], "confirm": []}
    key = {"name": "more", "role": "admin"}
    answers = [
        {"decision": "approve"},
        {"decision": "answer", "value": True},
        {"decision": "approve", "role": "operator"},
    ]
    tools: dict[str, Any] = {
        "set_config": [{"patch": {"capabilities": ["all"]}}, {"patch": {}, "scope": "project"}],
        "reset_config": [{}, {"scope": "project"}],
        "approve_actions": [{"scopes": ["form_submit"]}, {"scopes": ["tool:click"]}],
        "list_approvals": [{}],
        "close_session": [{"session": victim}],
        "close_sessions": [{"all": True}],
        "open_session": [
            {"session": "wide", **wide},
            {"session": "wide", "confirm": []},
            {"session": "wide", "domains": ["*.localhost", "evil.test"]},
            {"session": "wide", "mode": "attached"},
            {"session": "wide", "mode": "persistent", "profile": "../victim"},
            {"session": "wide", "role": "operator", "tenant": "other"},
            {"session": victim},
        ],
        "get_config": [{"session": victim}, {"scope": "env"}, {"scope": "user"}],
        "diagnostics_report": [{"sessionId": victim}],
        "diagnostics_search": [{"sessionId": victim}],
    }
    return [
        *[("POST", f"/v1/tools/{tool}", given) for tool, every in tools.items() for given in every],
        *[("POST", f"/v1/sessions/{victim}/tools/{tool}", {}) for tool in ("snapshot", "tabs")],
        *[("POST", f"/v1/approvals/{question}", answer) for answer in answers],
        ("GET", f"/v1/approvals/{question}", None),
        ("GET", "/v1/approvals", None),
        ("DELETE", f"/v1/approvals/{question}", None),
        ("POST", f"/console/approvals/{question}/approve", {}),
        ("POST", f"/v1/approvals/{question}?role=admin&token=x", {"decision": "approve"}),
        ("POST", "/v1/keys", key),
        ("GET", "/v1/keys", None),
        ("DELETE", "/v1/keys/admin", None),
        ("POST", "/v1/logins", {}),
        ("GET", "/v1/secrets", None),
        ("GET", "/v1/secrets/SITE", None),
        ("PUT", "/v1/secrets/SITE", {"value": "another-value-1", "origins": ["evil.test"]}),
        ("DELETE", "/v1/secrets/SITE", None),
        ("POST", "/v1/sessions", {"session": "wide2", **wide}),
        ("GET", f"/v1/sessions/{victim}", None),
        ("DELETE", f"/v1/sessions/{victim}", None),
        ("PATCH", f"/v1/sessions/{victim}", wide),
        ("GET", f"/v1/sessions/{victim}/artifacts", None),
        ("GET", f"/v1/sessions/{victim}/artifacts/note.txt", None),
        ("DELETE", f"/v1/sessions/{victim}/artifacts/note.txt", None),
        ("POST", "/stop", {}),
        ("POST", "/start", {}),
        ("DELETE", "/sessions/default", None),
        ("GET", f"/tabs?userId={victim}", None),
        ("GET", "/metrics", None),
        ("GET", "/health", None),
        ("GET", "/console", None),
        ("GET", "/openapi.json", None),
    ]


async def _over_mcp(ground: Ground, tool: str, given: Any) -> None:
    heads = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": STATELESS,
        "mcp-method": "tools/call",
        "mcp-name": tool,
    }
    params = stateless(name=tool, arguments=given)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    await ground.try_("POST", "/mcp?toolsets=all,camofox", body, **heads)


def _ensure_narrow(found: list[dict[str, Any]], ground: Ground) -> None:
    on = set(Policy.stated(capabilities=ON, allowed=(), blocked=()).capabilities)
    for each in found:
        assert set(map(Capability, each["capabilities"])) <= on
        assert ground.home.rstrip("/") in json.dumps(each["allowedOrigins"])
        assert set(each["confirmRequired"]) >= set(CONFIRM)


async def test_what_an_agent_asks_for_changes_nothing(ground: Ground) -> None:
    await ground.server.call("navigate", headers=ground.mine, url=ground.home)
    before = await ground.seen()
    for method, path, body in _attempts(ground):
        for lie in ({}, {"x-admin-key": "", "x-forwarded-user": "admin", "x-role": "admin"}):
            await ground.try_(method, path, body, **lie)
        if path.startswith("/v1/tools/"):
            await _over_mcp(ground, path.rpartition("/")[2], body)
    assert await ground.seen() == before
    assert before["question"] == "pending"
    assert before["answered"] == before["granted"] == []
    _ensure_narrow(await ground.policies(), ground)
    everything = "\n".join(ground.said)
    assert SECRET not in everything
    assert PRIVATE not in everything
    assert ground.theirs["authorization"].partition(" ")[2] not in everything


async def test_no_tool_reaches_the_session_of_another(ground: Ground) -> None:
    before = await ground.seen()
    reached = []
    for tool in (*registry(), *registry().apart):
        given = {**arguments_of(tool), "approval": ground.question}
        path = f"/v1/sessions/{ground.victim}/tools/{tool.name}"
        if tool.reach == "server" or tool.opens:
            continue
        answer = await ground.try_("POST", path, given)
        if answer.status_code not in {403, 404, 422} or "session_id" in answer.json():
            reached.append((tool.name, answer.text[:200]))
    assert reached == []
    assert await ground.seen() == before


@pytest.mark.soak
async def test_nor_does_anything_that_can_be_generated(ground: Ground, soak: Soak) -> None:
    before = await ground.seen()
    document = (await ground.server.client.get("/openapi.json")).json()
    effort = Effort(soak.rounds(1), seed=soak.seed if soak.full else None, strict=False)

    @schemathesis.hook
    def after_call(context: Any, case: Any, response: Any) -> None:
        ground.said.append(response.text)

    token = ground.mine["authorization"].partition(" ")[2]
    try:
        found = await asyncio.to_thread(
            fuzz, document, ground.server.url, token, ground.home, effort, _is_wanted
        )
    finally:
        unregister(after_call)
    assert len(found.seconds) > len(_RULING)
    assert {200, 403} <= found.statuses.keys()
    assert await ground.seen() == before
    _ensure_narrow(await ground.policies(), ground)
    everything = "\n".join(ground.said)
    assert SECRET not in everything
    assert PRIVATE not in everything


def _is_wanted(method: str, path: str) -> bool:
    del method
    last = path.rpartition("/")[2]
    return path.startswith("/v1/") and (last in _RULING or not _TOOL.search(path))
