"""Spellings: the ways in which programs write a text, as pages and protocols use them."""

from __future__ import annotations

import base64
import codecs
import html
import json
import quopri
import textwrap
import unicodedata
from collections.abc import Callable
from urllib.parse import quote, quote_plus

__all__ = ["SECRETS", "SPELLINGS"]

SECRETS = {
    "punctuated": 'Zq7!pa"ss<w&rd>\\x9K',
    "spaced": "two words + a plus",
    "letters": "пароль✓",
    "token": "sk_live_4eC39HqLyjWDarjtT1zdp7dcA9b8C7d6E5f4G3h2I1j0K9l8M7n6O5p4",
    "code": "492039",
    "key": (
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us\n"
        "8cKjMzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSu\n-----END PRIVATE KEY-----\n"
    ),
}


def _units(text: str) -> list[int]:
    wide = text.encode("utf-16-be")
    return [int.from_bytes(wide[at : at + 2], "big") for at in range(0, len(wide), 2)]


def _base64_at(shift: int) -> Callable[[str], str]:
    return lambda text: base64.b64encode(b"u" * shift + text.encode() + b"tail").decode()


def _escaped(text: str, how: str, which: Callable[[int, str], bool]) -> str:
    """Some of the characters escaped, byte by byte."""
    return "".join(
        "".join(how.format(byte) for byte in each.encode()) if which(at, each) else each
        for at, each in enumerate(text)
    )


_EACH: tuple[Callable[[str], str], ...] = (
    str,
    lambda each: quote(each, safe=""),
    lambda each: f"&#{ord(each)};",
    lambda each: "".join(f"\\u{unit:04x}" for unit in _units(each)),
    lambda each: f"&#x{ord(each):x};",
)


