"""Where forms wait for a person, no tool sends one before that."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from tests.support.asking import page_says, tab_of
from tests.support.callers import Caller
from tests.support.desk import Desk
from tests.support.waiting import until

Calls = list[tuple[str, dict[str, Any]]]

EMBEDDED = """() => [...document.querySelectorAll('iframe')].every(
  (frame) => frame.contentDocument.forms.length)"""
BUTTON = '<button id="go" style="width:200px;height:60px">Next</button>'
FORM = f'<body style="margin:0"><form action="/paid" method="post">{BUTTON}</form>'
FRAME = '<body style="margin:0"><iframe src="/embedded" style="border:0"></iframe>'
CLOSED = """<body style="margin:0"><div id="host"></div>
<script>host.attachShadow({mode: 'closed'}).innerHTML = `<form action="/paid" method="post">
<button style="width:200px;height:60px">Next</button></form>`;</script>"""
COVERED = """<div style="position:relative;width:300px;height:90px">
<span id="prize" style="position:absolute;inset:0">A prize</span>{}</div>"""
HERE = {"x": 50.0, "y": 30.0}
CLICK = {"tool": "click", "args": {"selector": "#go"}}
FILE = {"name": "a.txt", "content": "x", "encoding": "utf-8"}

SENDERS: dict[str, tuple[str, Calls]] = {
    "a button under a forced click": (
        COVERED.format(
            '<form action="/paid" method="post"><button style="position:absolute;inset:0;'
            'opacity:0.01">Pay</button></form>'
        ),
        [("click", {"selector": "#prize", "force": True})],
    ),
    "a frame under a forced click": (
        COVERED.format('<iframe src="/embedded" style="position:absolute;inset:0"></iframe>'),
        [("click", {"selector": "#prize", "force": True})],
    ),
    "a space that is typed": (FORM, [("type", {"selector": "#go", "text": " "})]),
    "a chooser that is a button": (FORM, [("choose_option", {"selector": "#go", "option": "x"})]),
    "an upload to a button": (FORM, [("upload_file", {"selector": "#go", **FILE})]),
    "a gesture in a frame": (
        FRAME,
        [("gesture_chain", {"steps": [{"kind": "down", **HERE}, {"kind": "up", **HERE}]})],
    ),
    "a drag in a frame": (
        FRAME,
        [("drag", {"from": {"coords": HERE}, "to": {"coords": {"x": 52.0, "y": 30.0}}})],
    ),
    "a mouse on what is hidden": (
        CLOSED,
        [("mouse_down", {"coords": HERE}), ("mouse_up", {"coords": HERE})],
    ),
    "a finger": (FORM, [("touch_start", {"coords": HERE}), ("touch_end", {"identifier": 1})]),
    "a swipe": (FORM, [("gesture_swipe", {"from": HERE, "to": HERE})]),
    "a script in a frame": (
        FRAME,
        [("eval_js", {"expr": "frames[0].document.forms[0].submit()"})],
    ),
    "a script that makes a form": (
        "<p>Nothing here",
        [("eval_js", {"expr": "fetch('/paid', {method: 'POST'}).then(() => 1)"})],
    ),
    "consent to something else": (
        """<div id="onetrust-banner-sdk" role="dialog"><form action="/paid" method="post">
        <button id="onetrust-accept-btn-handler">Accept all</button></form></div>""",
        [("camofox_wait", {"tabId": "TAB", "dismissConsent": True})],
    ),
    "steps that are tried often": (FORM, [("flake_check", {"calls": [CLICK], "n": 3})]),
    "a click that is watched": (FORM, [("act_and_diff", {"action": CLICK})]),
    "a click that is measured": (
        FORM,
        [("act_and_sample", {"action": CLICK, "metric": "scrollTop", "durationMs": 50})],
    ),
    "a click whose requests are awaited": (
        FORM,
        [("act_and_wait_for_network", {"action": CLICK, "match": {"urlPattern": "paid"}})],
    ),
    "a click among others": (FORM, [("batch", {"calls": [CLICK]})]),
    "a script of the page at something else": (
        FORM.replace("<button", '<div onclick="document.forms[0].requestSubmit()"').replace(
            "</button>", "</div>"
        ),
        [("click", {"selector": "#go"})],
    ),
}


@pytest.fixture
async def desk(mighty: Caller) -> AsyncIterator[Desk]:
    """Somebody whose forms wait, and who is told so at once."""
    kernel, before = mighty.kernel, mighty.kernel.settings
    kernel.settings = before.model_copy(update={"approval_wait": 0.001})
    mighty.site.page("/embedded", FORM)
    mighty.site.page("/paid", "<title>Paid</title>")
    try:
        yield Desk.of(mighty, "form_submit")
    finally:
        kernel.settings = before


async def test_no_tool_sends_a_form_by_itself(desk: Desk) -> None:
    agent = desk.agent
    unasked = []
    for name, (html, calls) in SENDERS.items():
        await agent.show(html)
        await until(lambda: page_says(agent, EMBEDDED))
        said = ""
        for tool, arguments in calls:
            given = {**arguments, "tabId": tab_of(agent).id} if "tabId" in arguments else arguments
            said = (await agent.reply(tool, **given)).text
        # A no stands: the same again from elsewhere is not asked about twice.
        if not any(code in said for code in ("approval_pending", "approval_denied")):
            unasked.append((name, said[:300]))
        for question in desk.pending:
            await desk.approvals.answer(desk.operator, question.id, "deny")
    assert unasked == []
    assert agent.site.asked("/paid") == []


async def test_what_was_sent_once_is_not_sent_again_by_loading_it_again(desk: Desk) -> None:
    agent = desk.agent
    await agent.show(FORM)
    asked = await desk.waits("click", selector="#go")
    await desk.say("approve")
    await agent.ok("click", selector="#go", approval=asked)
    assert len(agent.site.asked("/paid")) == 1
    await desk.waits("reload")
    assert desk.pending[-1].facts["form"]["action"] == agent.site.url("/paid")
    await desk.waits("camofox_refresh", tabId=tab_of(agent).id)
    assert len(agent.site.asked("/paid")) == 1
    await agent.show("<p>Another page")
    await agent.ok("reload")


async def test_without_the_rule_these_calls_do_send(desk: Desk) -> None:
    free = replace(desk.agent.another(), principal=replace(desk.agent.principal, id="free"))
    policy = replace(free.principal.policy, confirm=frozenset())
    free = replace(free, principal=replace(free.principal, policy=policy))
    idle = []
    for name in ("a button under a forced click", "a space that is typed", "an upload to a button"):
        html, calls = SENDERS[name]
        before = len(free.site.asked("/paid"))
        await free.show(html)
        for tool, arguments in calls:
            await free.reply(tool, timeoutMs=1500, **arguments)
        if len(free.site.asked("/paid")) == before:
            idle.append(name)
    assert idle == []
