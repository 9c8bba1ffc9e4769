from __future__ import annotations

from stockade.masking.leaves import Leaves, without
from stockade.masking.masker import Masker
from stockade.masking.scopes import of_session
from stockade.masking.search import Hit


def test_what_overlaps_is_named_once_each() -> None:
    hits = [Hit(1, 4, "<A>"), Hit(3, 6, "<B>"), Hit(2, 3, "<A>")]
    assert without("0123456789", hits) == "0<A><B>6789"


def test_texts_are_one_text_and_each_is_there_once() -> None:
    leaves = Leaves({"a": "x", "b": ["x", "y"], "c": 5})
    assert sorted(leaves.joined.split("\x02")) == ["5", "a", "b", "c", "x", "y"]
    assert leaves.replaced([]) == {"a": "x", "b": ["x", "y"], "c": 5}


def test_a_part_of_a_secret_is_taken_out_of_texts_and_not_of_the_names_of_fields() -> None:
    masker = Masker()
    masker.add_parts("S", "hunter2-of-downloads", of_session("t", "s"))
    given = {"downloads": ["downlo", "plain"], "url": "/a?q=ter2-of", "two words downloads": 1}
    assert masker.value(given) == {
        "downloads": ["<S>", "plain"],
        "url": "/a?q=<S>",
        "two words <S>": 1,
    }
    assert masker.value({"hunter2-of-downloads": 1}) == {"<S>": 1}
