"""Which tasks there are, and how they are chosen."""

from __future__ import annotations

import pytest

from bench.apps.episodes import is_wanted
from bench.apps.lines import View, parse_stockade
from bench.apps.policies import POLICIES
from bench.apps.policies.registry import field_after, named


def test_there_are_enough_tasks() -> None:
    assert len(POLICIES) >= 80


@pytest.mark.parametrize("wanted", ["miniwob", "click-tab", "miniwob/click-tab", "click-*"])
def test_tasks_are_chosen_by_name_suite_or_part(wanted: str) -> None:
    assert is_wanted([wanted], "miniwob/click-tab")
    assert not is_wanted([wanted], "jupyter/notebook")


def test_a_label_is_not_looked_for_in_the_task() -> None:
    tree = "- text: Enter the Year\n- text: Genre\n- textbox [e1]\n- text: Year\n- textbox [e2]"
    assert field_after(View([line for _, line in parse_stockade(tree)]), "year").ref == "e2"


def test_what_has_no_ref_is_meant_by_its_text() -> None:
    view = View([line for _, line in parse_stockade('- text: one\n- clickable "two" [e1]')])
    assert named(view, "one") == 'text="one"'
    assert named(view, "two") is view.lines[1]
