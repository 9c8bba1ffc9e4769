"""Long texts of a page, given page by page: each names how to go on, and none is cut in a word."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from stockade.errors import InvalidArgument
from stockade.kernel.call import Call
from stockade.kernel.results import Result
from stockade.kernel.tokens import cut, estimate
from stockade.urls import origin_of

__all__ = ["LongText", "Shape", "paged"]

_KEPT: Final = 4
_TOKEN: Final = re.compile(r"p(\d{1,9})\.(\d{1,9})")
_ROOM: Final = 60
"""Tokens set aside for the address, the title and where a page goes on."""


@dataclass(frozen=True)
class Shape:
    """A kind of text: where it may be cut, and what a later page of it begins with."""

    boundary: Callable[[str, int, int], int]
    """The last place, at or before the end given, where a page from the start given may end."""
    context: Callable[[str, int], tuple[str, str]]
    """What a place is in the middle of, in words; and lines that go before what follows."""


@dataclass(frozen=True)
class LongText:
    """A text as it was read, all of it."""

    text: str
    url: str
    title: str
    notes: tuple[str, ...] = ()


@dataclass
class _Kept:
    """What callers are reading in a tab."""

    last: int = 0
    texts: dict[int, tuple[str, LongText]] = field(default_factory=dict)

    def keep(self, caller: str, text: LongText) -> int:
        self.last += 1
        self.texts[self.last] = (caller, text)
        while len(self.texts) > _KEPT:
            del self.texts[next(iter(self.texts))]
        return self.last

    def find(self, caller: str, token: str) -> tuple[int, LongText, int]:
        parts = _TOKEN.fullmatch(token.strip())
        owner, text = self.texts.get(int(parts[1]), ("", None)) if parts else ("", None)
        if parts is None or text is None or owner != caller or int(parts[2]) >= len(text.text):
            raise InvalidArgument(
                "that text is no longer kept", hint="Read it again.", reason="stale_continuation"
            )
        return int(parts[1]), text, int(parts[2])


async def paged(
    call: Call,
    read: Callable[[], Awaitable[LongText]],
    shape: Shape,
    *,
    continuation: str | None,
    budget: int,
) -> Result:
    """The first page of what `read` gives, or the next one of what was read before."""
    kept = call.tab.parts.of(_Kept, _Kept)
    number, start = 0, 0
    if continuation is not None:
        number, whole, start = kept.find(call.caller, continuation)
    else:
        whole = await read()
        # A secret that two pages share would be in neither.
        text = await call.masked(whole.text)
        whole = LongText(text, whole.url, whole.title, whole.notes)
    said, before = shape.context(whole.text, start) if start else ("", "")
    room = max(budget - _ROOM, budget // 2)
    end = _end(whole.text, start, room - estimate(before), shape)
    head = [f"tab {call.tab.id}", *whole.notes]
    if said:
        head.append(f"continues in {said}")
    if end < len(whole.text):
        number = number or kept.keep(call.caller, whole)
        total = estimate(whole.text)
        head.append(
            f"truncated: {round(100 * end / len(whole.text))}% of {total} tokens, "
            f"the rest with continuation=p{number}.{end}"
        )
    top = "" if start else f"url: {whole.url}\ntitle: {whole.title}\n\n"
    page = f"{top}{before}{whole.text[start:end].strip(chr(10))}"
    return Result(
        text="; ".join(head), page=page, source=origin_of(whole.url), tokens=estimate(page) + 1
    )


def _end(text: str, start: int, budget: int, shape: Shape) -> int:
    """Where the page that begins at `start` ends."""
    window = text[start : start + 4 * max(budget, 1)]
    kept = cut(window, budget)
    if kept == window and start + len(window) == len(text):
        return len(text)
    hard = start + max(1, len(kept.removesuffix("…")))
    line = text.rfind("\n", start + (hard - start) // 2, hard)
    end = shape.boundary(text, start, line + 1 if line >= 0 else hard)
    return end if end > start else hard