SPELLINGS: dict[str, Callable[[str], str]] = {
    "raw": str,
    "upper": str.upper,
    "lower": str.lower,
    # Addresses and forms.
    "percent": lambda s: quote(s, safe=""),
    "percent like encodeURIComponent": lambda s: quote(s, safe="!'()*~-._"),
    "percent like encodeURI": lambda s: quote(s, safe=";/?:@&=+$,#!'()*~-._"),
    "percent lower": lambda s: "".join(f"%{each:02x}" for each in s.encode()),
    "form": quote_plus,
    "percent twice": lambda s: quote(quote(s, safe=""), safe=""),
    "form twice": lambda s: quote_plus(quote_plus(s)),
    "percent thrice": lambda s: quote(quote(quote(s, safe=""), safe=""), safe=""),
    "every second byte": lambda s: "".join(
        quote(c, safe="") if at % 2 or not c.isalnum() else c for at, c in enumerate(s)
    ),
    "escape()": lambda s: "".join(f"%u{each:04X}" for each in _units(s)),
    "in a URL in a URL": lambda s: (
        f"https://a.test/?to={quote('https://b.test/?p=' + quote_plus(s), safe='')}&x=1"
    ),
    # Base64.
    **{f"base64 at {shift}": _base64_at(shift) for shift in range(3)},
    "base64 for URLs": lambda s: base64.urlsafe_b64encode(b"~~" + s.encode()).decode().rstrip("="),
    "base64 in lines": lambda s: base64.encodebytes(b"x" * 50 + s.encode() + b"y" * 50).decode(),
    "base64 of UTF-16": lambda s: base64.b64encode(s.encode("utf-16-le")).decode(),
    "base64 of JSON": lambda s: base64.b64encode(
        json.dumps({"user": "me", "p": s}).encode()
    ).decode(),
    "base64 of a form": lambda s: base64.b64encode(f"user=me&p={quote_plus(s)}".encode()).decode(),
    "base64 twice": lambda s: base64.b64encode(base64.b64encode(b"user:" + s.encode())).decode(),
    "base64 in an address": lambda s: quote(base64.b64encode(f"ü:{s}".encode()).decode(), safe=""),
    "a token like JWT": lambda s: (
        "eyJhbGciOiJub25lIn0."
        + base64.urlsafe_b64encode(json.dumps({"sub": s}).encode()).decode().rstrip("=")
        + ".c2ln"
    ),
    # Numbers.
    "hex": lambda s: s.encode().hex(),
    "HEX": lambda s: s.encode().hex().upper(),
    "hex of UTF-16": lambda s: s.encode("utf-16-le").hex(),
    "hex spaced": lambda s: s.encode().hex(" "),
    "hex with colons": lambda s: s.encode().hex(":").upper(),
    "hex in lines": lambda s: "\n".join(s.encode().hex(" ", 2).split(" ")),
    "hex of JSON": lambda s: json.dumps({"p": s}).encode().hex(),
    "0x5a,0x71": lambda s: ",".join(f"0x{each:02x}" for each in s.encode()),
    "0x5A, 0x71": lambda s: "[" + ", ".join(f"0x{each:02X}" for each in s.encode()) + "]",
    "90,113": lambda s: ",".join(str(ord(each)) for each in s),
    "bytes": lambda s: json.dumps(list(s.encode())),
    # Backslashes.
    "\\x5a": lambda s: "".join(f"\\x{each:02x}" for each in s.encode()),
    "\\u005a": lambda s: "".join(f"\\u{each:04x}" for each in _units(s)),
    "\\u005A": lambda s: "".join(f"\\u{each:04X}" for each in _units(s)),
    "\\u{5a}": lambda s: "".join(f"\\u{{{ord(each):x}}}" for each in s),
    "\\132": lambda s: "".join(f"\\{each:03o}" for each in s.encode()),
    "JSON": json.dumps,
    "JSON for people": lambda s: json.dumps(s, ensure_ascii=False),
    "JSON for HTML": lambda s: (
        json.dumps(s).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    ),
    "JSON in JSON": lambda s: json.dumps(json.dumps({"p": s})),
    "JSON in JSON in JSON": lambda s: json.dumps(json.dumps(json.dumps({"p": s}))),
    "a Python text": repr,
    "Python bytes": lambda s: repr(s.encode()),
    "CSS": lambda s: "".join(f"\\{ord(each):x} " for each in s),
    "CSS with six digits": lambda s: "".join(f"\\{ord(each):06x}" for each in s),
    # Markup.
    "entities": html.escape,
    "decimal entities": lambda s: "".join(f"&#{ord(each)};" for each in s),
    "hex entities": lambda s: "".join(f"&#x{ord(each):X};" for each in s),
    "padded entities": lambda s: "".join(f"&#{ord(each):06};" for each in s),
    "entities twice": lambda s: html.escape(html.escape(s)),
    "an attribute in JSON": lambda s: json.dumps(f'<input value="{html.escape(s)}">'),
    "spans": lambda s: "".join(f"<span>{html.escape(each)}</span>" for each in s),
    "spans in JSON": lambda s: json.dumps("".join(f"<b>{html.escape(each)}</b>" for each in s)),
    # Unicode.
    "NFD": lambda s: unicodedata.normalize("NFD", s),
    "NFKC": lambda s: unicodedata.normalize("NFKC", s),
    "fullwidth": lambda s: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in s),
    "spread out": " ".join,
    "one below the other": "\r\n".join,
    "zero width": "\u200b".join,
    "soft hyphens": "\xad".join,
    "joiners": "\u2060".join,
    "struck through": lambda s: "".join(f"{each}\u0336" for each in s),
    "tags between": "\U000e0041".join,
    "tags": lambda s: "".join(chr(0xE0000 + ord(c)) if " " <= c <= "~" else c for c in s),
    "UTF-16 as text": lambda s: s.encode("utf-16-le").decode("latin-1"),
    "UTF-8 as Latin-1": lambda s: s.encode().decode("latin-1"),
    "backwards": lambda s: s[::-1],
    "moved along the alphabet": lambda s: codecs.encode(s, "rot13"),
    "punycode": lambda s: s.encode("punycode").decode(),
    # Mail and others.
    "blanks alone quoted": lambda s: s.replace(" ", "=20"),
    "one sign quoted": lambda s: _escaped(s, "={:02X}", lambda _, each: not each.isalnum()),
    "every third byte quoted": lambda s: _escaped(s, "={:02x}", lambda at, _: not at % 3),
    "UTF-7": lambda s: s.encode("utf-7").decode(),
    "all UTF-7": lambda s: f"+{base64.b64encode(s.encode('utf-16-be')).decode().rstrip('=')}-",
    "some of each": lambda s: "".join(_EACH[at % len(_EACH)](each) for at, each in enumerate(s)),
    "blanks in two ways": lambda s: s.replace(" ", "%20", 1).replace(" ", "+"),
    "short octal": lambda s: "".join(
        f"\\{ord(each):o}" if each in ' !"<>&' else each for each in s
    ),
    "base64 of UTF-16, high bytes first": lambda s: (
        base64.b64encode(s.encode("utf-16-be")).decode() + ";"
    ),
    "hex of UTF-16, high bytes first": lambda s: s.encode("utf-16-be").hex(),
    "base64 in short lines": lambda s: "\n".join(
        textwrap.wrap(base64.b64encode(b"x" + s.encode()).decode(), 8)
    ),
    "hex with dots": lambda s: s.encode().hex("."),
    "hex with bars": lambda s: s.encode().hex("|"),
    "octal numbers": lambda s: " ".join(f"{each:03o}" for each in s.encode()),
    "quoted-printable": lambda s: quopri.encodestring(s.encode()).decode(),
    "all quoted-printable": lambda s: "".join(f"={each:02X}" for each in s.encode()),
    "other line ends": lambda s: s.replace("\n", "\r\n"),
    "on one line": lambda s: s.replace("\n", " "),
    "control characters between": "\x02".join,
}
