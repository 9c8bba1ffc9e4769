"""PDFs as text: read in a process of their own, which can be ended."""

from __future__ import annotations

import asyncio
import math
import os
import sys
from dataclasses import dataclass, field
from typing import Any

import msgspec

from stockade.errors import DeadlineExceeded, InvalidArgument
from stockade.processes import output_of

__all__ = ["PageText", "Reading", "read_pdf", "words_of"]

_MOST_SECONDS = 20.0
_MOST_ANSWER = 16 << 20
_AT_ONCE = asyncio.Semaphore(2)
"""However many ask: each may take a gigabyte."""

_FAILURES = {
    "encrypted": "the PDF is encrypted: it opens with a password alone",
    "costly": "the PDF takes more memory to read than it may",
    "damaged": "the PDF is damaged, or not a PDF",
}


@dataclass(frozen=True)
class PageText:
    """The text of one page."""

    number: int
    text: str
    cut: bool = False
    """Whether the page has more."""


@dataclass(frozen=True)
class Reading:
    """Some pages of a PDF."""

    page_count: int
    pages: list[PageText]
    warnings: list[str] = field(default_factory=list)


async def read_pdf(content: bytes, *, page: int, characters: int, timeout: float) -> Reading:
    """The text from `page` on, until there are enough characters."""
    answer = await _asked(content, page, characters, timeout)
    count = answer["page_count"]
    if page > count:
        raise InvalidArgument(f"the PDF has {count} pages", field="page", page_count=count)
    return _reading(answer)


async def words_of(content: bytes, *, timeout: float) -> list[str]:
    """Every text that is anywhere in a PDF."""
    answer = await _asked(content, 0, 0, timeout)
    words: list[str] = answer["words"]
    return words


async def _asked(content: bytes, page: int, characters: int, timeout: float) -> dict[str, Any]:
    try:
        async with asyncio.timeout(min(timeout, _MOST_SECONDS)), _AT_ONCE:
            raw = await _child(content, page, characters, min(timeout, _MOST_SECONDS))
    except TimeoutError:
        raise DeadlineExceeded(
            "the PDF takes too long to read", hint="Begin at another page, or read less."
        ) from None
    try:
        answer: dict[str, Any] = msgspec.json.decode(raw)
    except msgspec.DecodeError:
        # The limits of the system ended it before it could say anything.
        answer = {"failure": "costly"}
    if "failure" in answer:
        reason = answer["failure"]
        raise InvalidArgument(_FAILURES[reason], reason=reason)
    return answer


def _reading(answer: dict[str, Any]) -> Reading:
    rows = answer["pages"]
    warnings = []
    pictured = [row["number"] for row in rows if row.get("pictured")]
    if pictured:
        named = ", ".join(map(str, pictured[:20]))
        warnings.append(f"without text, probably scanned: page {named}; picture it to see it")
    empty = [row["number"] for row in rows if row.get("pictured") is False]
    if empty and len(empty) == len(rows):
        warnings.append("these pages are empty")
    pages = [PageText(row["number"], row["text"], row["cut"]) for row in rows]
    return Reading(answer["page_count"], pages, warnings)


async def _child(content: bytes, page: int, characters: int, seconds: float) -> bytes:
    """Run the reader on a file that has no name, and take what it says."""
    argv = [sys.executable, "-I", "-m", "stockade.media.pdf_child"]
    argv += [str(page), str(characters), str(math.ceil(seconds))]
    with os.fdopen(os.memfd_create("pdf"), "r+b") as file:
        await asyncio.to_thread(file.write, content)
        file.seek(0)
        return await output_of(argv, environment={}, most=_MOST_ANSWER, stdin=file.fileno())
