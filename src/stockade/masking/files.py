"""Files without secrets: text of any encoding is masked, anything else is looked through.

What a file is called or says that it is does not matter. In what is no text a secret cannot be
replaced without spoiling the file, so such a file is withheld as a whole.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from stockade.errors import FileWithheld
from stockade.masking.masker import Masker

__all__ = ["Sealed", "masked_file", "text_encoding"]

_MOST_UNPACKED: Final = 64_000_000
_DEEPEST: Final = 3
_ENCRYPTED: Final = 0x1
_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_FEWEST_WIDE: Final = 0.4
"""The part of the high bytes that are zero in two-byte text, which may have other letters too."""
_SAMPLE: Final = 65_536
_PDF_STREAM: Final = re.compile(rb"stream\r?\n")
_UNPACKERS: Final[dict[bytes, Callable[[BytesIO], Any]]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ\0": lzma.open,
}


class Sealed(Exception):
    """Nobody can say what is in a file: it is encrypted, or too much is packed into it."""


def text_encoding(content: bytes) -> str | None:
    """How the bytes of a text are to be read; none where they are no text."""
    for mark, encoding in _BOMS:
        if content.startswith(mark):
            return encoding if _decodes(content, encoding) else None
    if b"\0" not in content and _decodes(content, "utf-8"):
        return "utf-8"
    sample = content[:_SAMPLE]
    for high, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        wide = sample[high::2].count(0) * 2 >= len(sample) * _FEWEST_WIDE
        if wide and 0 not in sample[1 - high :: 2] and _decodes(content, encoding):
            return encoding
    return None if _CONTROL.search(content) else "latin-1"


def _decodes(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def masked_file(masker: Masker, content: bytes) -> bytes:
    """What a file may leave as; `FileWithheld` where it holds a secret that cannot be taken out.

    `Sealed` is raised where that cannot be said.
    """
    if masker.idle:
        return content
    encoding = text_encoding(content)
    if encoding is not None:
        text = content.decode(encoding)
        masked = masker.exact(text)
        return content if masked == text else masked.encode(encoding)
    _look_through(masker, content, _DEEPEST, [_MOST_UNPACKED])
    return content


def _look_through(masker: Masker, content: bytes, levels: int, left: list[int]) -> None:
    encoding = text_encoding(content)
    if encoding is not None:
        text = content.decode(encoding)
        found = masker.exact(text) != text
    else:
        found = masker.in_bytes(content)
    if found:
        raise FileWithheld("the file holds a secret, and is no text that it could be taken out of")
    for inner in _unpacked(content, left):
        if not levels:
            raise Sealed
        _look_through(masker, inner, levels - 1, left)


def _unpacked(content: bytes, left: list[int]) -> Iterator[bytes]:
    """What is packed into a file, as far as that can be told by its first bytes."""
    if content.startswith(b"PK\x03\x04"):
        yield from _members(content, left)
    elif content.startswith(b"%PDF"):
        for found in _PDF_STREAM.finditer(content):
            stream = zlib.decompressobj()
            try:
                inner = stream.decompress(content[found.end() :], left[0] + 1)
            except zlib.error:
                continue
            yield _counted(inner, left)
    for mark, opened in _UNPACKERS.items():
        if content.startswith(mark):
            try:
                with opened(BytesIO(content)) as file:
                    inner = file.read(left[0] + 1)
            except (OSError, EOFError, lzma.LZMAError, zlib.error):
                raise Sealed from None
            yield _counted(inner, left)


def _members(content: bytes, left: list[int]) -> Iterator[bytes]:
    try:
        with ZipFile(BytesIO(content)) as archive:
            for member in archive.infolist():
                if member.flag_bits & _ENCRYPTED:
                    raise Sealed
                with archive.open(member) as file:
                    yield _counted(file.read(left[0] + 1), left)
    except (BadZipFile, OSError, EOFError, NotImplementedError, RuntimeError, zlib.error):
        raise Sealed from None


def _counted(inner: bytes, left: list[int]) -> bytes:
    left[0] -= len(inner)
    if left[0] < 0:
        raise Sealed
    return inner
