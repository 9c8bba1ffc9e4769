"""Checks: what holds, what does not, and why."""

from __future__ import annotations

from typing import Any

from tests.support.callers import Caller

FORM = """<h1>Order</h1>
<ul><li>Tea</li><li>Milk</li><li hidden>Sugar</li></ul>
<label>Name <input value="Ada"></label>
<label>PIN <input type="password" value="1234"></label>
<label>Delivery <select><option value="p">By post</option><option value="b">By bike</option></select></label>
<p id="note" style="display:none">Later</p><p style="opacity:0">Ghost</p>
<a href="/help" title="Get help" style="text-transform:uppercase">Help me</a>
<div contenteditable="true" aria-label="Letter">Dear   you</div>"""


async def fails(caller: Caller, tool: str, **arguments: Any) -> dict[str, Any]:
    reply = await caller.reply(tool, **arguments)
    assert not reply.ok
    assert reply.error is None, reply.text
    assert reply.data is not None
    assert reply.data["ok"] is False
    assert reply.data["tokensEstimate"] > 0
    failure: dict[str, Any] = reply.data["failure"]
    return failure


async def test_what_can_be_seen(caller: Caller) -> None:
    await caller.show(FORM)
    assert await caller.ok("verify_visible", selector="h1") == {"ok": True}
    failure = await fails(caller, "verify_visible", selector="#note")
    assert (failure["source"], failure["kind"]) == ("app", "visible")
    assert failure["actual"] == "hidden (not displayed)"
    ghost = await fails(caller, "verify_visible", selector="p >> nth=1")
    assert ghost["actual"] == "hidden (transparent)"


async def test_a_target_that_is_not_there_or_not_alone(caller: Caller) -> None:
    await caller.show(FORM)
    missing = await fails(caller, "verify_visible", selector="button")
    assert missing["kind"] == "not_found"
    several = await fails(caller, "verify_text", selector="li", text="Tea")
    assert (several["kind"], several["evidence"]["count"]) == ("ambiguous", 2)
    found = await caller.ok("find", query="Help me")
    ref = found["candidates"][0]["ref"]
    assert (await caller.ok("verify_text", ref=ref, text="help"))["ok"]
    await caller.show("<p>Elsewhere")
    assert (await fails(caller, "verify_text", ref=ref, text="help"))["kind"] == "not_found"
    refusal = await caller.refused("verify_visible")
    assert refusal["code"] == "invalid_argument"


async def test_text(caller: Caller) -> None:
    await caller.show(FORM)
    assert (await caller.ok("verify_text", selector="a", text="HELP"))["ok"]
    assert (await caller.ok("verify_text", selector="a", text="Help me", exact=True))["ok"]
    failure = await fails(caller, "verify_text", selector="ul", text="Sugar")
    assert failure["kind"] == "text"
    assert failure["actual"] == "Tea Milk"
    failure = await fails(caller, "verify_text", selector="a", text="Help", exact=True)
    assert failure["evidence"]["exact"] is True
    box = (await caller.ok("find", query="Help me"))["candidates"][0]["bbox"]
    point = {"x": box["x"] + 5, "y": box["y"] + 5}
    assert (await caller.ok("verify_text", coords=point, text="help me"))["ok"]


async def test_values(caller: Caller) -> None:
    await caller.show(FORM)
    assert (await caller.ok("verify_value", selector="label=Name", value="Ada"))["ok"]
    for value in ("p", "By post"):
        assert (await caller.ok("verify_value", selector="label=Delivery", value=value))["ok"]
    assert (await caller.ok("verify_value", selector="[contenteditable]", value="Dear you"))["ok"]
    failure = await fails(caller, "verify_value", selector="label=Name", value="Bob")
    assert (failure["kind"], failure["actual"]) == ("value", "Ada")
    secret = await fails(caller, "verify_value", selector="[type=password]", value="1234")
    assert "never read" in secret["actual"]
    assert (await fails(caller, "verify_value", selector="h1", value=""))["kind"] == "value"


