"""Characters that do not show, told by Unicode's own properties and nothing of ours."""

from __future__ import annotations

import unicodedata

__all__ = ["HOSTILE", "unseen_in"]

HOSTILE = (
    "\u200b\u2060\ufeff\u00ad\u034f"  # zero width
    "\u202e\u2066\u2069\u202c\u200e\u200f\u061c"  # directions
    "\U000e0049\U000e0047\U000e004e\U000e007f"  # tags
    "\ufe00\ufe0f\U000e0100\U000e01ef"  # selectors
    "\ufff9\ufffa\ufffb\u115f\u3164\uffa0\u180e"  # annotations, fillers
    "\u200d\u200c\u2063\u206a\U0001d173\U0001bca0"  # joiners, operators, controls of music
)
_IGNORABLE = (
    (0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Default_Ignorable_Code_Point where the category does not say so."""
_SEEN = frozenset((*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD))
"""Prepended signs: format characters that do show."""
_BREAKS = frozenset("\t\n\r")


def unseen_in(text: str) -> set[str]:
    """Which characters of a text do not show. Joiners and selectors count wherever they are."""
    return {
        each
        for each in set(text) - _BREAKS
        if (unicodedata.category(each) in {"Cf", "Cc", "Cs", "Zl", "Zp"} and ord(each) not in _SEEN)
        or any(first <= ord(each) <= last for first, last in _IGNORABLE)
    }
