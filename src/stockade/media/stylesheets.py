"""Stylesheets: the addresses in them, found and replaced."""

from __future__ import annotations

import re
from collections.abc import Callable

import ada_url

__all__ = ["addresses", "joined", "replaced"]

# Whoever wrote the sheet may mean harm: what is not closed reaches to the end, and nothing is
# tried twice, so that the time it takes grows with the text alone.
_ADDRESS = re.compile(
    r"""/\*.*?(?:\*/|\Z)"""
    r"""|url\(\s*+(?:"((?:[^"\\]|\\.)*+)(?:"|\Z)|'((?:[^'\\]|\\.)*+)(?:'|\Z)"""
    r"""|((?>[^()"'\s\\]|\\[0-9a-f]{1,6}\s?|\\.)*+))\s*+(?:\)|\Z)"""
    r"""|@import\s*+(?:"((?:[^"\\]|\\.)*+)(?:"|\Z)|'((?:[^'\\]|\\.)*+)(?:'|\Z))"""
    r"""|"(?:[^"\\\n]|\\.)*+(?:"|\n|\Z)|'(?:[^'\\\n]|\\.)*+(?:'|\n|\Z)""",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_LOCAL = ("data:", "about:", "#")


def _plain(escaped: str) -> str:
    def letter(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[2] if found[2] != "\n" else ""
        number = int(found[1], 16)
        return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"  # noqa: PLR2004

    return _ESCAPE.sub(letter, escaped)


def joined(base: str, address: str) -> str:
    """An address as the page that holds it means it; empty where it means nothing."""
    try:
        return ada_url.join_url(base, address)
    except ValueError:
        return ""


def _meant(found: re.Match[str]) -> str | None:
    given = next((each for each in found.groups() if each is not None), None)
    if given is None or not given.strip():
        return None
    plain = _plain(given.strip())
    return None if plain.lower().startswith(_LOCAL) else plain


def addresses(text: str, base: str) -> list[str]:
    """What a stylesheet loads, without fragments, each once."""
    found: dict[str, None] = {}
    for match in _ADDRESS.finditer(text):
        meant = _meant(match)
        if meant is not None and (address := joined(base, meant)):
            found[address.partition("#")[0]] = None
    return list(found)


def replaced(text: str, base: str, instead: Callable[[str], str]) -> str:
    """The stylesheet with every address it loads replaced."""

    def other(match: re.Match[str]) -> str:
        meant = _meant(match)
        if meant is None:
            return match[0]
        address, _, fragment = joined(base, meant).partition("#")
        new = instead(address) if address else ""
        if new and fragment:
            new = f"{new}#{fragment}"
        quoted = new.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "")
        return f'@import url("{quoted}")' if match[0][0] == "@" else f'url("{quoted}")'

    return _ADDRESS.sub(other, text)
