"""A view is brought up to date by what a result says has changed."""

from __future__ import annotations

from bench.apps.lines import View, parse_stockade
from bench.apps.stockade import apply_delta

PAGE = """\
- text: Pick one
- list [e1]
  - listitem: one
- textbox "Name" [e2]
- button "Go" [e3]"""


def view() -> View:
    return View([line for _, line in parse_stockade(PAGE)])


def test_changed_lines_are_replaced_and_new_ones_added() -> None:
    now, news = apply_delta(view(), '~ textbox "Name" [e2] [focused]: Ada\n+ text: Saved')
    assert now.one("textbox").value == "Ada"
    assert now.lines[-1].value == "Saved"
    assert [line.text for line in news] == ["Name Ada", "Saved"]


def test_lines_go_where_they_are_said_to_stand() -> None:
    now, _ = apply_delta(view(), "in list [e1]:\n  + listitem: two")
    assert [line.value for line in now.below(now.one("list"))] == ["one", "two"]
    assert now.index(now.one("listitem", name="two")) == 3


def test_removed_lines_go() -> None:
    now, news = apply_delta(view(), '- button "Go" [e3]\n- text: Pick one')
    assert not now.has("button")
    assert not now.has(name="Pick one")
    assert not news.lines


def test_a_ref_that_was_another() -> None:
    now, _ = apply_delta(view(), '~ button "Go" [e7], was e3')
    assert [line.ref for line in now.all("button")] == ["e7"]
