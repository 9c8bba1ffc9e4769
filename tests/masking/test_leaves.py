from __future__ import annotations

from stockade.masking.leaves import Leaves, without
from stockade.masking.search import Hit


def test_what_overlaps_is_named_once_each() -> None:
    hits = [Hit(1, 4, "<A>"), Hit(3, 6, "<B>"), Hit(2, 3, "<A>")]
    assert without("0123456789", hits) == "0<A><B>6789"


def test_texts_are_one_text_and_each_is_there_once() -> None:
    leaves = Leaves({"a": "x", "b": ["x", "y"], "c": 5})
    assert sorted(leaves.joined.split("\x02")) == ["5", "a", "b", "c", "x", "y"]
    assert leaves.replaced([]) == {"a": "x", "b": ["x", "y"], "c": 5}
