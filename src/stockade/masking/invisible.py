"""Invisible characters: what no reader sees on a page is in no text that leaves.

Tag characters, zero-width and bidirectional marks, variation selectors and controls carry words
past a person who looks at the page. Joiners and selectors stay where writing needs them: within
emoji, and between letters of scripts that take their shape from them. `page/agent/text.js` has
the same rule for what is compared and counted in the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from stockade.masking.background import check_stopped

__all__ = ["is_suspect", "visible"]

_GONE: Final = (
    # Controls, soft hyphen, fillers, zero-width and bidirectional marks.
    "\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0"
    # Annotations, what is no character, controls of hieroglyphs, shorthand and music.
    "\ufdd0-\ufdef\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    # Tags and further variation selectors.
    "\U000e0000-\U000e0fff"
)
_BREAKS: Final = "\x0b\x0c\u2028\u2029"
_HALVES: Final = "\ud800-\udfff"
_JOINERS: Final = "\u200c\u200d\ufe0e\ufe0f"

_SHAPED: Final = (
    "\u0600-\u085f\u0860-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff\u1800-\u18af\u1a20-\u1aaf"
    "\u1b00-\u1b7f\ua840-\ua87f\ua8e0-\ua8ff\ua980-\ua9df\ua9e0-\ua9ff\uaa60-\uaa7f\ufb50-\ufdcf"
    "\ufdf0-\ufdff\ufe70-\ufefe\U00011000-\U0001177f"
)
"""Scripts whose letters join, as Arabic, Mongolian and those of India do."""
_VIRAMAS: Final = (
    "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u103a\u17d2\u1b44\ua9c0"
)
"""Joiners shape them at the end of a word, too."""
_EMOJI: Final = (
    "\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf"
    "\u2934\u2935\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)

_PRINTABLE: Final = bytes((*b"\t\n\r", *range(0x20, 0x7F)))
_SUSPECT: Final = re.compile(f"[{_GONE}{_BREAKS}{_HALVES}{_JOINERS}]")
_FLAG: Final = "\U0001f3f4"
_PLACES: Final = "|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in place) for place in ("gbeng", "gbsct", "gbwls")
)
"""What flags of England, Scotland and Wales are spelled with."""
_CLEARED: Final = re.compile(f"[{_GONE}]+")
_CLEARED_BESIDE_FLAGS: Final = re.compile(f"((?<={_FLAG})(?:{_PLACES})\U000e007f)|[{_GONE}]+")
_BREAK: Final = re.compile(f"[{_BREAKS}]")
_HALF: Final = re.compile(f"[{_HALVES}]")
_STRAY: Final = re.compile(
    f"(?=[{_JOINERS}])(?:((?<=[{_EMOJI}])(?:\ufe0f?\u200d(?=[{_JOINERS}]*[{_EMOJI}])|[\ufe0e\ufe0f])"
    f"|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    f"|(?<=[{_SHAPED}])[\u200c\u200d](?=[{_JOINERS}]*[{_SHAPED}])"
    f"|(?<=[{_VIRAMAS}])[\u200c\u200d])"
    f"|[{_JOINERS}]+)"
)
"""Joiners and selectors; of those in a row the group has what means something where they stand."""
_OTHER: Final = re.compile(f"[^{_JOINERS}]")
_PIECE: Final = 8192
"""Characters after which others may go on."""


def visible(text: str) -> str:
    """A text without what does not show; half a character becomes the sign for what is broken."""
    if not is_suspect(text.encode("utf-8", "surrogatepass")):
        return text
    pieces = (text[at : at + _PIECE] for at in range(0, len(text), _PIECE))
    return "".join(_without_strays("".join(map(_cleared, pieces))))


def is_suspect(codes: bytes) -> bool:
    """Whether a text in UTF-8 has anything that does not show; some of that means something."""
    # Bytes are gone through faster than characters.
    rest = codes.translate(None, _PRINTABLE)
    return bool(rest) and _SUSPECT.search(rest.decode("utf-8", "surrogatepass")) is not None


def _cleared(piece: str) -> str:
    check_stopped()
    cleared, kept = (_CLEARED_BESIDE_FLAGS, r"\1") if _FLAG in piece else (_CLEARED, "")
    piece = cleared.sub(kept, piece)
    return _HALF.sub("\ufffd", _BREAK.sub(" ", piece))


def _without_strays(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        check_stopped()
        found = _OTHER.search(text, start + _PIECE)
        if found is None:
            yield _STRAY.sub(r"\1", text[start:])
            return
        # What a joiner stands between is seen from both sides.
        yield _STRAY.sub(r"\1", text[start : found.end()])[:-1]
        start = found.start()
