"""What an action changes, and the answers it brings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.callers import Caller
from tests.support.site import Request, Response

CLICK = {"tool": "click", "args": {"selector": "button"}}


async def test_only_actions_act(caller: Caller) -> None:
    await caller.show("<p>x")
    for tool in ("snapshot", "batch", "close_session", "act_and_diff"):
        refusal = await caller.refused("act_and_diff", action={"tool": tool})
        assert refusal["code"] == "invalid_argument", tool
    reply = await caller.reply("act_and_diff", action={"tool": "nonsense"})
    assert reply.data is not None
    assert reply.data["action"]["code"] == "unknown_tool"


async def test_the_action_passes_its_own_gate(caller: Caller) -> None:
    await caller.show("<button>Do")
    reply = await caller.reply(
        "act_and_diff", action={"tool": "eval_js", "args": {"expr": "document.body.remove()"}}
    )
    assert reply.data is not None
    assert reply.data["action"]["code"] in {"capability_disabled", "unknown_tool"}


async def test_what_an_action_changes(caller: Caller) -> None:
    await caller.show(
        "<style>.on { color: rgb(255, 0, 0) }</style>"
        "<button onclick=\"this.className = 'on big'; this.setAttribute('aria-pressed', 'true');"
        "out.textContent = 'Done'; list.innerHTML = '<li>New <b>one</b></li>'; old.remove()\">Go</button>"
        "<p id=out>Wait</p><ul id=list></ul><p id=old>Old <i>words</i></p><p>Stays</p>"
    )
    done = await caller.ok("act_and_diff", action=CLICK)
    diff = done["diff"]
    button = next(row for row in diff["changed"] if row["tag"] == "button")
    assert button["classDelta"] == {"added": ["on", "big"], "removed": []}
    assert button["styleDelta"]["color"]["to"] == "rgb(255, 0, 0)"
    assert button["attrDelta"]["aria-pressed"] == {"from": None, "to": "true"}
    out = next(row for row in diff["changed"] if row["path"] == "#out")
    assert out["textDelta"] == {"from": "Wait", "to": "Done"}
    assert [(row["tag"], row["path"]) for row in diff["added"]] == [
        ("li", "#list > li:nth-child(1)")
    ]
    assert [row["path"] for row in diff["removed"]] == ["#old"]
    assert diff["counts"] == {"changed": len(diff["changed"]), "added": 1, "removed": 1}
    assert done["action"]["ok"]


async def test_a_difference_stays_within_its_scope_and_its_bounds(caller: Caller) -> None:
    await caller.show(
        "<button onclick=\"for (const row of document.querySelectorAll('li')) row.className = 'x';"
        "aside.className = 'y'\">Go</button><ul aria-label=Rows>" + "<li>Row</li>" * 400 + "</ul>"
        "<p id=aside>Aside</p>"
    )
    ref = (await caller.ok("find", query="Rows list"))["candidates"][0]["ref"]
    diff = (await caller.ok("act_and_diff", action=CLICK, scope=ref))["diff"]
    assert diff["counts"]["changed"] == 400
    assert len(diff["changed"]) <= 50
    assert {row["tag"] for row in diff["changed"]} == {"li"}


async def test_a_difference_across_documents_is_not_made_up(caller: Caller) -> None:
    caller.site.page("/next", "<p>Next")
    await caller.show("<a href='/next'>Go</a>")
    diff = (await caller.ok("act_and_diff", action={"tool": "click", "args": {"selector": "a"}}))[
        "diff"
    ]
    assert diff["counts"] == {"changed": 0, "added": 0, "removed": 0}
    assert "another document" in diff["notes"][0]


async def test_an_answer_that_comes_during_or_after_the_action(caller: Caller) -> None:
    async def save(_: Request) -> Response:
        return Response("{}", status=201, content_type="application/json")

    caller.site.route("/api/save", save)
    await caller.show(
        "<button onclick=\"fetch('/api/save?id=1', {method: 'POST'})\">Now</button>"
        "<button onclick=\"setTimeout(() => fetch('/api/save', {method: 'POST'}), 900)\">Later"
    )

    def press(name: str) -> dict[str, Any]:
        return {"tool": "click", "args": {"selector": f"text={name}"}}

    match = {"urlPattern": "*/api/save*", "method": "post", "status": 201}
    done = await caller.ok("act_and_wait_for_network", action=press("Now"), match=match)
    assert done["network"] == {
        "matched": True,
        "method": "POST",
        "url": caller.site.url("/api/save") + "?…",
        "status": 201,
    }
    done = await caller.ok(
        "act_and_wait_for_network", action=press("Later"), match={"urlPattern": "/api/save"}
    )
    assert done["network"]["matched"]
    reply = await caller.reply(
        "act_and_wait_for_network",
        action=press("Now"),
        match={"status": 500},
        timeoutMs=300,
    )
    assert not reply.ok
    assert reply.data is not None
    assert reply.data["network"] == {"matched": False}
    assert reply.data["action"]["ok"]


@pytest.mark.parametrize("scope", ["#list", "css=ul", "ref"])
async def test_a_difference_is_looked_for_where_a_ref_or_a_selector_says(
    caller: Caller, scope: str
) -> None:
    await caller.show(
        "<p>old</p><ul id=list><li>one</li></ul><button onclick=\"list.append(document.createElement('li'));"
        " document.querySelector('p').title = 'new'\">Add</button>"
    )
    if scope == "ref":
        scope = (await caller.ok("find", query="list"))["candidates"][0]["ref"]
    action = {"tool": "click", "args": {"selector": "button"}}
    told = await caller.ok("act_and_diff", action=action, scope=scope)
    assert told["diff"]["counts"] == {"changed": 0, "added": 1, "removed": 0}
    refused = await caller.refused("act_and_diff", action=action, scope="#nothing")
    assert refused["code"] == "not_found"
