"""Dialogs: they end the wait, are told, and are answered as the caller or the policy says."""

from __future__ import annotations

import pytest

from tests.support.callers import Caller

ASKS = """<button onclick="out.textContent = confirm('Sure?')">Confirm</button>
<button onclick="out.textContent = prompt('Name?', 'nobody') ?? 'dismissed'">Prompt</button>
<button onclick="alert('Hello'); out.textContent = 'told'">Alert</button>
<p role=status id=out></p>"""


async def test_a_question_waits_and_is_answered(caller: Caller) -> None:
    await caller.show(ASKS)
    reply = await caller.reply("click", selector="role=button[name=Confirm]")
    assert not reply.ok
    assert reply.data is not None
    assert reply.data["code"] == "dialog_open"
    assert reply.data["failure"]["source"] == "app"
    assert reply.data["dialogs"] == [{"kind": "confirm", "message": "Sure?", "handledAs": "raise"}]
    blocked = await caller.refused("snapshot")
    assert (blocked["code"], blocked["kind"]) == ("dialog_open", "confirm")
    answered = await caller.ok("answer_dialog", accept=False)
    assert "false" in answered["snapshotDelta"]["tree"]
    assert answered["dialogs"][0]["handledAs"] == "dismissed"


async def test_a_prompt_takes_text(caller: Caller) -> None:
    await caller.show(ASKS)
    await caller.reply("click", selector="role=button[name=Prompt]")
    answered = await caller.ok("answer_dialog", accept=True, text="Ann")
    assert "Ann" in answered["snapshotDelta"]["tree"]


async def test_an_alert_asks_nothing_and_holds_nobody_up(caller: Caller) -> None:
    await caller.show(ASKS)
    done = await caller.ok("click", selector="role=button[name=Alert]")
    assert done["dialogs"] == [{"kind": "alert", "message": "Hello", "handledAs": "accepted"}]
    assert "told" in done["snapshotDelta"]["tree"]
    assert "nothing was seen to happen" not in done["warnings"]


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


async def test_a_session_can_be_opened_with_a_policy(caller: Caller) -> None:
    await caller.ok("open_session", session="calm", dialogPolicy="accept-prompt-with:Cy")
    caller.site.page("/asks", ASKS)
    await caller.ok("navigate", url=caller.site.url("/asks"), session="calm")
    done = await caller.ok("click", selector="role=button[name=Prompt]", session="calm")
    assert "Cy" in done["snapshotDelta"]["tree"]
    refusal = await caller.refused("open_session", session="odd", dialogPolicy="shout")
    assert refusal["code"] == "invalid_argument"


async def test_there_must_be_a_dialog_to_answer(caller: Caller) -> None:
    await caller.show("<p>Quiet")
    refusal = await caller.refused("answer_dialog", accept=True)
    assert refusal["code"] == "not_found"


async def test_a_dialog_that_opens_between_calls_is_met_by_the_next(caller: Caller) -> None:
    await caller.show(
        """<button onclick="setTimeout(() => confirm('Late?'), 20)">Later</button>
        <script>window.asked = 0</script>"""
    )
    await caller.reply("click", selector="role=button")
    reply = await caller.reply("wait_for", text="never there", timeoutMs=3000)
    assert not reply.ok
    assert "dialog_open" in reply.text
    await caller.ok("answer_dialog", accept=True)


async def test_many_dialogs_in_a_row_end(caller: Caller) -> None:
    await caller.show('<button onclick="for (let i = 0; i < 5; i++) alert(i)">Go</button>')
    done = await caller.ok("click", selector="role=button")
    assert [each["message"] for each in done["dialogs"]] == ["0", "1", "2", "3", "4"]
