"""Views: a text read the way a program would that takes its escapes or its markup away."""

from __future__ import annotations

import binascii
import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Protocol

from stockade.masking.folding import SEPARATOR

__all__ = [
    "Read",
    "bare_of_markup",
    "joined_items",
    "octal_escapes",
    "quoted_printable",
    "short_lines",
    "style_escapes",
    "unescaped",
    "utf7",
]


class Read(Protocol):
    """A text that was made of another."""

    @property
    def text(self) -> str:
        """What it says."""

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Where in the other a part of this one comes from."""


class View:
    """A text with something else in the place of whatever a pattern finds in it."""

    def __init__(self, source: str, pattern: re.Pattern[str], read: Callable[[str], str]) -> None:
        self._source = source
        self._pattern = pattern
        self._read = read
        self.text = pattern.sub(lambda found: read(found[0]), source)

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Where in the source a part of this text comes from."""
        return self._place(start)[0], self._place(stop - 1)[1]

    @cached_property
    def _parts(self) -> list[tuple[int, int, str]]:
        """What was replaced. Few texts have anything in them whose place is asked for."""
        return [
            (*found.span(), self._read(found[0])) for found in self._pattern.finditer(self._source)
        ]

    @cached_property
    def _at(self) -> list[int]:
        starts = []
        shift = 0
        for first, last, shown in self._parts:
            starts.append(first + shift)
            shift += len(shown) - (last - first)
        return starts

    def _place(self, index: int) -> tuple[int, int]:
        found = bisect_right(self._at, index) - 1
        if found < 0:
            return index, index + 1
        start, stop, shown = self._parts[found]
        within = index - self._at[found]
        if within >= len(shown):
            beyond = stop + within - len(shown)
            return beyond, beyond + 1
        # Of a run of bytes, each character has a place of its own.
        width, odd = divmod(stop - start, len(shown.encode("utf-8", "surrogatepass")))
        if odd:
            return start, stop
        first = start + width * len(shown[:within].encode("utf-8", "surrogatepass"))
        return first, first + width * len(shown[within].encode("utf-8", "surrogatepass"))


