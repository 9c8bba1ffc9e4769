"""A view is brought up to date by what a result says has changed."""

from __future__ import annotations

from bench.apps.changes import apply_delta
from bench.apps.lines import View, parse_stockade

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


def test_a_line_that_is_not_indented_stands_under_nothing() -> None:
    now, _ = apply_delta(view(), "in list [e1]:\n  + listitem: two\n+ dialog [e9]\n  + text: Sure")
    assert [line.role for line in now][-2:] == ["dialog", "text"]


def test_removed_lines_go() -> None:
    now, news = apply_delta(view(), '- button "Go" [e3]\n- text: Pick one')
    assert not now.has("button")
    assert not now.has(name="Pick one")
    assert not news.lines


def test_a_ref_that_was_another() -> None:
    now, _ = apply_delta(view(), '~ button "Go" [e7], was e3')
    assert [line.ref for line in now.all("button")] == ["e7"]


def test_redrawn_elements_have_their_new_refs() -> None:
    now, news = apply_delta(view(), "~ 2 elements redrawn as they were: e2-e3 now e8-e9")
    assert [line.ref for line in now if line.ref] == ["e1", "e8", "e9"]
    assert not news.lines


def test_what_moved_stands_where_it_is_said_to() -> None:
    tree = "- list [e1]\n  - listitem [e2]: one\n    - button [e3]\n  - listitem [e4]: two\n- list [e5]\n  - listitem [e6]: six"
    before = View([line for _, line in parse_stockade(tree)])
    now, _ = apply_delta(before, "~ listitem [e2]: one, moved after e6")
    assert [line.ref for line in now] == ["e1", "e4", "e5", "e6", "e2", "e3"]
    now, _ = apply_delta(before, "~ listitem [e6]: six, moved before e2")
    assert [line.ref for line in now] == ["e1", "e6", "e2", "e3", "e4", "e5"]
    now, _ = apply_delta(before, 'in list [e5]:\n  ~ listitem [e2]: one, moved after "six"')
    assert [line.ref for line in now] == ["e1", "e4", "e5", "e6", "e2", "e3"]


def test_refs_that_are_gone_together() -> None:
    now, news = apply_delta(view(), "- 2 elements gone: e1, e3")
    assert [line.ref for line in now if line.ref] == ["e2"]
    assert not news.lines


def test_lines_that_are_not_indented_stand_outside() -> None:
    now, _ = apply_delta(
        view(), "in list [e1]:\n  + listitem: two\n+ tree [e9]\n  + treeitem: leaf"
    )
    assert [line.role for line in now.lines[-2:]] == ["tree", "treeitem"]
