"""Requests that wait for a person at the moment they leave."""

from __future__ import annotations

import pytest

from stockade.kernel.submissions import Submissions
from tests.support.callers import Caller
from tests.support.desk import Desk, script
from tests.support.waiting import until

SPAN = """<form id=f action=/pay method=post enctype=multipart/form-data><input name=amount value=10>
<input type=hidden name=to value=alice><input type=password name=code value=hunter2hunter2>
<input type=file name=up></form><p id=go onclick="f.submit()">Go</p>"""
SAVES = """<input id=a value=10><p id=go onclick="send()">Save</p><p id=said></p><script>
const send = () => fetch('/pay', {method: 'POST', headers: {'Content-Type': 'application/json'},
  body: JSON.stringify({amount: a.value})}).then(() => { said.textContent = 'Saved' },
  () => { said.textContent = 'Failed' })</script>"""
PAID = "<title>Paid</title>Thank you"


@pytest.fixture
def desk(hasty: Caller) -> Desk:
    """Somebody whose forms wait, and who is told so at once."""
    hasty.site.page("/pay", PAID)
    return Desk.of(hasty, "form_submit")


def bodies(desk: Desk) -> list[bytes]:
    return [each.body for each in desk.agent.site.asked("/pay")]


async def test_a_form_that_nobody_foresaw_is_shown_whole_and_sent_as_shown(desk: Desk) -> None:
    await desk.agent.show(SPAN)
    asked = await desk.waits("click", selector="#go")
    told = desk.pending[0].description
    assert (told["tool"], told["rules"]) == ("click", ["form_submit"])
    assert told["origin"] == desk.agent.site.url("").rstrip("/")
    form = told["form"]
    assert (form["method"], form["action"]) == ("post", desk.agent.site.url("/pay"))
    assert (form["enctype"], form["by"]) == ("multipart/form-data", "navigation")
    assert form["fields"][:3] == [
        {"name": "amount", "value": "10"},
        {"name": "to", "value": "alice", "hidden": True},
        {"name": "code", "value": "(secret)"},
    ]
    assert form["fields"][3]["sizeBytes"] == 0
    assert desk.pending[0].picture is not None
    # The page is there meanwhile, can be read, and changes nothing of what was shown.
    await script(desk.agent, "f.elements.to.value = 'mallory'; f.action = '/elsewhere'")
    assert "Go" in await desk.agent.text("snapshot")
    assert bodies(desk) == []
    await desk.say("approve")
    done = await desk.agent.ok("click", selector="#go", approval=asked)
    assert done["navigation"]["changed"]
    [body] = bodies(desk)
    assert b"alice" in body
    assert b"hunter2hunter2" in body
    assert b"mallory" not in body
    sent = desk.agent.site.asked("/pay")[0]
    assert sent.headers["content-type"].startswith("multipart/form-data; boundary=")
    assert sent.headers["origin"] == told["origin"]


async def test_a_yes_sends_it_once_whether_or_not_the_caller_comes_back(desk: Desk) -> None:
    await desk.agent.show(SPAN)
    asked = await desk.waits("click", selector="#go")
    await desk.say("approve")
    await desk.agent.site.wait_asked("/pay")
    done = await desk.agent.ok("click", selector="#go", approval=asked)
    assert done["ok"]
    # What it was for is over: the same again is asked again.
    await desk.agent.show(SPAN)
    assert await desk.waits("click", selector="#go") != asked
    assert len(bodies(desk)) == 1


async def test_a_no_leaves_the_page_as_it_is(desk: Desk) -> None:
    await desk.agent.show(SPAN)
    asked = await desk.waits("click", selector="#go")
    await desk.say("deny", note="no")
    refused = await desk.agent.refused("click", selector="#go", approval=asked)
    assert (refused["code"], refused["reason"]) == ("approval_denied", "denied")
    assert "Go" in await desk.agent.text("snapshot")
    assert bodies(desk) == []


async def test_a_request_of_a_script_is_held(desk: Desk) -> None:
    await desk.agent.show(SAVES)
    asked = await desk.waits("click", selector="#go")
    form = desk.pending[0].description["form"]
    assert (form["by"], form["fields"]) == (
        "request",
        [{"name": "amount", "value": "10", "added": True}],
    )
    assert bodies(desk) == []
    await desk.say("approve")
    done = await desk.agent.ok("click", selector="#go", approval=asked)
    assert "Saved" in str(done)
    assert bodies(desk) == [b'{"amount":"10"}']
    again = await desk.waits("click", selector="#go")
    await desk.say("deny")
    await desk.agent.refused("click", selector="#go", approval=again)
    await until(lambda: _says(desk, "Failed"))
    assert len(bodies(desk)) == 1


