from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stockade.masking.automaton import Automaton

_LETTERS = st.sampled_from("ababab é✓\U0001f98a")


@given(st.lists(st.text(_LETTERS, min_size=1, max_size=4), min_size=1, max_size=6), st.data())
def test_every_needle_is_found_wherever_it_is(needles: list[str], data: st.DataObject) -> None:
    text = data.draw(st.text(_LETTERS, max_size=40))
    automaton = Automaton(needles)
    expected = {
        (index, at, at + len(needle))
        for index, needle in enumerate(needles)
        for at in range(len(text))
        if text.startswith(needle, at)
    }
    assert set(automaton.matches(text)) == expected
    assert automaton.is_in(text) == bool(expected)


def test_where_there_is_no_needle_nothing_is_found() -> None:
    assert not Automaton([]).is_in("text")
    assert Automaton([]).matches("text") == []
