"""Which values can be secrets: not those that half of all pages have on them."""

from __future__ import annotations

import math
from itertools import pairwise

from stockade.errors import InvalidArgument
from stockade.masking.folding import folded

__all__ = ["check_worth", "is_guessable"]

_FEWEST_KINDS = 3
_FEWEST_BITS = 32
"""A page can list some 100,000 values for each call, and show which of them is masked."""
_DIGITS, _LETTERS, _MARKS = 10, 26, 33
_COMMON = frozenset(
    """
    000000 111111 112233 121212 123123 123321 12345678 123456789 1234567890 1q2w3e4r 1qaz2wsx
    555555 654321 666666 696969 999999 abc123 access account action address admin1 admin123
    administrator alert application article asdfgh asdfghjkl banner baseball button cancel
    changeme checkbox close columnheader combobox complementary content contentinfo continue
    cookies default delete description dialog document download dragon email example false
    football generic heading helloworld hidden https http://localhost iloveyou images index
    internet language letmein listbox listitem loading localhost location login logout master
    menubar menuitem message monkey navigation notification number object option optional
    P@ssw0rd p@ssword pass123 pass1234 passw0rd passcode password password1 password12 password123
    paragraph payment please presentation privacy private product profile progressbar public
    qazwsx qwerty qwerty123 qwertyuiop radiogroup region register required return root123 scrollbar
    search searchbox secret secret123 select separator server settings shadow signin signup slider
    spinbutton status string submit summary sunshine superman switch tablist tabpanel target testing
    test123 test1234 textbox tooltip treeitem trustno1 undefined unknown update upload username
    visible warning welcome welcome1 window
    """.lower().split()
)


def check_worth(value: str) -> None:
    """Refuse what would be found everywhere, or guessed by what is masked."""
    plain = folded(value)
    steps = {ord(second) - ord(first) for first, second in pairwise(plain)}
    trivial = len(set(plain)) < _FEWEST_KINDS or (len(steps) == 1 and steps <= {1, -1})
    if trivial or plain in _COMMON:
        raise InvalidArgument(
            "the value is too common to be masked: it would be taken out of texts where it is no "
            "secret",
            hint="Use a value that is not a common word, a row of keys or one letter repeated.",
        )


def is_guessable(value: str) -> bool:
    """Whether so few values are like it that a page could list them: a code or PIN, mostly."""
    plain = folded(value)
    kinds = (
        _DIGITS * any(each.isdecimal() for each in plain)
        + _LETTERS * any(each.isalpha() for each in plain)
        + _MARKS * any(not each.isalnum() for each in plain)
    )
    return len(plain) * math.log2(max(kinds, 2)) < _FEWEST_BITS
