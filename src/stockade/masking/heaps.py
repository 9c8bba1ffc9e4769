"""V8 heap snapshots without secrets: texts are masked, the numbers of nodes and edges are not read.

These are places in the list of texts and sizes of objects, millions of them, and spell nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO, Final

from stockade.masking.background import check_stopped
from stockade.masking.masker import Masker

__all__ = ["is_heap", "mask_heap", "masked_heap"]

_BEGINS: Final = b'{"snapshot":{"meta":'
_STRINGS: Final = b'"strings":['
_APART: Final = b"|\n"
_PIECE: Final = 1 << 20
_BATCH: Final = 1 << 18
"""Bytes of texts that are masked at a time: between two, whoever wants it stopped is heard."""


def is_heap(content: bytes) -> bool:
    """Whether a file is a snapshot as Chromium writes it."""
    return content.startswith(_BEGINS)


def masked_heap(masker: Masker, content: bytes) -> bytes:
    """A snapshot that is at hand as a whole."""
    target = BytesIO()
    mask_heap(masker, BytesIO(content), target)
    return target.getvalue()


def mask_heap(masker: Masker, source: BinaryIO, target: BinaryIO) -> None:
    """Copy a snapshot; it takes seconds if it is large, so do it in the background."""
    _copy_numbers(source, target)
    for lines in _batches(source):
        check_stopped()
        target.write(_masked(masker, lines))


def _copy_numbers(source: BinaryIO, target: BinaryIO) -> None:
    """Copy all that comes before the list of texts."""
    held = b""
    while piece := source.read(_PIECE):
        check_stopped()
        held += piece
        found = held.find(_STRINGS)
        if found >= 0:
            cut = found + len(_STRINGS)
            source.seek(cut - len(held), 1)
            target.write(held[:cut])
            return
        keep = len(_STRINGS) - 1
        target.write(held[:-keep])
        held = held[-keep:]
    target.write(held)


def _batches(source: BinaryIO) -> Iterator[list[bytes]]:
    """Some texts at a time: each is a line of its own."""
    while lines := source.readlines(_BATCH):
        yield lines


def _masked(masker: Masker, lines: list[bytes]) -> bytes:
    # What is between them keeps lists of numbers apart, which would be read as one.
    text = _APART.join(lines).decode("utf-8", "surrogatepass")
    if masker.exact(text) == text:
        return b"".join(lines)
    return b"".join(_masked_line(masker, line) for line in lines)


def _masked_line(masker: Masker, line: bytes) -> bytes:
    """A text with what stands around it; one that is not whole is masked as it is."""
    start, end = line.find(b'"'), line.rfind(b'"')
    try:
        text = json.loads(line[start : end + 1].decode("utf-8", "surrogatepass"))
    except ValueError:
        return masker.exact(line.decode("utf-8", "surrogatepass")).encode("utf-8", "surrogatepass")
    masked = masker.exact(text)
    if masked == text:
        return line
    written = json.dumps(masked, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return line[:start] + written + line[end + 1 :]
