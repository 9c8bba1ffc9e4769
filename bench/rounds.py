"""Calls, timed in rounds: every contender once in each, so that noise hits all alike."""

from __future__ import annotations

import base64
import gc
import re
import statistics
import struct
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bench.contenders import Contender, ContenderFailed, Result
from bench.figures import Table
from bench.stage import Stage

__all__ = ["PLAIN_ABOVE", "ROWS", "SCRIPTED_ABOVE", "Rounds", "Row"]

_WARM_UP = 2
_FEWEST = 3
_SIZE = (1280, 720)
_FIELDS = ("First name", "Password", "Free", "Country", "Send me news", "About you", "Sign up")
_DOCUMENT = "/doc/library/os.html"
_LARGE = "/doc/library/large.html"
_PLAIN = "navigation, no script"
_SCRIPTED = "navigation, with a script"
PLAIN_ABOVE = f"{_PLAIN}, above DOMContentLoaded"
SCRIPTED_ABOVE = f"{_SCRIPTED}, above DOMContentLoaded"


@dataclass(frozen=True)
class Turn:
    """One act of one contender."""

    who: Contender
    number: int
    """How often it has acted on this page."""
    elsewhere: str
    """A page of its own for this turn, which tells when it had loaded."""
    plain: str
    """The same page without a script."""


@dataclass(frozen=True)
class Row:
    """One thing that is measured."""

    name: str
    page: str
    act: Callable[[Turn], Awaitable[Result]]
    check: Callable[[Result, Turn], str | None] | None = None
    """What is wrong with a result, if anything."""
    told: Callable[[int], dict[str, object]] | None = None
    """What the page must tell after so many acts."""
    share: float = 1.0
    """Of the rounds; slow rows take fewer."""
    loads: bool = False
    """Each act is a navigation to a page that tells when it had loaded."""


def _shows(*texts: str) -> Callable[[Result, Turn], str | None]:
    def check(result: Result, _turn: Turn) -> str | None:
        missing = [text for text in texts if text not in result.text]
        return f"{', '.join(missing)} not shown" if missing else None

    return check


def _shows_click(result: Result, turn: Turn) -> str | None:
    wanted = f"Clicked {turn.number}"
    return None if wanted in result.text else f"{wanted} not shown"


def _is_jpeg(result: Result, _turn: Turn) -> str | None:
    if not result.image:
        return "no picture"
    found = re.search(rb"\xff[\xc0-\xc2]..\x08(....)", base64.b64decode(result.image), re.DOTALL)
    if found is None:
        return f"{result.mime}, not a JPEG"
    height, width = struct.unpack(">HH", found[1])
    return None if (width, height) == _SIZE else f"a picture of {width} by {height}"


def _clicked(count: int) -> dict[str, object]:
    return {"clicks": count}


def _filled(count: int) -> dict[str, object]:
    return {"value": f"Ada {count}"}


ROWS = (
    Row(
        "snapshot of library/os.html",
        _DOCUMENT,
        lambda turn: turn.who.snapshot(),
        _shows("Miscellaneous operating system interfaces"),
        share=0.5,
    ),
    Row(
        "the same, all interactive elements",
        _DOCUMENT,
        lambda turn: turn.who.controls(),
        _shows("GRND_NONBLOCK", "Show Source", "Found a bug"),
        share=0.5,
    ),
    Row(
        "the same, in full",
        _DOCUMENT,
        lambda turn: turn.who.everything(),
        _shows("GRND_NONBLOCK", "Show Source", "By default, when reading from"),
        share=0.25,
    ),
    Row("snapshot of a form", "/form", lambda turn: turn.who.snapshot(), _shows(*_FIELDS)),
    Row(
        "fill",
        "/form",
        lambda turn: turn.who.fill("First name", f"Ada {turn.number}"),
        told=_filled,
    ),
    Row("screenshot, jpeg", "/form", lambda turn: turn.who.screenshot(), _is_jpeg),
    Row("click, quiet page", "/quiet", lambda turn: turn.who.click("Go"), told=_clicked),
    Row(
        "click and what came of it, quiet page",
        "/quiet",
        lambda turn: turn.who.click_and_look("Go"),
        _shows_click,
        told=_clicked,
    ),
    Row(
        "click and what came of it, os.html with a button",
        _LARGE,
        lambda turn: turn.who.click_and_look("Go"),
        _shows_click,
        told=_clicked,
        share=0.25,
    ),
    Row(
        "click without effect",
        "/inert",
        lambda turn: turn.who.click("Go"),
        told=_clicked,
        share=0.5,
    ),
    Row(_PLAIN, "/away", lambda turn: turn.who.open(turn.plain)),
    Row(_SCRIPTED, "/away", lambda turn: turn.who.open(turn.elsewhere), loads=True),
)