async def _says(desk: Desk, words: str) -> bool:
    return words in await desk.agent.text("snapshot")


async def test_what_a_page_sends_without_any_input_is_its_own(desk: Desk) -> None:
    await desk.agent.show("<p>Hi<script>fetch('/pay', {method: 'POST', body: 'a=1'})</script>")
    await desk.agent.site.wait_asked("/pay")
    assert desk.pending == []
    # A form is one whoever sends it.
    desk.agent.site.page("/auto", SPAN.replace("</form>", "</form><script>f.submit()</script>"))
    await desk.waits("navigate", url=desk.agent.site.url("/auto"))
    assert desk.pending[0].description["tool"] == "navigate"
    assert len(bodies(desk)) == 1


async def test_while_it_waits_nothing_else_is_done_there(desk: Desk) -> None:
    await desk.agent.show(SPAN + "<button id=other onclick='f.remove()'>Other</button>")
    asked = await desk.waits("click", selector="#go")
    assert await desk.waits("click", selector="#other") == asked
    assert await desk.waits("fill", selector="[name=amount]", value="11") == asked
    # Whoever leaves the page takes it back.
    await desk.agent.show("<p>Elsewhere")
    await until(lambda: desk.pending == [])
    assert bodies(desk) == []


async def test_another_origin_s_forms_do_not_wait(hasty: Caller) -> None:
    hasty.site.page("/pay", PAID)
    desk = Desk.of(hasty, "form_submit:bank.example")
    await desk.agent.show(SPAN)
    await desk.agent.ok("click", selector="#go")
    assert len(bodies(desk)) == 1


async def test_what_an_operator_agreed_to_beforehand_goes_out(desk: Desk) -> None:
    await desk.agent.show(SPAN)
    session = desk.agent.kernel.sessions.find(desk.agent.principal, "default")
    desk.approvals.standing.add(desk.operator, ["form_submit"], session.id, 60)
    await desk.agent.ok("click", selector="#go")
    assert (desk.pending, len(bodies(desk))) == ([], 1)


async def test_sessions_without_such_rules_are_not_touched(caller: Caller) -> None:
    await caller.show("<p>Hi")
    assert Submissions.of(caller.kernel.sessions.find(caller.principal, "default")) is None
    assert Submissions.of(None) is None


async def test_several_requests_are_asked_about_in_turn(desk: Desk) -> None:
    await desk.agent.show(
        "<p id=go onclick=\"for (const n of ['1', '2']) fetch('/pay', {method: 'POST', body: n})\">Go"
    )
    asked = await desk.waits("click", selector="#go")
    for number in (1, 2):
        await desk.say("approve")
        await desk.agent.site.wait_asked("/pay", number)
        reply = await desk.agent.reply("click", selector="#go", approval=asked)
        if number == 1 and not reply.ok:
            asked = str((reply.data or {}).get("approval", asked))
            await desk.asked()
    assert sorted(bodies(desk)) == [b"1", b"2"]


async def test_a_tab_that_closes_takes_its_question_back(desk: Desk) -> None:
    await desk.agent.show(SPAN)
    await desk.waits("click", selector="#go")
    tab = desk.agent.kernel.sessions.find(desk.agent.principal, "default").current
    assert tab is not None
    await desk.agent.ok("tabs", action="close", tab=tab.id)
    await until(lambda: desk.pending == [])
    assert bodies(desk) == []


async def test_a_yes_for_an_origin_covers_its_scripts_but_no_form_that_was_not_shown(
    hasty: Caller,
) -> None:
    hasty.site.page("/pay", PAID)
    desk = Desk.of(hasty, f"origin:127.0.0.1:{hasty.site.port}")
    await desk.agent.show(SAVES)
    asked = await desk.waits("click", selector="#go")
    await desk.say("approve")
    await desk.agent.ok("click", selector="#go", approval=asked)
    await desk.agent.site.wait_asked("/pay")
    assert desk.pending == []
    await desk.agent.show(SPAN)
    asked = await desk.waits("click", selector="#go")
    await desk.say("approve")
    again = await desk.waits("click", selector="#go", approval=asked)
    assert again != asked
    assert desk.pending[0].facts["form"]["fields"][1]["value"] == "alice"
    assert len(bodies(desk)) == 1
