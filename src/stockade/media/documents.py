"""Documents as text: what a file is, how its text is encoded, and as much of it as fits."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Literal

from stockade.errors import InvalidArgument

__all__ = ["Part", "Plain", "kind_of", "portion", "text_of"]

Kind = Literal["pdf", "html", "text"]

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_HEAD = 4096
_DECLARED = re.compile(
    rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})"""
    rb"""|^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([A-Za-z0-9_:.-]{2,40})""",
    re.IGNORECASE,
)
_HTML_START = re.compile(rb"^\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)
_MANY_ZEROS = 0.3
_LARGEST_HTML = 4 << 20


@dataclass(frozen=True)
class Plain:
    """A file's text."""

    text: str
    encoding: str
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Part:
    """The beginning of a text, as much as fits."""

    text: str
    rest: bool
    tokens: int


def kind_of(content: bytes, mime_type: str, name: str) -> Kind:
    """How to read a file, by what is in it; its name and type are only claims."""
    head = content[:_HEAD]
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if _unmarked_wide(head) is None and not head.startswith(tuple(bom for bom, _ in _BOMS)):
        if b"\0" in head:
            raise InvalidArgument(
                "the file holds neither text nor a PDF",
                hint="`artifact_get` gives its bytes as base64.",
                reason="binary",
            )
        if mime_type.startswith(("image/", "video/", "audio/")) and "svg" not in mime_type:
            raise InvalidArgument("the file is a picture, film or sound", reason="binary")
    if "html" in mime_type or name.lower().endswith((".html", ".htm", ".xhtml")):
        return "html"
    return "html" if _HTML_START.match(head) else "text"


def _unmarked_wide(head: bytes) -> str | None:
    """UTF-16 without a mark: most letters of most scripts have a zero as their other half."""
    pairs = len(head) // 2
    if pairs < 2:  # noqa: PLR2004
        return None
    even, odd = head[0 : pairs * 2 : 2].count(0), head[1 : pairs * 2 : 2].count(0)
    if odd > pairs * _MANY_ZEROS and not even:
        return "utf-16-le"
    if even > pairs * _MANY_ZEROS and not odd:
        return "utf-16-be"
    return None


def text_of(content: bytes, *, kind: Kind, charset: str = "", raw: bool = False) -> Plain:
    """The text of a file: by its mark, its declared encoding, as UTF-8, or as Windows wrote it."""
    warnings: list[str] = []
    text, encoding = _decoded(content, charset, warnings)
    if kind == "html" and len(text) > _LARGEST_HTML:
        warnings.append("the file is too large to be read without its tags")
    elif kind == "html" and not raw:
        reader = _Words()
        reader.feed(text)
        reader.close()
        text = reader.text
    return Plain(text, encoding, warnings)


def _decoded(content: bytes, charset: str, warnings: list[str]) -> tuple[str, str]:
    for bom, name in _BOMS:
        if content.startswith(bom):
            return content.decode(name, "replace"), name.removesuffix("-sig")
    wide = _unmarked_wide(content[:_HEAD])
    if wide is not None:
        return content.decode(wide, "replace"), wide
    found = _DECLARED.search(content[:_HEAD])
    declared = charset or ((found[1] or found[2]).decode("ascii") if found else "")
    for name in (declared, "utf-8"):
        if not name:
            continue
        try:
            # Latin-1 means Windows' own on the web, as browsers read it.
            known = codecs.lookup(name).name
            known = "cp1252" if known in {"iso8859-1", "ascii"} else known
            return content.decode(known), known
        except (LookupError, UnicodeDecodeError, ValueError):
            if name is declared:
                warnings.append(f"the file is not in the encoding it declares ({name[:40]})")
    return content.decode("cp1252", "replace"), "cp1252"


class _Words(HTMLParser):
    """What an HTML file says, a line for each block; built without recursion."""

    _MUTE = frozenset({"script", "style", "template", "noscript", "head"})
    _BLOCKS = frozenset(
        [
            "address",
            "article",
            "aside",
            "blockquote",
            "br",
            "dd",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "li",
            "main",
            "nav",
            "ol",
            "p",
            "pre",
            "section",
            "table",
            "td",
            "th",
            "tr",
            "ul",
        ]
    )

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._mute = 0
        self._title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag opens."""
        del attrs
        self._title = tag == "title"
        if tag in self._MUTE:
            self._mute += 1
        elif tag in {"td", "th"}:
            self._parts.append("\t")
        elif tag in self._BLOCKS:
            self._parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """A tag closes."""
        self._title = False
        if tag in self._MUTE:
            self._mute = max(self._mute - 1, 0)
        elif tag in self._BLOCKS - {"td", "th"}:
            self._parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Text."""
        if self._title:
            self._parts.append(f"{data.strip()}\n")
        elif not self._mute:
            self._parts.append(data)

    @property
    def text(self) -> str:
        """All of it, without empty runs."""
        lines = ("".join(self._parts)).split("\n")
        kept = (re.sub(r"[ \r\f\v]+", " ", line).strip() for line in lines)
        return "\n".join(line for line in kept if line)


def _cost(text: str) -> int:
    """Tokens of a text as it stands in a result, with what has to be escaped."""
    shown = json.dumps(text, ensure_ascii=False)
    wide = 0 if shown.isascii() else sum(character > "\u10ff" for character in shown)
    return -(-(len(shown) + 3 * wide) // 4)


def portion(text: str, tokens: int) -> Part:
    """The beginning of `text` that fits into `tokens`, cut between words where it must be cut."""
    whole = text if len(text) <= tokens * 4 else None
    if whole is not None and (cost := _cost(whole)) <= tokens:
        return Part(whole, rest=False, tokens=cost)
    low, high = 0, min(len(text), tokens * 4)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _cost(text[:middle]) <= tokens else (low, middle - 1)
    break_at = max(text.rfind(mark, max(low - 200, 0), low) for mark in ("\n", " "))
    end = break_at + 1 if break_at > 0 else max(low, 1)
    return Part(text[:end], rest=end < len(text), tokens=_cost(text[:end]))
