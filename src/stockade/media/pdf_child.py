"""Reads a PDF from its input and writes its text as JSON: a process of its own, with limits.

A PDF is a program of sorts that anyone may have written. What it can cost is set here before the
first byte of it is read: memory, processor time, no files, and in the end it is killed.
"""

from __future__ import annotations

import json
import logging
import resource
import sys
from io import BytesIO
from typing import Any

from pypdf import PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import IndirectObject

__all__ = ["main", "read", "words"]

MEMORY = 1 << 30
MOST_PAGES = 200
_MOST_IMAGES = 1000
_MOST_WORDS = 4_000_000
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
)
"""Letters that a font joins are still letters."""


def limit(seconds: int) -> None:
    """Hold this process to its bounds."""
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        resource.setrlimit(what, (most, most))


def _pictures(page: Any) -> bool:
    """Whether a page shows any picture."""
    try:
        things = page["/Resources"]["/XObject"]
        return any(
            things[name].get("/Subtype") in ("/Image", "/Form")
            for name in list(things)[:_MOST_IMAGES]
        )
    except (KeyError, TypeError, AttributeError, PyPdfError):
        return False


def read(content: bytes, first: int, characters: int) -> dict[str, Any]:
    """The text from page `first` on, until there are enough characters."""
    reader = PdfReader(BytesIO(content), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        return {"failure": "encrypted"}
    count = len(reader.pages)
    pages: list[dict[str, Any]] = []
    left = characters
    for number in range(first, min(count, first + MOST_PAGES - 1) + 1):
        page = reader.pages[number - 1]
        text = (page.extract_text() or "").translate(_LIGATURES)
        row = {"number": number, "text": text[:left], "cut": len(text) > left}
        if not text.strip():
            row["pictured"] = _pictures(page)
        pages.append(row)
        left -= len(text)
        if left <= 0:
            break
    return {"page_count": count, "pages": pages}


def words(content: bytes) -> dict[str, Any]:
    """Everything in a PDF that anyone might read: its pages, its title, links, notes and names."""
    reader = PdfReader(BytesIO(content), strict=False)
    found = [page.extract_text() or "" for page in reader.pages]
    size = sum(map(len, found))
    pending: list[Any] = [reader.trailer]
    met: set[int] = set()
    while pending and size <= _MOST_WORDS:
        thing = pending.pop()
        if isinstance(thing, IndirectObject):
            if thing.idnum not in met:
                met.add(thing.idnum)
                pending.append(thing.get_object())
        elif isinstance(thing, dict):
            pending += [value for key, value in thing.items() if key != "/Parent"]
        elif isinstance(thing, list):
            pending += thing
        elif isinstance(thing, (str, bytes)):
            text = thing if isinstance(thing, str) else thing.decode("latin-1")
            size += len(text)
            found.append(text)
    if size > _MOST_WORDS:
        return {"failure": "costly"}
    return {"words": found}


def main() -> None:
    """Read what the arguments say; whatever goes wrong is in the answer."""
    first, characters, seconds = map(int, sys.argv[1:4])
    logging.disable(logging.CRITICAL)
    limit(seconds)
    try:
        content = sys.stdin.buffer.read()
        answer = read(content, first, characters) if first else words(content)
    except (MemoryError, RecursionError):
        answer = {"failure": "costly"}
    except Exception as error:  # noqa: BLE001
        # A hostile file finds every way to fail; all of them mean the same to a reader.
        answer = {"failure": "damaged", "why": type(error).__name__}
    text = json.dumps(answer, ensure_ascii=False)
    sys.stdout.buffer.write(text.encode("utf-8", "replace"))


if __name__ == "__main__":
    main()
