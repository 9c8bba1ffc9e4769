from __future__ import annotations

from stockade.masking.search import Search


def test_what_is_found_has_its_place_and_name() -> None:
    search = Search({"Zq7!pass": "<A>", "пароль✓": "<B>"})
    assert set(search.hits("- Zq7!pass %5Aq7!pass пароль✓")) == {
        (2, 10, "<A>"),
        (11, 21, "<A>"),
        (22, 29, "<B>"),
    }
    assert search.hits("nothing") == []


def test_it_reaches_as_far_as_the_longest_spelling() -> None:
    assert Search({"abcdef": "<A>"}).reach > len("&#x00061;" * 6)
