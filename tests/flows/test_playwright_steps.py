"""Steps in the words of Playwright."""

from __future__ import annotations

from typing import Any

import pytest

from stockade.flows.playwright_steps import Line, Page, lines_of, literal
from stockade.flows.recording import Found, Masked, Step
from tests.flows.locators import found

PAGE = Page("page", lambda tab: f"page_{tab}")
BUY = "page.getByRole('button', { name: 'Buy' })"


def said(tool: str, targets: dict[str, Found] | None = None, **arguments: Any) -> list[str]:
    step = Step("s1", tool, arguments, "t1", targets=targets or {})
    return [line.code for line in lines_of(step, PAGE)]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ('it\'s "so"\n', "'it\\'s \"so\"\\n'"),
        ("back\\slash", "'back\\\\slash'"),
        (Masked("<KEY>"), "process.env.KEY"),
        ("<KEY>", "process.env.KEY"),
        ("<DIV> is text", "'<DIV> is text'"),
        (Masked("a `<KEY>` ${b}"), "`a \\`${process.env.KEY}\\` \\${b}`"),
        ({"a": [1, True, None]}, "{ a: [1, true, null] }"),
        ("\u2028", "'\\u2028'"),
    ],
)
def test_literals(value: Any, code: str) -> None:
    assert literal(value) == code


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("click", {}, f"await {BUY}.click();"),
        (
            "click",
            {"button": "right", "modifiers": ["Shift"], "count": 2},
            f"await {BUY}.click({{ button: 'right', modifiers: ['Shift'], clickCount: 2 }});",
        ),
        ("double_click", {}, f"await {BUY}.dblclick();"),
        ("hover", {}, f"await {BUY}.hover();"),
        ("fill", {"value": "tea"}, f"await {BUY}.fill('tea');"),
        ("press", {"key": "Enter"}, f"await {BUY}.press('Enter');"),
        ("select", {"values": ["a"]}, f"await {BUY}.selectOption('a');"),
        ("select", {"values": ["a", "b"]}, f"await {BUY}.selectOption(['a', 'b']);"),
        ("verify_visible", {}, f"await expect({BUY}).toBeVisible();"),
        ("verify_text", {"text": "x"}, f"await expect({BUY}).toContainText('x');"),
        ("verify_text", {"text": "x", "exact": True}, f"await expect({BUY}).toHaveText('x');"),
        ("verify_value", {"value": "x"}, f"await expect({BUY}).toHaveValue('x');"),
        ("verify_attribute", {"attr": "a"}, f"await expect({BUY}).toHaveAttribute('a');"),
        (
            "verify_attribute",
            {"attr": "a", "value": "b"},
            f"await expect({BUY}).toHaveAttribute('a', 'b');",
        ),
        ("scroll", {"intoView": True}, f"await {BUY}.scrollIntoViewIfNeeded();"),
        ("scroll", {"to": "top"}, f"await {BUY}.evaluate(it => it.scrollTo({{ top: 0 }}));"),
        ("wait_for", {}, f"await expect({BUY}).toBeVisible();"),
        (
            "upload_file",
            {"name": "a.txt"},
            f"await {BUY}.setInputFiles(process.env.UPLOAD_FILE);",
        ),
    ],
)
def test_on_an_element(tool: str, arguments: dict[str, Any], code: str) -> None:
    assert said(tool, {"": found()}, **arguments) == [code]


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("navigate", {"url": "https://a.example"}, ["await page.goto('https://a.example');"]),
        ("go_back", {}, ["await page.goBack();"]),
        ("reload", {}, ["await page.reload();"]),
        ("click", {"coords": {"x": 1, "y": 2}}, ["await page.mouse.click(1, 2);"]),
        (
            "shortcut",
            {"keys": ["Control+a", "x"]},
            [
                "await page.keyboard.press('Control+a');",
                "await page.keyboard.press('x');",
            ],
        ),
        (
            "set_viewport",
            {"width": 5, "height": 6},
            ["await page.setViewportSize({ width: 5, height: 6 });"],
        ),
        (
            "mouse_up",
            {"coords": {"x": 1, "y": 2}, "button": "right"},
            ["await page.mouse.move(1, 2);", "await page.mouse.up({ button: 'right' });"],
        ),
        (
            "mouse_wheel",
            {"coords": {"x": 1, "y": 2}, "deltaY": 9},
            ["await page.mouse.move(1, 2);", "await page.mouse.wheel(0, 9);"],
        ),
        (
            "drag",
            {"from": {"coords": {"x": 1, "y": 2}}, "to": {"coords": {"x": 3, "y": 4}}},
            [
                "await page.mouse.move(1, 2);",
                "await page.mouse.down();",
                "await page.mouse.move(3, 4, { steps: 12 });",
                "await page.mouse.up();",
            ],
        ),
        ("eval_js", {"expr": "1 + 1"}, ["await page.evaluate('1 + 1');"]),
        ("poll_eval", {"expr": "ready"}, ["await page.waitForFunction('ready');"]),
        (
            "set_dialog_policy",
            {"mode": "dismiss"},
            ["page.on('dialog', dialog => dialog.dismiss());"],
        ),
        (
            "tabs",
            {"action": "new", "url": "https://a.example"},
            [
                "const page_s1 = await page.context().newPage();",
                "await page_s1.goto('https://a.example');",
            ],
        ),
        (
            "verify_count",
            {"selector": "li", "n": 3},
            ["await expect(page.locator('li')).toHaveCount(3);"],
        ),
        (
            "verify_count",
            {"selector": 'label="Name"', "n": 1},
            ["await expect(page.getByLabel('Name', { exact: true })).toHaveCount(1);"],
        ),
        (
            "wait_for",
            {"text": "Done", "gone": True},
            ["await expect(page.getByText('Done').first()).toBeHidden();"],
        ),
        (
            "wait_for",
            {"urlContains": "/ok"},
            ["await page.waitForURL(url => url.href.includes('/ok'));"],
        ),
    ],
)
def test_on_the_page(tool: str, arguments: dict[str, Any], code: list[str]) -> None:
    assert said(tool, **arguments) == code


