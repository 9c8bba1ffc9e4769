"""A recorded flow as a test."""

from __future__ import annotations

from stockade.flows.playwright_script import Script, as_playwright
from stockade.flows.recording import Note, Recording, Step
from tests.flows.locators import found


def test_a_whole_test() -> None:
    flow = Recording("Buy it", "https://shop.example/")
    flow.steps = [
        Step("s1", "click", {}, "t1", targets={"": found()}, note=Note("First\nthis")),
        Step("s2", "touch_start", {}, "t1"),
        Step("s3", "click", {"coords": {"x": 1, "y": 2}}, "t1"),
    ]
    script = as_playwright(flow)
    assert script == Script(script.source, steps=3, handled=2, unhandled=1, fragile=1)
    assert script.source == (
        "const { test, expect } = require('@playwright/test');\n\n"
        "test('Buy it', async ({ page }) => {\n"
        "  await page.goto('https://shop.example/');\n"
        "  // First this\n"
        "  await page.getByRole('button', { name: 'Buy' }).click();\n"
        "  // left out: s2, touch_start: a test has no words for it\n"
        "  await page.mouse.click(1, 2);\n"
        "});\n"
    )


def test_a_flow_that_begins_by_going_somewhere_goes_there_once() -> None:
    flow = Recording("go", "https://old.example/")
    flow.steps = [Step("s1", "navigate", {"url": "https://new.example/"}, "t1")]
    source = as_playwright(flow).source
    assert "old.example" not in source
    assert source.count("goto") == 1


def test_tabs_are_variables() -> None:
    flow = Recording("tabs")
    flow.steps = [
        Step("s1", "click", {}, "t1", targets={"": found("Help", "link")}, opened=["t2"]),
        Step("s2", "click", {}, "t2", targets={"": found("Close")}),
        Step("s3", "tabs", {"action": "new"}, "t1", opened=["t3"]),
        Step("s4", "go_back", {}, "t3"),
    ]
    lines = [line.strip() for line in as_playwright(flow).source.splitlines()]
    assert lines[3:10] == [
        "const page2Opens = page.waitForEvent('popup');",
        "await page.getByRole('link', { name: 'Help' }).click();",
        "const page2 = await page2Opens;",
        "await page2.getByRole('button', { name: 'Close' }).click();",
        "const page3 = await page.context().newPage();",
        "await page3.goBack();",
        "});",
    ]


def test_a_dialog_is_expected_before_it_opens() -> None:
    flow = Recording("dialogs")
    flow.steps = [
        Step("s1", "click", {}, "t1", targets={"": found()}),
        Step("s2", "answer_dialog", {"accept": True, "text": "yes"}, "t1"),
    ]
    lines = as_playwright(flow).source.splitlines()
    assert lines[3] == "  page.once('dialog', dialog => dialog.accept('yes'));"
    assert lines[4].endswith(".click();")


def test_a_comment_cannot_end_early() -> None:
    flow = Recording("notes")
    step = Step("s1", "go_back", {}, "t1", note=Note("one\u2028await evil()"))
    flow.steps = [step]
    assert "// one await evil()" in as_playwright(flow).source