class Rounds:
    """The contenders at one stage, all running."""

    def __init__(
        self, contenders: Sequence[Contender], stage: Stage, table: Table, count: int
    ) -> None:
        self._contenders = contenders
        self._stage = stage
        self._table = table
        self._count = count

    async def play(self, row: Row) -> None:
        """Open the page everywhere, warm up, measure, and ask the pages what they saw."""
        print(row.name, file=sys.stderr, flush=True)
        # What is alive now stays alive: the collector need not look at it during a call.
        gc.collect()
        gc.freeze()
        playing = [who for who in self._contenders if await self._works(row, who, self._open)]
        last = _WARM_UP + max(_FEWEST, round(self._count * row.share))
        for number in range(1, last + 1):
            first = number % len(playing) if playing else 0
            for who in playing[first:] + playing[:first]:
                if not await self._works(row, who, self._act, number):
                    playing.remove(who)
        for who in playing:
            await self._works(row, who, self._leave, last)

    async def _works(
        self, row: Row, who: Contender, step: Callable[..., Awaitable[None]], *given: int
    ) -> bool:
        try:
            await step(row, who, *given)
        except ContenderFailed as error:
            self._table.cell(row.name, who.name).failure = str(error)
            return False
        return True

    async def _open(self, row: Row, who: Contender) -> None:
        await who.open(self._stage.url(row.page, who=who.name, visit=row.name))
        await who.snapshot()

    async def _act(self, row: Row, who: Contender, number: int) -> None:
        visit = f"{row.name} {number}"
        turn = Turn(
            who,
            number,
            elsewhere=self._stage.url("/form", who=who.name, visit=visit),
            plain=self._stage.url("/plain", who=who.name, visit=visit),
        )
        result = await row.act(turn)
        if row.check is not None and (wrong := row.check(result, turn)):
            raise ContenderFailed(wrong)
        if number <= _WARM_UP:
            return
        cell = self._table.cell(row.name, who.name)
        cell.add(result)
        if result.controls:
            cell.note = f"{result.controls} controls"

    async def _leave(self, row: Row, who: Contender, last: int) -> None:
        if row.told is None and not row.loads:
            return
        await who.open(self._stage.url("/away", who=who.name, visit="away"))
        if row.told is not None:
            wanted = row.told(last)
            told = await self._stage.told(who=who.name, visit=row.name)
            seen = {name: told.get(name) for name in wanted}
            if seen != wanted:
                raise ContenderFailed(f"the page saw {seen}, not {wanted}")
        if row.loads:
            await self._above_loaded(row, who)

    async def _above_loaded(self, row: Row, who: Contender) -> None:
        """What a navigation took beyond the page's own loading, by the page's own clock."""
        loading = []
        runs = self._table.cell(row.name, who.name).runs
        for number, took in enumerate(runs, start=_WARM_UP + 1):
            told = await self._stage.told(who=who.name, visit=f"{row.name} {number}")
            if "loaded" not in told:
                raise ContenderFailed("the page was never loaded")
            loading.append(told["loaded"])
            self._table.put(SCRIPTED_ABOVE, who.name, "ms", took - told["loaded"])
        # A page without a script cannot tell, but the same page with one just has.
        for took in self._table.cell(_PLAIN, who.name).runs:
            self._table.put(PLAIN_ABOVE, who.name, "ms", took - statistics.median(loading))
