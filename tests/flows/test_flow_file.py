"""A recorded flow as a file."""

from __future__ import annotations

from stockade.flows.flow_file import as_yaml
from stockade.flows.recording import Note, Recording, Step
from tests.flows.locators import found


def test_every_step_with_its_element() -> None:
    flow = Recording("Buy: tea", "https://shop.example/")
    flow.steps = [
        Step("s1", "click", {"button": "right"}, "t1", "https://shop.example/", {"": found()}),
        Step("s2", "fill_form", {"fields": [{"value": "yes"}]}, "t1", "", {"fields.0": found()}),
        Step("s3", "press", {"key": "Enter"}, "t1", note=Note("Now:\nwait", "top")),
        Step("s4", "drag", {"from": {"ref": "e1"}}, "t1", targets={"from": found("Card")}),
    ]
    assert as_yaml(flow).splitlines() == [
        'name: "Buy: tea"',
        'start: "https://shop.example/"',
        "locators:",
        "  buy-button:",
        "    playwright: \"page.getByRole('button', { name: 'Buy' })\"",
        '    selector: "role=button[name=\\"Buy\\"]"',
        "    stability: medium",
        "  buy-button-2:",
        "    playwright: \"page.getByRole('button', { name: 'Buy' })\"",
        '    selector: "role=button[name=\\"Buy\\"]"',
        "    stability: medium",
        "  card-button:",
        "    playwright: \"page.getByRole('button', { name: 'Card' })\"",
        '    selector: "role=button[name=\\"Card\\"]"',
        "    stability: medium",
        "steps:",
        "  - id: s1",
        "    action: click",
        "    tab: t1",
        "    target: buy-button",
        "    button: right",
        '    page: "https://shop.example/"',
        "  - id: s2",
        "    action: fill_form",
        "    tab: t1",
        "    fields:",
        "      - target: buy-button-2",
        '        value: "yes"',
        "  - id: s3",
        "    action: press",
        "    tab: t1",
        "    key: Enter",
        "    annotation:",
        '      copy: "Now:\\nwait"',
        "      arrow: top",
        "  - id: s4",
        "    action: drag",
        "    tab: t1",
        "    from: card-button",
    ]


def test_a_flow_of_nothing() -> None:
    assert as_yaml(Recording("empty")) == "name: empty\nlocators: {}\nsteps: []\n"


def test_what_a_step_was_told_is_not_lost_to_its_own_fields() -> None:
    flow = Recording("go", "https://a.example/")
    flow.steps = [
        Step("s1", "navigate", {"url": "https://b.example/"}, "t1", "https://a.example/"),
        Step("s2", "tabs", {"action": "new", "url": "https://c.example/"}, "t1", opened=["t2"]),
    ]
    assert as_yaml(flow).splitlines()[4:] == [
        "  - id: s1",
        "    action: navigate",
        "    tab: t1",
        '    url: "https://b.example/"',
        '    page: "https://a.example/"',
        "  - id: s2",
        "    action: tabs",
        "    tab: t1",
        '    url: "https://c.example/"',
        "    args:",
        "      action: new",
        "    opens:",
        "      - t2",
    ]
