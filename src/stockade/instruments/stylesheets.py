"""Where the rules of a style sheet are."""

from __future__ import annotations

import re

from stockade.instruments.spans import Span

__all__ = ["style_rules", "units"]

_TOKEN = re.compile(
    r"""/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|\\.|url\(\s*[^"'\s)][^)]*\)|[{};]""",
    re.DOTALL | re.IGNORECASE,
)
_BLANK = re.compile(r"(?:\s|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_GROUPS = frozenset(
    {"media", "supports", "layer", "container", "scope", "starting-style", "document"}
)
_AT_NAME = re.compile(r"@(?:-[a-z]+-)?([a-z-]+)", re.IGNORECASE)
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


def units(text: str) -> str:
    """A text in which a character is one UTF-16 unit, as browsers count."""
    return _ASTRAL.sub("\ufffd\ufffd", text)


def style_rules(text: str) -> list[Span]:
    """Rules with a selector, those within `@media` and within other rules too."""
    found: list[Span] = []
    blocks: list[tuple[str, int]] = []
    """What each open block is: a group, a style rule, or something whose inside is no rule."""
    begin = 0
    for token in _TOKEN.finditer(text):
        mark = token.group()
        if mark == "{":
            start = _begins(text, begin)
            blocks.append((_kind(text[start : token.start()], blocks), start))
            begin = token.end()
        elif mark == "}":
            if blocks:
                kind, start = blocks.pop()
                if kind == "style":
                    found.append((start, token.end()))
            begin = token.end()
        elif mark == ";":
            begin = token.end()
    return sorted(found)


def _begins(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank is not None else at


def _kind(prelude: str, around: list[tuple[str, int]]) -> str:
    if around and around[-1][0] == "other":
        return "other"
    name = _AT_NAME.match(prelude)
    if name is None:
        return "style"
    return "group" if name[1].lower() in _GROUPS else "other"
