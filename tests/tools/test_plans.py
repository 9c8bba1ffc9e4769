"""Plans, their execution, and feedback on what was found."""

from __future__ import annotations

import time
from typing import Any

import pytest

from stockade.flows.plans import Plans
from tests.support.callers import Caller

PAGE = """<label>Name <input></label><label>Colour <select><option>Red<option>Blue</select></label>
<button onclick="out.textContent = 'sent ' + event.button" oncontextmenu="return false">Send letter</button>
<button>Send back</button><p id=out role=status></p>"""


async def test_a_plan_does_nothing_until_it_is_executed(caller: Caller) -> None:
    await caller.show(PAGE)
    made = await caller.ok("plan", query="send letter button", verb="click")
    descriptor = made["descriptor"]
    assert descriptor["verb"] == "click"
    assert descriptor["args"] == {}
    assert descriptor["expiresAt"] > time.time() * 1000
    evidence = descriptor["evidence"]
    assert (evidence["role"], evidence["name"]) == ("button", "Send letter")
    assert evidence["alternatives"][0]["name"] == "Send back"
    assert evidence["actionable"] is True
    assert (await caller.ok("verify_text", selector="#out", text="", exact=True))["ok"]
    done = await caller.ok("execute", descriptor=descriptor)
    assert done["result"]["ok"]
    assert (await caller.ok("verify_text", selector="#out", text="sent 0"))["ok"]


@pytest.mark.parametrize(
    ("query", "verb", "args", "value"),
    [
        ("name field", "fill", {"value": "Ada"}, "Ada"),
        ("name field", "press", {"key": "x"}, "x"),
        ("colour", "select", {"values": ["Blue"]}, "Blue"),
    ],
)
async def test_verbs_and_what_they_take(
    caller: Caller, query: str, verb: str, args: dict[str, Any], value: str
) -> None:
    await caller.show(PAGE)
    made = await caller.ok("plan", query=query, verb=verb, verbArgs=args)
    done = await caller.ok("execute", descriptor=made["descriptor"], mode="none")
    assert done["result"]["element"]["value"] == value
    assert "snapshotDelta" not in done["result"]


async def test_what_cannot_be_planned(caller: Caller) -> None:
    await caller.show(PAGE)
    for wrong in (
        {"verb": "fill"},
        {"verb": "press"},
        {"verb": "select", "verbArgs": {}},
        {"verb": "click", "verbArgs": {"value": "x"}},
        {"verb": "drag"},
    ):
        assert (await caller.refused("plan", query="x", **wrong))["code"] == "invalid_argument"
    nothing = await caller.reply("plan", query="zebra crossing", verb="click", confidenceFloor=0.5)
    assert nothing.data is not None
    assert nothing.data["ok"] is False
    assert "descriptor" not in nothing.data


async def test_a_plan_cannot_be_forged(caller: Caller) -> None:
    await caller.show(PAGE)
    good = (await caller.ok("plan", query="name field", verb="fill", verbArgs={"value": "A"}))[
        "descriptor"
    ]
    other = (await caller.ok("plan", query="send back", verb="click"))["descriptor"]
    for tampered in (
        {**good, "args": {"value": "B"}},
        {**good, "ref": other["ref"]},
        {**good, "verb": "click"},
        {**good, "expiresAt": good["expiresAt"] + 1},
        {**good, "id": "plan_0"},
        {"ref": good["ref"], "verb": "click", "args": {}},
        {},
    ):
        reply = await caller.reply("execute", descriptor=tampered)
        assert reply.data is not None
        assert (reply.data["ok"], reply.data["reason"]) == (False, "invalid")
    assert (await caller.ok("verify_value", selector="label=Name", value=""))["ok"]
    stranger = await caller.another().reply("execute", descriptor=good)
    assert stranger.data is not None
    assert stranger.data["reason"] == "invalid"
    assert (await caller.ok("execute", descriptor=good))["result"]["element"]["value"] == "A"


async def test_a_plan_grows_old_and_its_element_goes(caller: Caller) -> None:
    await caller.show(PAGE)
    gone = (await caller.ok("plan", query="send letter", verb="click"))["descriptor"]
    (session,) = caller.kernel.sessions.all()
    old = session.parts.of(Plans, Plans).make(
        tab="t1",
        caller=f"{caller.principal.id}/{caller.principal.client}",
        ref=gone["ref"],
        verb="click",
        args={},
        evidence={},
        ttl_ms=0,
    )
    reply = await caller.reply("execute", descriptor=old.descriptor())
    assert reply.data is not None
    assert reply.data["reason"] == "expired"
    await caller.show("<button>Send letter</button>")
    reply = await caller.reply("execute", descriptor=gone)
    assert reply.data is not None
    assert (reply.data["reason"], reply.error) == ("ref-gone", None)


async def test_an_element_that_turned_into_another_is_not_acted_on(caller: Caller) -> None:
    await caller.show("<button onclick='this.dataset.hit = 1'>Keep</button>")
    made = (await caller.ok("plan", query="keep", verb="click"))["descriptor"]
    await caller.ok("navigate", url="about:blank", mode="none")
    await caller.show("<button onclick='this.dataset.hit = 1'>Delete</button>")
    reply = await caller.reply("execute", descriptor=made)
    assert reply.data is not None
    assert reply.data["reason"] == "ref-gone"
    missing = await caller.reply("verify_attribute", selector="button", attr="data-hit")
    assert not missing.ok


ROWS = "".join(
    f"<li>{name} <button>Edit</button><button>Open editor</button></li>"
    for name in ("Assam", "Sencha", "Darjeeling")
)


async def test_feedback_ranks_a_kind_up_for_like_queries(caller: Caller) -> None:
    await caller.show(f"<h1>Edit teas</h1><ul>{ROWS}</ul>")
    before = await caller.ok("find", query="edit the tea", maxCandidates=3)
    names = [each["name"] for each in before["candidates"]]
    assert names[0] != "Open editor"
    whole = await caller.ok("find", query="open editor", maxCandidates=5)
    meant = next(each for each in whole["candidates"] if each["name"] == "Open editor")
    said = await caller.ok("find_feedback", query="edit the tea", ref=meant["ref"])
    assert said == {"ok": True, "recorded": True, "memorySize": 1}
    after = await caller.ok("find", query="please edit tea", maxCandidates=3)
    assert [each["name"] for each in after["candidates"]] == ["Open editor"] * 3
    assert after["candidates"][0]["why"] == ["chosen before"]
    assert after["candidates"][0]["score"] > before["candidates"][0]["score"]
    assert "why" not in before["candidates"][0]
    unlike = await caller.ok("find", query="Assam")
    assert "why" not in unlike["candidates"][0]
    planned = await caller.ok("plan", query="edit tea", verb="click")
    assert planned["descriptor"]["evidence"]["name"] == "Open editor"


async def test_feedback_stays_with_its_site_and_session(caller: Caller) -> None:
    page = f"<h1>Edit teas</h1><ul>{ROWS}</ul>"
    await caller.show(page)
    whole = await caller.ok("find", query="open editor")
    await caller.ok("find_feedback", query="edit tea", ref=whole["candidates"][0]["ref"])
    again = await caller.ok("find_feedback", query="edit tea", ref=whole["candidates"][0]["ref"])
    assert again["memorySize"] == 1
    caller.site.other.page("/page", page)
    await caller.ok("navigate", url=caller.site.other.url("/page"), mode="none")
    assert "why" not in (await caller.ok("find", query="edit tea"))["candidates"][0]
    assert (await caller.refused("find_feedback", query="x", ref="e9999"))["code"] == "stale_ref"
