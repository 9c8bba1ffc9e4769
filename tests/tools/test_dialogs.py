"""Dialogs: each is told once, as a failure, and is answered by the caller, the policy or in time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stockade.engines.values import World
from stockade.kernel.approvals import Decision
from stockade.policy.principal import Role
from stockade.sessions.tab import Tab
from tests.support.callers import Caller
from tests.support.waiting import until

ASKS = """<button onclick="out.textContent = confirm('Sure?')">Confirm</button>
<button onclick="out.textContent = prompt('Name?', 'nobody') ?? 'dismissed'">Prompt</button>
<button onclick="alert('Hello'); out.textContent = 'told'">Alert</button>
<p role=status id=out></p>"""


async def press(caller: Caller, name: str) -> dict[str, object]:
    """Press a button whose page then asks something."""
    return await caller.refused("click", selector=f"role=button[name={name}]")


async def between_calls(caller: Caller, code: str) -> Tab:
    """Have the page do something while nobody calls, until its dialog has been answered."""
    tab = caller.kernel.sessions.find(caller.principal, "default").tabs[0]
    await tab.page.main_frame.call(f"() => {{ setTimeout(() => {{ {code} }}) }}", world=World.MAIN)
    await until(lambda: bool(tab.recorder._now.dialogs))
    return tab


async def test_a_question_is_told_once_and_waits_for_its_answer(caller: Caller) -> None:
    await caller.show(ASKS)
    body = await press(caller, "Confirm")
    assert (body["code"], body["failure"]) == ("dialog_open", {"source": "app"})
    assert str(body).count("Sure?") == 1
    assert body["dialogs"] == [{"kind": "confirm", "message": "Sure?", "handledAs": "raise"}]
    answered = await caller.ok("answer_dialog", accept=True)
    assert "true" in answered["snapshotDelta"]["tree"]
    assert answered["dialogs"][0]["handledAs"] == "accepted"
    await press(caller, "Prompt")
    answered = await caller.ok("answer_dialog", accept=True, text="Ann")
    assert "Ann" in answered["snapshotDelta"]["tree"]
    refusal = await caller.refused("answer_dialog", accept=True)
    assert refusal["code"] == "not_found"


async def test_whoever_was_told_and_goes_on_means_no(caller: Caller) -> None:
    await caller.show(ASKS)
    await press(caller, "Confirm")
    done = await caller.ok("hover", selector="role=button[name=Confirm]")
    assert [each["handledAs"] for each in done["dialogs"]] == ["dismissed"]
    assert "false" in await caller.text("snapshot")


@pytest.mark.parametrize("button", ["Confirm", "Prompt"])
async def test_whoever_looks_answers_nothing(caller: Caller, button: str) -> None:
    """A question stays open while its caller reads, here or in another tab, and is told again."""
    await caller.show(ASKS)
    await press(caller, button)
    for tool, given in (("snapshot", {}), ("find", {"query": "x"}), ("screenshot", {})):
        refusal = await caller.refused(tool, **given)
        assert (refusal["code"], refusal["failure"]["kind"]) == ("dialog_open", button.lower())
        assert "answer_dialog" in refusal["hint"]
    other = next(
        row["tab"] for row in (await caller.ok("tabs", action="new"))["tabs"] if row.get("current")
    )
    await caller.text("snapshot", tab=other)
    words = {"text": "nobody"} if button == "Prompt" else {}
    answered = await caller.ok("answer_dialog", accept=True, tab="t1", **words)
    assert [each["handledAs"] for each in answered["dialogs"]] == ["accepted"]
    assert ("true" if button == "Confirm" else "nobody") in answered["snapshotDelta"]["tree"]


@pytest.mark.parametrize("mode", ["accept", "dismiss"])
async def test_whoever_looks_is_told_once_what_was_answered(caller: Caller, mode: str) -> None:
    """Of a dialog between calls the next result tells, whatever its kind, and then no other."""
    how = "accepted" if mode == "accept" else "dismissed"
    await caller.show(ASKS)
    await caller.ok("set_dialog_policy", mode=mode)
    await between_calls(caller, "confirm('Late?')")
    seen = await caller.text("snapshot")
    assert f"[a confirm was {how}]" in seen.partition("<page")[0]
    assert "Late?" not in seen
    assert "confirm was" not in await caller.text("snapshot")
    await between_calls(caller, "confirm('Later?')")
    found = await caller.ok("find", query="Confirm")
    assert found["dialogs"] == [{"kind": "confirm", "message": "Later?", "handledAs": how}]
    assert "dialogs" not in await caller.ok("find", query="Confirm")
    await between_calls(caller, "confirm('Last?')")
    listed = await caller.reply("console_read")
    assert f"a confirm was {how}" in listed.aside
    done = await caller.ok("hover", selector="role=button[name=Confirm]")
    assert "dialogs" not in done


async def test_an_alert_is_acknowledged_at_once_and_told_once(caller: Caller) -> None:
    await caller.show(ASKS)
    body = await press(caller, "Alert")
    assert body["code"] == "page_asked"
    assert body["dialogs"] == [{"kind": "alert", "message": "Hello", "handledAs": "accepted"}]
    assert "told" in str(body["snapshotDelta"])
    assert "told" in await caller.text("snapshot")


@pytest.mark.parametrize("reads", [True, False])
async def test_what_opens_between_calls_is_dismissed_and_told_by_the_next(
    caller: Caller, reads: bool
) -> None:
    """The page goes on, and nobody acts on it without knowing."""
    await caller.show(ASKS)
    tab = await between_calls(caller, "out.textContent = confirm('Late?')")
    if reads:
        shown = await caller.reply("snapshot")
        assert not shown.ok
        assert shown.failure is not None
        assert shown.failure["failure"]["text"] == "Late?"
        head, _, rest = shown.text.partition("Late?")
        assert head.startswith("[failed: ")
        assert "Late?" not in head
        assert "false" in rest
    else:
        body = await caller.refused("click", selector="role=button[name=Alert]")
        assert body["code"] == "page_asked"
        failure = body["failure"]
        assert (failure["source"], failure["kind"], failure["text"]) == ("app", "confirm", "Late?")
        assert failure["handledAs"] == "dismissed"
        assert "Late?" not in body["error"]
        assert len(tab.recorder._now.dialogs) == 1
    await caller.ok("find", query="Confirm")


async def test_a_bare_list_and_a_tab_of_its_own(caller: Caller) -> None:
    await caller.show("<p>Quiet")
    tab = await between_calls(caller, "console.log(1); alert('Listed')")
    await caller.ok("tabs", action="new")
    quiet = await caller.reply("console_read", tab="t2")
    assert quiet.ok
    said = await caller.reply("console_read", tab=tab.id)
    assert not said.ok
    assert "Listed" in said.aside
    assert said.data is not None
    assert said.data["rows"]
    assert (await caller.reply("console_read", tab=tab.id)).ok


@pytest.mark.parametrize(
    ("mode", "text", "button", "expected"),
    [
        ("accept", None, "Confirm", "true"),
        ("dismiss", None, "Confirm", "false"),
        ("accept", None, "Prompt", "nobody"),
        ("accept-prompt-with", "Bo", "Prompt", "Bo"),
        ("dismiss", None, "Prompt", "dismissed"),
    ],
)
async def test_a_policy_answers_by_itself(
    caller: Caller, mode: str, text: str | None, button: str, expected: str
) -> None:
    await caller.show(ASKS)
    await caller.ok("set_dialog_policy", mode=mode, text=text)
    done = await caller.ok("click", selector=f"role=button[name={button}]")
    assert expected in done["snapshotDelta"]["tree"]
    assert len(done["dialogs"]) == 1


@pytest.mark.parametrize("decision", ["approve", "deny"])
async def test_a_person_is_asked(caller: Caller, decision: Decision) -> None:
    await caller.show(ASKS)
    await caller.ok("set_dialog_policy", mode="ask-human")
    body = await press(caller, "Confirm")
    assert body["code"] == "dialog_open"
    tab = caller.kernel.sessions.find(caller.principal, "default").tabs[0]
    given: dict[str, Any]
    for tool, given in (("answer_dialog", {"accept": True}), ("snapshot", {})):
        refusal = await caller.refused(tool, **given)
        assert (refusal["code"], "person" in refusal["error"]) == ("dialog_open", True)
    operator = replace(caller.principal, id="operator", role=Role.OPERATOR)
    approvals = caller.kernel.approvals
    await until(lambda: bool(approvals.listed(operator, "pending")))
    [question] = approvals.listed(operator, "pending")
    assert question.facts["prompt"] == "Sure?"
    await approvals.answer(operator, question.id, decision)
    await until(lambda: tab.page.dialog is None)
    assert ("true" if decision == "approve" else "false") in await caller.text("snapshot")


async def test_a_session_can_be_opened_with_a_policy(caller: Caller) -> None:
    opened = await caller.ok("open_session", session="calm", dialogPolicy="accept-prompt-with:Cy")
    assert opened["dialogPolicy"] == "accept-prompt-with"
    caller.site.page("/asks", ASKS)
    await caller.ok("navigate", url=caller.site.url("/asks"), session="calm")
    done = await caller.ok("click", selector="role=button[name=Prompt]", session="calm")
    assert "Cy" in done["snapshotDelta"]["tree"]
    refusal = await caller.refused("open_session", session="odd", dialogPolicy="shout")
    assert refusal["code"] == "invalid_argument"


async def test_a_storm_ends_and_is_counted(caller: Caller) -> None:
    """Ten thousand alerts: the script is ended, the page and its neighbours go on."""
    await caller.show(
        "<title>Calm</title><button onclick=\"for (let i = 0; i < 1e4; i++) alert('x')\">Go</button>"
    )
    tab = caller.kernel.sessions.find(caller.principal, "default").tabs[0]
    body = await caller.refused("click", selector="role=button")
    assert body["dialogs"][0]["message"] == "x"
    assert 1 <= len(body["dialogs"]) <= 10
    await caller.ok("tabs", action="new")
    await caller.ok("find", query="anything", tab="t2")
    await until(lambda: tab.page.dialog is None and tab.dialogs.calm)
    told = await caller.reply("snapshot", tab=tab.id)
    assert not told.ok
    assert "Calm" in told.text
    assert told.failure is not None
    assert 100 < told.failure["failure"]["count"] < 2000
    await caller.ok("find", query="Go", tab=tab.id)


async def test_a_page_that_wants_to_stay_is_left_by_whoever_says_so(caller: Caller) -> None:
    await caller.show("<button>b</button><script>onbeforeunload = e => e.preventDefault()</script>")
    await caller.ok("click", selector="button")
    there = caller.site.page("/next", "<title>Next</title>")
    for _ in range(2):
        body = await caller.refused("navigate", url=there)
        assert body["code"] == "dialog_open"
        assert "beforeunload" in str(body)
    answered = await caller.ok("answer_dialog", accept=True)
    assert answered["navigation"]["to"] == there
    assert "Next" in await caller.text("snapshot")


async def test_what_else_pages_hold_people_up_with(caller: Caller) -> None:
    """Printing and passwords: nothing opens, nothing waits."""
    caller.site.page("/locked", "no", status=401, headers={"www-authenticate": "Basic realm=x"})
    done = await caller.show(
        "<p id=out></p><button onclick=go()>Go</button><script>const go = async () => {"
        "for (let i = 0; i < 100; i++) print();"
        "const all = await Promise.all([...Array(50)].map(() => fetch('/locked')));"
        "out.textContent = `${all.length} ${all[0].status}` }</script>"
    )
    assert done["ok"]
    await caller.ok("click", selector="button")
    await caller.ok("wait_for", text="50 401")


async def test_a_dialog_takes_no_secret(mighty: Caller) -> None:
    await mighty.show("<title>Shop</title>")
    await mighty.ok("register_secret", name="PASSWORD", value="correct horse")
    for tool, given in (
        ("answer_dialog", {"accept": True}),
        ("set_dialog_policy", {"mode": "accept-prompt-with"}),
    ):
        error = await mighty.refused(tool, **given, text="<PASSWORD>")
        assert error["code"] == "invalid_argument"
    await mighty.ok("set_dialog_policy", mode="accept-prompt-with", text="<DIV>")


async def test_a_page_that_asks_to_stay_is_answered_by_the_policy(caller: Caller) -> None:
    caller.site.page("/next", "<title>Next</title><p>arrived</p>")
    await caller.show("<button>b</button><script>onbeforeunload = e => e.preventDefault()</script>")
    await caller.ok("click", selector="button")
    await caller.ok("set_dialog_policy", mode="dismiss")
    refused = await caller.refused("navigate", url=caller.site.url("/next"))
    assert refused["code"] == "navigation_failed"
    await caller.ok("set_dialog_policy", mode="accept")
    shown = await caller.ok("navigate", url=caller.site.url("/next"))
    assert "arrived" in shown["snapshotDelta"]["tree"]


@pytest.mark.parametrize(("mode", "answer"), [("allow", "true"), ("deny", "false")])
async def test_modes_have_the_names_that_permissions_know(
    caller: Caller, mode: str, answer: str
) -> None:
    done = await caller.ok("set_dialog_policy", mode=mode)
    assert done["policy"]["mode"] == done["mode"] == {"allow": "accept", "deny": "dismiss"}[mode]
    await caller.show("<button onclick=\"this.textContent = confirm('Sure?')\">Ask</button>")
    await caller.ok("click", selector="button")
    assert answer in await caller.text("snapshot")
    opened = await caller.ok("open_session", session=mode, dialogPolicy=mode)
    assert opened["dialogPolicy"] == done["mode"]
