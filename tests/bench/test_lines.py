"""What policies read of both contenders' results."""

from __future__ import annotations

import re

import pytest

from bench.apps.lines import Line, View, parse_playwright, parse_stockade

STOCKADE = """\
- text: Enter "Ada" and press Submit.
- heading "Sign in" [level=2]
- textbox "User: \\"nick\\"" [e1] [required] [placeholder "name [short]"]: Ada: the 1st
- combobox [f2e3]: a
  - option "a" [selected]
- table [e4]
  - row [header]: Item | Price
  - row: Tea | 4.20
- clickable [e9]
… 2 hidden texts left out"""

PLAYWRIGHT = """\
### Page
- Page URL: http://127.0.0.1/
### Snapshot
```yaml
- generic [active] [ref=f1e2]:
  - generic [ref=f1e3]: Enter "Ada" and press Submit.
  - 'heading "Step #1: ''sign'' in" [level=2] [ref=f1e4]'
  - textbox "User" [ref=f1e5]: "Ada: the 1st"
  - link "Next" [ref=f1e6] [cursor=pointer]:
    - /url: "#next"
  - 'tab "Tab #1" [ref=f1e7]':
    - text: "12"
  - table [ref=f1e8]:
    - row [ref=f1e9]:
      - cell "Tea" [ref=f1e10]
      - cell [ref=f1e11]:
        - link "4.20" [ref=f1e12]
```
"""


def test_stockade_lines() -> None:
    lines = [line for _, line in parse_stockade(STOCKADE)]
    assert len(lines) == 9
    assert lines[0] == Line("text", value='Enter "Ada" and press Submit.')
    assert lines[1].state("level") == "2"
    assert (lines[2].name, lines[2].ref, lines[2].value) == ('User: "nick"', "e1", "Ada: the 1st")
    assert "required" in lines[2].states
    assert (lines[3].ref, lines[4].depth) == ("f2e3", 1)
    assert (lines[8].role, lines[8].ref, lines[8].text) == ("clickable", "e9", "")


def test_stockade_signs() -> None:
    assert [(sign, line.value) for sign, line in parse_stockade("+ text: new\n~ text: other")] == [
        ("+", "new"),
        ("~", "other"),
    ]


def test_playwright_lines() -> None:
    view = View(parse_playwright(PLAYWRIGHT))
    assert view.lines[1].value == 'Enter "Ada" and press Submit.'
    assert view.lines[2].name == "Step #1: 'sign' in"
    assert view.one("textbox").value == "Ada: the 1st"
    link = view.one("link", name="Next")
    assert (link.ref, link.state("url"), link.state("cursor")) == ("f1e6", "#next", "pointer")
    assert view.below(view.one("tab")).text == "12"


@pytest.mark.parametrize(
    "lines", [[line for _, line in parse_stockade(STOCKADE)], parse_playwright(PLAYWRIGHT)]
)
def test_rows_are_the_same_for_both(lines: list[Line]) -> None:
    assert View(lines).rows()[-1] == ["Tea", "4.20"]


def test_view_finds_by_name_text_and_pattern() -> None:
    view = View([line for _, line in parse_stockade(STOCKADE)])
    assert view.one("heading", name="Sign in").role == "heading"
    assert view.has(name=re.compile("^Enter"))
    assert not view.has("button")
    with pytest.raises(LookupError):
        view.one("button", name="Submit")
