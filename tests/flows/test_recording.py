"""A flow as it is recorded."""

from __future__ import annotations

from stockade.flows.recording import Found, Masked, Recording

PASSWORD = Found(None, "input", "password", "textbox", "Your password", secret=True)


def test_steps_are_numbered_as_they_are_tried() -> None:
    recording = Recording("flow")
    failed = recording.next_step("click", {}, "t1", "")
    kept = recording.next_step("click", {}, "t1", "")
    recording.keep(kept)
    assert (failed.id, kept.id) == ("s1", "s2")
    assert recording.step(None) is kept
    assert recording.step("s2") is kept
    assert recording.step("s1") is None


def test_what_nobody_may_read_is_forgotten() -> None:
    recording = Recording("flow")
    step = recording.next_step("fill", {"value": "hunter2"}, "t1", "")
    step.targets[""] = PASSWORD
    recording.conceal(step)
    assert step.arguments == {"value": "<YOUR_PASSWORD>"}
    assert isinstance(step.arguments["value"], Masked)


def test_also_in_a_row_of_a_form() -> None:
    recording = Recording("flow")
    fields = [{"value": "ada"}, {"value": "hunter2"}]
    step = recording.next_step("fill_form", {"fields": fields}, "t1", "")
    step.targets = {"fields.0": Found(None), "fields.1": PASSWORD}
    recording.conceal(step)
    assert [each["value"] for each in fields] == ["ada", "<YOUR_PASSWORD>"]


def test_keys_that_type_are_hidden_and_others_are_not() -> None:
    recording = Recording("flow")
    typed = recording.next_step("press", {"key": "h"}, "t1", "")
    entered = recording.next_step("press", {"key": "Enter"}, "t1", "")
    for step in (typed, entered):
        step.targets[""] = PASSWORD
        recording.conceal(step)
    assert typed.arguments["key"] == "<YOUR_PASSWORD>"
    assert entered.arguments["key"] == "Enter"
