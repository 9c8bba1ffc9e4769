"""A view brought up to date by what a result of Stockade says has changed."""

from __future__ import annotations

import re
from dataclasses import replace

from bench.apps.lines import Line, View, parse_stockade

__all__ = ["apply_delta"]

_UNDER = re.compile(r"^in .*?(?:\[((?:f\d+)?e\d+)[^\]]*\])?:$")
_WAS = re.compile(r", was ((?:f\d+)?e\d+)$")
_MOVED = re.compile(r', moved (?:(after|before) (?:((?:f\d+)?e\d+)|"(.*)")|here)$')
_GONE = re.compile(r"^- \d+ elements gone: (.*)$")
_SPAN = re.compile(r"((?:f\d+)?e)(\d+)(?:-(?:f\d+)?e(\d+))?")
_REDRAWN = re.compile(r"^~ \d+ elements redrawn as they were: (.*)$")
_RENAMED = re.compile(r"((?:f\d+)?e)(\d+)(?:-\w+)? now (?:f\d+)?e(\d+)(?:-(?:f\d+)?e(\d+))?")


def apply_delta(view: View, tree: str) -> tuple[View, View]:
    """The view as it is now, and the lines of it that are new or changed."""
    changes = _Changes(view)
    for row in tree.splitlines():
        changes.read(row)
    return View(changes.lines), View(changes.news)


class _Changes:
    """Lines, and where in them further ones are put."""

    def __init__(self, view: View) -> None:
        self.lines = list(view.lines)
        self.news: list[Line] = []
        self._end: int | None = None
        """Where lines are put in: under the element that was named last, or else at the end."""
        self._base = 0

    def read(self, row: str) -> None:
        if (under := _UNDER.match(row)) is not None:
            self._go_under(under[1])
        elif (redrawn := _REDRAWN.match(row)) is not None:
            self._rename(redrawn[1])
        elif (gone := _GONE.match(row)) is not None:
            self._lose(gone[1])
        else:
            moved = _MOVED.search(row)
            row = _MOVED.sub("", row)
            was = _WAS.search(row)
            for sign, line in parse_stockade(_WAS.sub("", row)):
                self._note(sign, line, was[1] if was else line.ref, moved)

    def _go_under(self, ref: str | None) -> None:
        at = self._known(ref or "")
        self._end, self._base = None, 0
        if at is not None:
            self._end, self._base = self._below(at), self.lines[at].depth

    def _rename(self, spans: str) -> None:
        """Redrawn elements have other refs and read as they did."""
        refs: dict[str, str] = {}
        for kind, was, now, last in _RENAMED.findall(spans):
            for number in range(int(last or now) - int(now) + 1):
                refs[f"{kind}{int(was) + number}"] = f"{kind}{int(now) + number}"
        self.lines = [replace(each, ref=refs.get(each.ref, each.ref)) for each in self.lines]

    def _lose(self, spans: str) -> None:
        for kind, first, last in _SPAN.findall(spans):
            for number in range(int(first), int(last or first) + 1):
                self._take_out(self._known(f"{kind}{number}"))

    def _note(self, sign: str, line: Line, ref: str, moved: re.Match[str] | None) -> None:
        if not line.depth:
            # What stands under an element is indented, and what is not is outside of it again.
            self._end, self._base = None, 0
        line = replace(line, depth=line.depth + self._base)
        known = self._known(ref)
        if (sign == "-" or moved is not None) and not ref:
            known = self._same(line)
        if sign == "-":
            self._take_out(known)
            return
        self.news.append(line)
        if known is not None:
            self.lines[known] = replace(line, depth=self.lines[known].depth)
            if moved is not None:
                self._move(known, *moved.groups())
        elif self._end is None:
            self.lines.append(line)
        else:
            self.lines.insert(self._end, line)
            self._end += 1

    def _take_out(self, at: int | None) -> None:
        """A line that is gone, with what stood under it."""
        if at is None:
            return
        stop = self._below(at)
        del self.lines[at:stop]
        if self._end is not None and at < self._end:
            self._end = max(at, self._end - (stop - at))

    def _move(self, start: int, side: str | None, ref: str | None, text: str | None) -> None:
        """Put a line, with those under it, beside another, or under what was named last."""
        stop = self._below(start)
        block = self.lines[start:stop]
        del self.lines[start:stop]
        if self._end is not None and start < self._end:
            self._end -= len(block)
        beside = self._known(ref or "")
        if beside is None and text:
            beside = next((at for at, each in enumerate(self.lines) if text in each.text), None)
        at, depth = len(self.lines) if self._end is None else self._end, block[0].depth
        if beside is not None:
            at, depth = self._below(beside) if side == "after" else beside, self.lines[beside].depth
        shift = depth - block[0].depth
        self.lines[at:at] = [replace(each, depth=each.depth + shift) for each in block]
        if self._end is not None and at <= self._end:
            self._end += len(block)

    def _known(self, ref: str) -> int | None:
        return next((at for at, each in enumerate(self.lines) if ref and each.ref == ref), None)

    def _same(self, line: Line) -> int | None:
        fitting = (
            at
            for at, each in enumerate(self.lines)
            if (each.role, each.name, each.value) == (line.role, line.name, line.value)
        )
        return next(fitting, None)

    def _below(self, at: int) -> int:
        """Where what stands under a line ends."""
        end = at + 1
        while end < len(self.lines) and self.lines[end].depth > self.lines[at].depth:
            end += 1
        return end