class Excerpt:
    """Those parts of a text that are near to something."""

    def __init__(self, source: str, windows: list[tuple[int, int]]) -> None:
        self.text = SEPARATOR.join(source[start:stop] for start, stop in windows)
        self._windows = windows
        lengths = (stop - start + 1 for start, stop in windows)
        self._at = list(accumulate(lengths, initial=0))[:-1]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Where in the source a part of this text stands."""
        found = bisect_right(self._at, start) - 1
        shift = self._windows[found][0] - self._at[found]
        return start + shift, stop + shift


def _near(source: str, places: Iterable[re.Match[str]], reach: int) -> Excerpt | None:
    """What is within reach of some places, if there are any."""
    return _near_spans(source, (each.span() for each in places), reach)


def _near_spans(source: str, places: Iterable[tuple[int, int]], reach: int) -> Excerpt | None:
    windows: list[tuple[int, int]] = []
    for first, last in places:
        start, stop = max(first - reach, 0), min(last + reach, len(source))
        if windows and start <= windows[-1][1]:
            windows[-1] = windows[-1][0], stop
        else:
            windows.append((start, stop))
    return Excerpt(source, windows) if windows else None


class _Chain:
    """Several views, each of the one before."""

    def __init__(self, views: list[Read]) -> None:
        self._views = views
        self.text = views[-1].text

    def span(self, start: int, stop: int) -> tuple[int, int]:
        for view in reversed(self._views):
            start, stop = view.span(start, stop)
        return start, stop


# --- escapes --------------------------------------------------------------------------------------

_HEX = "[0-9A-Fa-f]"
_LAST = 0x10FFFF
_PERCENT = re.compile(rf"%(?:u{_HEX}{{4}}|{_HEX}{{2}}(?:%{_HEX}{{2}})*)")
_ENTITY = re.compile(rf"&(?:#\d{{1,7}}|#[xX]{_HEX}{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,31}});?")
_BACKSLASH = re.compile(
    rf"\\(?:x{_HEX}{{2}}(?:\\x{_HEX}{{2}})*"
    rf"|u[Dd][89ABab]{_HEX}{{2}}\\u[Dd][C-Fc-f]{_HEX}{{2}}|u{_HEX}{{4}}|u\{{0*{_HEX}{{1,6}}\}}"
    rf"|U{_HEX}{{8}}|[0-3][0-7]{{2}}(?:\\[0-3][0-7]{{2}})*|[\s\S])"
)
_TAG = re.compile(r"[\U000e0020-\U000e007e]")
_TAG_HALF = "\U000e0020".encode("utf-16-le")[:2]
"""What each of them begins with in UTF-16."""
_CONTROLS = dict.fromkeys("bfnrtv0", " ")
_LONG = 2


def unescaped(source: str, reach: int) -> Read | None:
    """What is near to escapes without one level of them: percent signs, entities, backslashes.

    Nothing if there are none.
    """
    places = [
        found
        for mark, pattern, _ in _LEVELS
        if mark in source
        for found in pattern.finditer(source)
    ]
    if not source.isascii() and _may_have_tags(source):
        places += _TAG.finditer(source)
    near = _near(source, sorted(places, key=re.Match.start), reach)
    return _without_escapes(near) if near is not None else None


def _may_have_tags(source: str) -> bool:
    # Few texts have anything that takes two units.
    units = source.encode("utf-16-le", "surrogatepass")
    return len(units) > 2 * len(source) and _TAG_HALF in units


def _without_escapes(near: Excerpt) -> Read | None:
    text = near.text
    views: list[Read] = [near]
    for mark, pattern, read in _LEVELS:
        if mark in text:
            views.append(View(text, pattern, read))
            text = views[-1].text
    if not text.isascii():
        views.append(View(text, _TAG, lambda tag: chr(ord(tag) - 0xE0000)))
        text = views[-1].text
    return _Chain(views) if text != near.text else None


def _percent(said: str) -> str:
    return _point(said[2:]) if said[1] == "u" else _characters(said.replace("%", ""))


def _backslash(said: str) -> str:
    if len(said) == _LONG:
        return _CONTROLS.get(said[1], said[1])
    kind = said[1]
    if kind == "x":
        return _characters(said.replace("\\x", ""))
    if kind not in "uU":
        return _text(bytes(int(each, 8) for each in said[1:].split("\\")))
    first, _, second = said[2:].partition("\\u")
    if second:
        return chr(0x10000 + ((int(first, 16) - 0xD800) << 10) + int(second, 16) - 0xDC00)
    return _point(first.strip("{}"))


def _point(digits: str) -> str:
    code = int(digits, 16)
    return chr(code) if code <= _LAST else ""


def _characters(digits: str) -> str:
    return _text(bytes.fromhex(digits))


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


_LEVELS: tuple[tuple[str, re.Pattern[str], Callable[[str], str]], ...] = (
    ("%", _PERCENT, _percent),
    ("&", _ENTITY, lru_cache(4096)(html.unescape)),
    ("\\", _BACKSLASH, _backslash),
)


_STYLE = re.compile(rf"\\(?:{_HEX}{{1,6}}(?:\r\n|\s)?|[\s\S])")
_STYLE_MARK = re.compile(rf"\\{_HEX}")


def style_escapes(source: str, reach: int) -> Read | None:
    """Without the escapes of style sheets."""
    near = _near(source, _STYLE_MARK.finditer(source), reach) if "\\" in source else None
    return _Chain([near, View(near.text, _STYLE, _style)]) if near is not None else None


def _style(said: str) -> str:
    digits = said[1:].strip()
    return _point(digits) if _STYLE_MARK.match(said) else said[1:]


_OCTAL = re.compile(r"\\[0-7]{1,3}")


def octal_escapes(source: str, reach: int) -> Read | None:
    """Without escapes of fewer than three octal digits, as scripts write them."""
    near = _near(source, _OCTAL.finditer(source), reach) if "\\" in source else None
    return _Chain([near, View(near.text, _OCTAL, _octal)]) if near is not None else None


def _octal(said: str) -> str:
    return chr(int(said[1:], 8))


_UTF7 = re.compile(r"\+[A-Za-z0-9+/]{3,}-?")


def utf7(source: str, reach: int) -> Read | None:
    """Without the escapes of UTF-7."""
    near = _near(source, _UTF7.finditer(source), reach) if "+" in source else None
    return _Chain([near, View(near.text, _UTF7, _of_utf7)]) if near is not None else None


def _of_utf7(said: str) -> str:
    letters = said[1:].removesuffix("-")
    usable = letters[: len(letters) - (len(letters) % 4 == 1)]
    units = binascii.a2b_base64(usable + "=" * (-len(usable) % 4))
    return units[: len(units) // 2 * 2].decode("utf-16-be", "replace")


_QUOTED = re.compile(rf"=(?:\r?\n|{_HEX}{{2}}(?:={_HEX}{{2}})*)")
_QUOTED_MARK = re.compile(rf"=(?:\r?\n|{_HEX}{{2}})")


def quoted_printable(source: str, reach: int) -> Read | None:
    """Without the escapes of mail, and its line breaks."""
    near = _near(source, _QUOTED_MARK.finditer(source), reach) if "=" in source else None
    return _Chain([near, View(near.text, _QUOTED, _quoted)]) if near is not None else None


def _quoted(said: str) -> str:
    return "" if said.endswith("\n") else _characters(said.replace("=", ""))


_ELEMENT = r"<[A-Za-z/!?][^<>\x02]*>"
_ELEMENTS = re.compile(rf"<!--|{_ELEMENT}")
_MARKUP = re.compile(rf"<!--|-->|\x02|{_ELEMENT}")
_DECLARATION = re.compile(r"<!--[^<>\x02]*>")


class _Without:
    """A text without some of its parts."""

    def __init__(self, source: str, removed: Sequence[tuple[int, int]]) -> None:
        starts = [0, *(stop for _, stop in removed)]
        stops = [*(start for start, _ in removed), len(source)]
        kept = [(start, stop) for start, stop in zip(starts, stops, strict=True) if start < stop]
        self.text = "".join(source[start:stop] for start, stop in kept)
        self._starts = [start for start, _ in kept]
        self._at = list(accumulate((stop - start for start, stop in kept), initial=0))[:-1]

    def span(self, start: int, stop: int) -> tuple[int, int]:
        return self._place(start), self._place(stop - 1) + 1

    def _place(self, index: int) -> int:
        found = bisect_right(self._at, index) - 1
        return self._starts[found] + index - self._at[found]


def bare_of_markup(source: str, reach: int) -> Read | None:
    """What a page would show of its source."""
    near = _near_spans(source, _tags(source), reach) if "<" in source else None
    return _Chain([near, _Without(near.text, _tags(near.text))]) if near is not None else None


def _tags(source: str) -> list[tuple[int, int]]:
    """Where tags and comments are."""
    found: list[tuple[int, int]] = []
    # What begins with one letter is looked for much faster than any of several.
    for token in _ELEMENTS.finditer(source):
        if token[0] == "<!--":
            return _tags_and_comments(source)
        found.append(token.span())
    return found


def _tags_and_comments(source: str) -> list[tuple[int, int]]:
    """The same where there are comments. One that does not end is none: one pass tells."""
    found: list[tuple[int, int]] = []
    comment: tuple[int, int] | None = None
    """Where a comment begins, and how many tags were found until then."""
    for token in _MARKUP.finditer(source):
        said = token[0]
        if said == SEPARATOR:
            comment = None
        elif said == "-->":
            if comment is not None:
                start, before = comment
                found[before:] = [(start, token.end())]
            comment = None
        elif said == "<!--":
            comment = comment or (token.start(), len(found))
            if declaration := _DECLARATION.match(source, token.start()):
                found.append(declaration.span())
        else:
            found.append(token.span())
    return found


_ATTRIBUTES = r" \[[^\[\]\n]{0,200}\]"
_NODE = r'\n\{"id":\d{1,9}(?:,"parent":\d{1,9})?(?:,"frame":"[^"\n]{0,20}")?,"type":'
_BETWEEN_ITEMS = re.compile(
    # The head of an item in an outline or a list, or of a frame with items in it.
    rf"\n[ \t]*[-*] (?:[a-z]+(?:{_ATTRIBUTES})*(?:: ?\"?| \"|(?=\n)))?"
    # The number of one: what follows is all its own, but for a sign that is escaped.
    r"|\n[ \t]*-?\d{1,4}[.)] (?:\\(?=[^\w\s]))?"
    # The end of one.
    rf"|\"?:?(?=\n)|\"(?={_ATTRIBUTES})|{_ATTRIBUTES}"
    # A document node by node, one in a line.
    rf'|{_NODE}"(?:text|comment)","text":"|"\}}(?=\n)|{_NODE}"(?:el|sh|do)[^\n]*'
    # Parts of a list in a text of JSON, cells of a table.
    r"|\", ?\"| \| "
)
_ITEMS = (
    re.compile(r'\n(?=[ \t*\-\d{])(?:[ \t]*+(?:[-*]|-?\d{1,4}[.)]) |\{"id":)'),
    re.compile('", ?"'),
    re.compile(r"\|(?<= \|) "),
)
"""Each begins with a letter of its own, which is looked for much faster than any of several."""


def joined_items(source: str, reach: int) -> Read | None:
    """What adjoining items of a list, lines of an outline or cells of a table say, as one text."""
    places = [found.span() for pattern in _ITEMS for found in pattern.finditer(source)]
    near = _near_spans(source, sorted(places), reach)
    return _Chain([near, View(near.text, _BETWEEN_ITEMS, _nothing)]) if near is not None else None


def _nothing(_: str) -> str:
    return ""


_DASHED = r' (?:[a-z]+(?:: | "))?(\S{1,2}?)"?(?: \[[^\[\]\n]*\])*(?=\n|\Z)'
# What stands between others is looked over anyhow where it is no number.
_NUMBERED = r" \\?(\S{1,4}?)(?=\n|\Z)"
_SHORT_LINE = re.compile(rf"\n[ \t]*(?:-{_DASHED}|-?\d{{1,4}}[.)]{_NUMBERED})")
_SHORT_ITEMS = (
    re.compile(rf"-(?<=[\n \t]-){_DASHED}"),
    re.compile(rf"\.(?<=\d\.){_NUMBERED}"),
    re.compile(rf"\)(?<=\d\)){_NUMBERED}"),
)
"""What each of them has. Few texts that have lines have that, and each begins with one letter."""


def short_lines(source: str, reach: int) -> Read | None:
    """What short lines of an outline or a numbered list say, without the rest of them."""
    del reach
    items = (found.start() for pattern in _SHORT_ITEMS for found in pattern.finditer(source))
    heads = sorted({source.rfind("\n", 0, at) for at in items} - {-1})
    lines = (found for at in heads if (found := _SHORT_LINE.match(source, at)) is not None)
    near = _near(source, lines, 0)
    return _Chain([near, View(near.text, _SHORT_LINE, _said)]) if near is not None else None


def _said(line: str) -> str:
    found = _SHORT_LINE.match(line)
    return found[1] or found[2] if found is not None else line
