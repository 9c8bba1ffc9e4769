from __future__ import annotations

import random
import re
import time

import pytest

from stockade.masking.background import Stopped
from stockade.masking.leaves import without
from stockade.masking.search import _PIECE, Hit, Search
from tests.masking.spellings import SECRETS, SPELLINGS

_SECONDS = 3.0


def test_what_is_found_has_its_place_and_name() -> None:
    search = Search({"Zq7!pass": "<A>", "пароль✓": "<B>"})
    assert set(search.hits("- Zq7!pass %5Aq7!pass пароль✓")) == {
        Hit(2, 10, "<A>"),
        Hit(11, 21, "<A>"),
        Hit(22, 29, "<B>"),
    }
    assert search.hits("nothing") == []


def test_it_reaches_as_far_as_the_longest_spelling() -> None:
    assert Search({"abcdef": "<A>"}).reach > len("&#x00061;" * 6)


@pytest.mark.parametrize("spelling", ["raw", "percent", "JSON", "decimal entities", "base64 at 1"])
def test_a_long_text_is_searched_in_pieces_and_none_is_cut_in_two(
    spelling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = Search({SECRETS["token"]: "<S>"})
    written = SPELLINGS[spelling](SECRETS["token"])
    text = "".join(f"{'.' * (1500 + at)} {written} {'-' * 700}" for at in range(9))
    whole = search.hits(text)
    searched: list[int] = []
    of_part = search._of_part
    monkeypatch.setattr("stockade.masking.search._PIECE", 100)
    monkeypatch.setattr(search, "reach", len(written) + 50)

    def counted(piece: str, folded: str | None) -> list[Hit]:
        searched.append(len(piece))
        return of_part(piece, folded)

    monkeypatch.setattr(search, "_of_part", counted)
    in_pieces = search.hits(text)
    assert len(searched) > 10
    assert set(in_pieces) == set(whole)
    assert without(text, in_pieces).count("<S>") == 9


BETWEEN = {
    "markup": f'</b><span style="{"color:red;" * 20}">',
    "comments": f"<!-- {'much ' * 40}-->",
    "lines of an outline": f"\n{' ' * 150}- text: ",
    "items of a list": f"\n{' ' * 150}- ",
}


@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("before", range(-4_000, 400, 400))
def test_what_stands_between_the_letters_of_two_pieces(before: int, between: str) -> None:
    secret = "correct-horse-battery"
    search = Search({secret: "<S>"})
    text = "x " * ((_PIECE + before) // 2) + BETWEEN[between] + BETWEEN[between].join(secret)
    text += "\n" + " y" * _PIECE
    [shown] = {each.shown for each in search.hits(text)}
    left = without(text, search.hits(text))
    assert shown in left
    assert not any(secret[at : at + 6] in re.sub("[^a-z-]", "", left) for at in range(16))
    assert BETWEEN[between].join(secret[:3]) not in left


def test_what_a_page_makes_up_costs_no_more_than_its_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All that is searched for one text is counted, whatever escapes it has within each other."""
    searched = [0]
    search = Search({"correct horse battery": "<S>", "two words + a plus": "<T>"})
    as_written = search._as_written

    def counted(text: str, folded: str | None = None) -> list[Hit]:
        searched[0] += len(text)
        return as_written(text, folded)

    monkeypatch.setattr(search, "_as_written", counted)
    chosen = random.Random(5)
    kinds = ["%41", "%2541", "%252541", "&#65;", "&amp;#65;", "\\u0041", "\\\\u0041", "\\x41"]
    kinds += [
        "=41=42",
        "\\41 ",
        "<b>",
        "+",
        "aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ",
        "41 42 43 ",
        "- x\n",
    ]
    for _ in range(20):
        some = chosen.sample(kinds, chosen.randint(2, len(kinds)))
        text = "".join(chosen.choice(some) for _ in range(4000))
        searched[0] = 0
        search.hits(text)
        assert searched[0] <= 60 * len(text), some


@pytest.mark.parametrize(
    "piece",
    [
        "<!--",
        "<",
        "<a ",
        "&#",
        "%u",
        "\\",
        "\\u",
        "=",
        "=\n",
        "\n- a",
        "\n    ",
        "Aa",
        "0x",
        "1,",
        "12 ",
        "\\n",
        "̀",
        "ﷺ",
        "é",
        "<!-- a >",
        "\n- x [a]",
        "%25",
        "=3D",
        "a\x02<!--",
    ],
)
def test_no_text_takes_long_to_read(piece: str) -> None:
    """A comment that began and did not end was looked for to the end of the text, from each."""
    search = Search({"correct horse battery": "<S>"})
    text = piece * (130_000 // len(piece))
    began = time.thread_time()
    search.hits(text)
    assert time.thread_time() - began < _SECONDS


def test_who_does_not_wait_any_more_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop() -> None:
        raise Stopped

    search = Search({"correct horse": "<S>"})
    monkeypatch.setattr("stockade.masking.pieces.check_stopped", stop)
    with pytest.raises(Stopped):
        search.hits("x" * 1_000_000)


def test_what_does_not_show_at_the_end_is_not_looked_for_in_another_run() -> None:
    """What follows a run of numbers is another reading of it, and no place in this one."""
    secret = "пароль✓"
    text = ",".join(f"{each:02x}" for each in secret.encode()[:-2]) + " (more)"
    assert without(text, Search({secret: "<S>"}).hits(text)) == "<S> (more)"
