"""Views: a text read the way a program would that takes its escapes or its markup away."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable
from typing import Protocol

__all__ = ["Read", "bare_of_markup", "quoted_printable", "style_escapes", "unescaped"]


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
        self._parts: list[tuple[int, int, str]] = []
        self._at: list[int] = []

        def replaced(found: re.Match[str]) -> str:
            shown = read(found[0])
            self._parts.append((*found.span(), shown))
            return shown

        self.text = pattern.sub(replaced, source)

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Where in the source a part of this text comes from."""
        if not self._at:
            shift = 0
            for first, last, shown in self._parts:
                self._at.append(first + shift)
                shift += len(shown) - (last - first)
        return self._place(start)[0], self._place(stop - 1)[1]

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


class _Chain:
    """Several views, each of the one before."""

    def __init__(self, views: list[View]) -> None:
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
_CONTROLS = dict.fromkeys("bfnrtv0", " ")
_LONG = 2


def unescaped(source: str, *, plus: bool = False) -> Read | None:
    """Without one level of percent signs, entities and backslashes; none if there are none.

    With `plus`, as forms write it.
    """
    text = source.replace("+", " ") if plus else source
    views = []
    for mark, pattern, read in (
        ("%", _PERCENT, _percent),
        ("&", _ENTITY, html.unescape),
        ("\\", _BACKSLASH, _backslash),
    ):
        if mark in text and pattern.search(text):
            views.append(View(text, pattern, read))
            text = views[-1].text
    if not text.isascii() and _TAG.search(text):
        views.append(View(text, _TAG, lambda tag: chr(ord(tag) - 0xE0000)))
        text = views[-1].text
    return _Chain(views) if text != source and views else None


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


_STYLE = re.compile(rf"\\(?:{_HEX}{{1,6}}(?:\r\n|\s)?|[\s\S])")
_STYLE_MARK = re.compile(rf"\\{_HEX}")


def style_escapes(source: str) -> Read | None:
    """Without the escapes of style sheets."""
    if "\\" not in source or not _STYLE_MARK.search(source):
        return None
    return View(source, _STYLE, _style)


def _style(said: str) -> str:
    digits = said[1:].strip()
    return _point(digits) if _STYLE_MARK.match(said) else said[1:]


_QUOTED = re.compile(rf"=(?:\r?\n|{_HEX}{{2}}(?:={_HEX}{{2}})*)")
_QUOTED_MARK = re.compile(rf"=(?:\r?\n|3D|{_HEX}{{2}}={_HEX}{{2}})")


def quoted_printable(source: str) -> Read | None:
    """Without the escapes of mail, and its line breaks."""
    if "=" not in source or not _QUOTED_MARK.search(source):
        return None
    return View(source, _QUOTED, _quoted)


def _quoted(said: str) -> str:
    return "" if said.endswith("\n") else _characters(said.replace("=", ""))


_MARKUP = re.compile(r"<(?:!--[^\x02]*?--|[A-Za-z/!?][^<>\x02]*)>")


def bare_of_markup(source: str) -> Read | None:
    """What a page would show of its source."""
    if "</" not in source and "/>" not in source:
        return None
    return View(source, _MARKUP, lambda _: "")