async def test_attributes(caller: Caller) -> None:
    await caller.show(FORM)
    assert (await caller.ok("verify_attribute", selector="a", attr="href"))["ok"]
    assert (await caller.ok("verify_attribute", selector="a", attr="href", value="/help"))["ok"]
    failure = await fails(caller, "verify_attribute", selector="a", attr="title", value="No")
    assert (failure["actual"], failure["evidence"]["attr"]) == ("Get help", "title")
    failure = await fails(caller, "verify_attribute", selector="a", attr="target")
    assert failure["actual"] is None
    failure = await fails(caller, "verify_attribute", selector="[type=password]", attr="value")
    assert failure["actual"] is None


async def test_counts(caller: Caller) -> None:
    await caller.show(FORM)
    assert (await caller.ok("verify_count", selector="li", n=3))["ok"]
    assert (await caller.ok("verify_count", text="Tea", n=1))["ok"]
    assert (await caller.ok("verify_count", selector="button", n=0))["ok"]
    failure = await fails(caller, "verify_count", selector="li", n=2)
    assert (failure["actual"], failure["evidence"]["visible"]) == (3, 2)
    assert (await fails(caller, "verify_count", text="Sugar", n=1))["actual"] == 0
    for wrong in ({"n": 1}, {"n": 1, "selector": "li", "text": "Tea"}, {"selector": "li", "n": -1}):
        assert (await caller.refused("verify_count", **wrong))["code"] == "invalid_argument"


async def test_a_check_waits_for_as_long_as_it_is_told(caller: Caller) -> None:
    await caller.show(
        "<output>Wait</output><script>"
        "setTimeout(() => { document.querySelector('output').textContent = 'Ready' }, 300)</script>"
    )
    wanted = {"selector": "output", "text": "Ready"}
    assert (await caller.ok("verify_text", **wanted, timeoutMs=20_000))["ok"]
    assert (await fails(caller, "verify_count", text="Never", n=1, timeoutMs=50))["actual"] == 0


async def test_inside_frames_and_shadow_roots(caller: Caller) -> None:
    inner = caller.site.other.page("/inner", "<label>Code <input value='77'></label>")
    await caller.show(
        f"<iframe src='{inner}'></iframe><iframe src='{inner}' hidden></iframe>"
        "<my-box></my-box><script>customElements.define('my-box', class extends HTMLElement {"
        "constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML = '<b>Deep</b>' }"
        "})</script>"
    )
    assert (await caller.ok("verify_value", selector="label=Code", value="77"))["ok"]
    assert (await caller.ok("verify_text", selector="b", text="Deep"))["ok"]
    assert (await caller.ok("verify_text", selector="my-box", text="Deep"))["ok"]
    assert (await caller.ok("verify_count", selector="input", n=2))["ok"]


async def test_predicates_over_results(caller: Caller) -> None:
    await caller.show(
        "<button onclick=\"this.insertAdjacentHTML('afterend','<p role=alert>Oh')\">Go"
    )
    result = await caller.ok("click", selector="button")
    holds = {"kind": "equals", "key": "actionResult.structure.appeared.0.role", "value": "alert"}
    asked = {"data": {"actionResult": result}}
    assert await caller.ok("verify_predicate", predicate=holds, **asked) == {"ok": True}
    failure = await fails(
        caller, "verify_predicate", predicate={**holds, "value": "dialog"}, **asked
    )
    assert (failure["kind"], failure["actual"]) == ("equals", "alert")
    assert failure["evidence"]["key"] == holds["key"]
    wrong = await caller.refused("verify_predicate", predicate={"kind": "code"}, **asked)
    assert wrong["code"] == "invalid_argument"


async def test_a_failed_check_ends_a_batch(caller: Caller) -> None:
    await caller.show(FORM)
    calls = [
        {"tool": "verify_text", "args": {"selector": "h1", "text": "Nothing"}},
        {"tool": "snapshot"},
    ]
    reply = await caller.reply("batch", calls=calls)
    assert reply.data is not None
    assert (reply.data["completed"], reply.data["failedAt"]) == (0, 0)
    assert reply.data["results"][0]["result"]["failure"]["kind"] == "text"
