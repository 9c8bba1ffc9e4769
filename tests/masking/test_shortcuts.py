"""What spares the search work must not change what it finds: here it is done without."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stockade.masking.folding import Folded, letters
from stockade.masking.search import Hit, Search
from stockade.masking.views import _tags_and_comments
from tests.masking.spellings import SECRETS, SPELLINGS

_ANY = string.ascii_letters + string.digits + "!$%&+=/ -_<>\"'\\" + "äßпж✓…\uff21\U0001f98aﬁ\u0301"
_SECRETS = st.one_of(
    st.sampled_from(sorted(SECRETS.values())),
    # So many letters that something is left of it.
    st.builds(str.__add__, st.text(string.ascii_letters, min_size=6), st.text(_ANY, max_size=30)),
)
_BETWEEN = [
    "\n- ",
    "\n  - text: ",
    "</b><i>",
    "<!-- x -->",
    '","',
    '", "',
    " | ",
    "\n1. ",
    "-",
    " ",
]
_AROUND = [
    "lorem ipsum Dolor sit amet ",
    "\n",
    " ",
    "- text: ab\n",
    "\n  - a\n",
    *("<b>", "<!-- ", "-->", "<!", "\x02", "…", "...", "“", "é", "ﷺ", "\U0001f98a", "\U000e0041"),
    *("%41", "%", "&amp;", "&", "\\u0041", "\\", "=41", "=\n", "+AGE-", "+"),
    *("aGVsbG8gd29ybGQgaGVsbG8gd29ybGQ", "an-address-of-words", "41 42 43 44 45 ", "12, 34, "),
    *_BETWEEN,
]


class _WithoutShortcuts(Search):
    """Looks for every needle in every reading, each folded anew."""

    def __init__(self, secrets: dict[str, str], parted: Collection[str]) -> None:
        super().__init__(secrets, parted)
        self._leave_traces = False

    def _as_written(self, text: str, plain: str | None = None) -> list[Hit]:
        del plain
        return super()._as_written(text)

    def hits(self, text: str, *, parted: bool | None = None) -> list[Hit]:
        del parted
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("stockade.masking.search._bare_places", _bare_places)
            patched.setattr("stockade.masking.folding._MANY", -1)
            patched.setattr("stockade.masking.folding.Folded.span_of_only", Folded.span)
            patched.setattr("stockade.masking.views._tags", _tags_and_comments)
            patched.setattr("stockade.masking.views._SHORT_ITEMS", (re.compile("(?<=\n)"),))
            patched.setattr("stockade.masking.views._may_have_tags", lambda _: True)
            patched.setattr("stockade.masking.runs._is_word", lambda _: False)
            patched.setattr("stockade.masking.runs._NO_DIGITS", b"")
            return super().hits(text)


def _bare_places(plain: str, places: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(len(letters(plain[:first])), len(letters(plain[:last]))) for first, last in places}


@given(
    st.lists(_SECRETS, min_size=1, max_size=3, unique=True),
    st.booleans(),
    st.lists(st.sampled_from(sorted(SPELLINGS)), min_size=1, max_size=3),
    st.sampled_from([None, *_BETWEEN]),
    st.lists(st.sampled_from(_AROUND), min_size=1, max_size=5),
    st.sampled_from([0, 5, 200, 20_000]),
    st.randoms(use_true_random=False),
)
def test_what_spares_work_changes_nothing_that_is_found(
    secrets: list[str],
    parted: bool,
    spellings: list[str],
    between: str | None,
    around: list[str],
    most: int,
    chosen: random.Random,
) -> None:
    shown = {each: f"<S{at}>" for at, each in enumerate(secrets)}
    text = ""
    for spelling in spellings:
        text += _filler(around, most, chosen)
        secret = chosen.choice(secrets)
        if between is not None:
            width = chosen.randint(1, 7)
            text += between.join(secret[at : at + width] for at in range(0, len(secret), width))
            text += between
        else:
            text += SPELLINGS[spelling](secret)
    text += _filler(around, most, chosen)
    parts = secrets if parted else []
    assert set(Search(shown, parts).hits(text)) == set(_WithoutShortcuts(shown, parts).hits(text))


def _filler(around: list[str], most: int, chosen: random.Random) -> str:
    text = ""
    length = chosen.randint(0, most)
    while len(text) < length:
        text += chosen.choice(around) * chosen.choice((1, 1, 8))
    return text
