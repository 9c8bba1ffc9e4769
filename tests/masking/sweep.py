"""The sweep: looks for a secret in anything, by undoing every encoding that it can think of.

It shares nothing with the masker, so that one does not excuse the other.
"""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import io
import json
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from urllib.parse import unquote, unquote_plus

__all__ = ["found_in"]

_DEPTH = 3
_UNSEEN = re.compile(r"[\s\u200b-\u200f\u2060-\u2064\ufeff\xad\x00-\x1f]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ :,-]?){6,}")
_NUMBERS = re.compile(r"(?:\d{1,3}[,;\s]+){5,}\d{1,3}")
_TAGS = re.compile(r"<[^<>]*>")


def found_in(content: str | bytes, secrets: dict[str, str]) -> dict[str, str]:
    """The secrets that can be read out of it, each with the way that led to it."""
    found: dict[str, str] = {}
    for way, text in _read(content):
        plain = _plain(text)
        for name, secret in secrets.items():
            for part in _parts(secret):
                if name not in found and part in plain:
                    at = plain.index(part)
                    found[name] = f"{way}: …{plain[max(at - 60, 0) : at + len(part) + 20]}…"
    return found


def _parts(secret: str) -> list[str]:
    """It as a whole, and of a key each line that says something."""
    lines = [line for line in secret.splitlines() if not line.startswith("-----")]
    return [_plain(secret), *(_plain(line) for line in lines if "\n" in secret)]


def _plain(text: str) -> str:
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", text))


def _read(content: str | bytes) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    pending: list[tuple[str, str | bytes, int]] = [("as it is", content, 0)]
    while pending:
        way, each, depth = pending.pop()
        if isinstance(each, bytes):
            pending += ((f"{way} > {how}", made, depth) for how, made in _unpacked(each))
            continue
        if each in seen:
            continue
        seen.add(each)
        yield way, each
        if depth < _DEPTH:
            pending += ((f"{way} > {how}", made, depth + 1) for how, made in _decoded(each))


def _unpacked(content: bytes) -> Iterator[tuple[str, str | bytes]]:
    yield "utf-8", content.decode("utf-8", "replace")
    if b"\0" in content[:2000]:
        yield "utf-16", content.decode("utf-16-le", "replace")
    if content[:2] == b"\x1f\x8b":
        yield "gzip", gzip.decompress(content)
    elif content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                yield f"zip {name}", archive.read(name)
    elif content[:1] == b"x":
        try:
            yield "zlib", zlib.decompress(content)
        except zlib.error:
            return


def _decoded(text: str) -> Iterator[tuple[str, str | bytes]]:
    if "%" in text:
        yield "percent", unquote(text)
        yield "form", unquote_plus(text)
    if "&" in text:
        yield "entities", html.unescape(text)
    if "\\" in text:
        yield "escapes", _unescaped(text)
    if "<" in text and "</" in text:
        yield "markup", html.unescape(_TAGS.sub("", text))
    for token in _BASE64.findall(text):
        yield from _of_base64(token)
    for token in _HEX.findall(text):
        digits = re.sub(r"[ :,-]", "", token)
        yield "hex", bytes.fromhex(digits[: len(digits) // 2 * 2])
    for token in _NUMBERS.findall(text):
        codes = [int(each) for each in re.findall(r"\d+", token)]
        yield "numbers", "".join(map(chr, codes))


def _of_base64(token: str) -> Iterator[tuple[str, str | bytes]]:
    letters = token.rstrip("=").replace("-", "+").replace("_", "/")
    if letters.lower() == letters or len(letters) > 2_000_000:
        return
    for shift in range(4):
        part = letters[shift:]
        part = part[:-1] if len(part) % 4 == 1 else part
        try:
            content = base64.b64decode(part + "=" * (-len(part) % 4))
        except binascii.Error:
            continue
        if sum(32 <= each < 127 for each in content) > len(content) * 0.6:
            yield "base64", content


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        pass

    def read(found: re.Match[str]) -> str:
        kind = found[0][1]
        if kind in "ux" and len(found[0]) > 2:
            return chr(int(found[0][2:].strip("{}"), 16))
        return {"n": "\n", "t": "\t", "r": "\r"}.get(kind, found[0][1])

    return re.sub(r"\\(?:u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|[\s\S])", read, text)