def test_forms_by_the_kind_of_their_fields() -> None:
    targets = {
        "fields.0": found("Name", "textbox", tag="input"),
        "fields.1": found("Tea", "combobox", tag="select"),
        "fields.2": found("Gift", "checkbox"),
        "submit": found(),
    }
    fields = [{"value": "Ada"}, {"value": "green"}, {"value": "on"}]
    assert said("fill_form", targets, fields=fields) == [
        "await page.getByRole('textbox', { name: 'Name' }).fill('Ada');",
        "await page.getByRole('combobox', { name: 'Tea' }).selectOption('green');",
        "await page.getByRole('checkbox', { name: 'Gift' }).setChecked(true);",
        f"await {BUY}.click();",
    ]


def test_what_is_in_a_frame_is_looked_for_there() -> None:
    inside = {"": found(frames=("iframe",))}
    around = "page.frameLocator('iframe')"
    assert said("wait_for", inside, text="Hi") == [
        f"await expect({around}.getByText('Hi').first()).toBeVisible();"
    ]
    assert said("verify_value", inside, selector="label=Name", value="x") == [
        f"await expect({around}.getByLabel('Name')).toHaveValue('x');"
    ]


def test_options() -> None:
    select = {"": found("Tea", "combobox", tag="select")}
    assert said("choose_option", select, option="Green") == [
        "await page.getByRole('combobox', { name: 'Tea' }).selectOption({ label: 'Green' });"
    ]
    menu = said("choose_option", {"": found()}, option="Green")
    assert menu[0] == f"await {BUY}.click();"
    assert "getByRole('option', { name: 'Green', exact: true })" in menu[1]


def test_what_cannot_be_said_is_told() -> None:
    step = Step("s4", "gesture_pinch", {}, "t1")
    [line] = lines_of(step, PAGE)
    assert (line.code, "s4" in line.comment) == ("", True)
    [line] = lines_of(Step("s5", "click", {}, "t1"), PAGE)
    assert line == Line(comment="s5, click: its element could not be named")


def test_what_may_find_something_else_next_time_is_fragile() -> None:
    [line] = lines_of(Step("s1", "click", {}, targets={"": found(stability="low")}), PAGE)
    assert line.fragile


def test_typing_goes_after_what_is_there_or_where_the_focus_is() -> None:
    assert said("type", {"": found()}, text="tea", submit=True) == [
        f"await {BUY}.press('ControlOrMeta+End');",
        f"await {BUY}.pressSequentially('tea');",
        "await page.keyboard.press('Enter');",
    ]
    assert said("type", {}, text="tea") == ["await page.keyboard.type('tea');"]
