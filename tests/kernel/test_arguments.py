"""What all tools' arguments have in common."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from stockade.kernel.arguments import ActionOptions, Arguments, OnTarget
from stockade.tools import registry


class Wish(ActionOptions, OnTarget):
    """A wish."""

    how_often: int = 1


def test_names_are_camel_case_outside_and_either_is_taken() -> None:
    assert Wish.model_validate({"howOften": 2}) == Wish.model_validate({"how_often": 2})
    assert "maxResultTokens" in Wish.model_json_schema()["properties"]


def test_what_is_not_known_is_refused_without_a_word_of_it() -> None:
    with pytest.raises(ValidationError) as caught:
        Wish.model_validate({"secret": "hunter2"})
    assert "hunter2" not in str(caught.value)


def test_a_call_lasts_no_longer_than_its_deadline_unless_it_says_so() -> None:
    assert Arguments().lasts == 0
    longer = {each.name for each in registry() if "lasts" in vars(each.arguments)}
    assert {"sample", "watch"} <= longer
