"""Leaves: the texts of a value, as one text to search, and the value without what was found."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import msgspec

from stockade.masking.folding import SEPARATOR
from stockade.masking.invisible import is_suspect, visible
from stockade.masking.search import Hit

__all__ = ["Leaves", "visible_value", "without"]

_LISTS = (list, tuple)
_FEWEST = 6
_SHORT = 2
"""Rows of a table are read downwards where their texts are as short as that."""
_CELL = 64
"""The same, and across, where parts of secrets are about."""
_LAST = 0x10FFFF
_TEN = 10
_STAND_IN = "\x01"
_GONE = object()
_ESCAPED_CONTROL = re.compile(rb"\\(?:u00|[bf])")
"""How JSON has those that it does not have as they are."""

Place = tuple[int, Any]
"""The holder, by its identity, and the key in it."""


def without(text: str, hits: Iterable[Hit]) -> str:
    """A text with names in the place of what belongs to secrets, where they overlap too."""
    pieces: list[str] = []
    end = 0
    for start, stop, shown, *_ in sorted(hits, key=lambda each: (each.start, -each.stop)):
        if stop <= end:
            continue  # within one that is longer
        if start >= end:
            pieces += (text[end:start], shown)
        elif pieces[-1] != shown:
            pieces.append(shown)
        end = stop
    pieces.append(text[end:])
    return "".join(pieces)


def visible_value(value: Any) -> Any:
    """A JSON value without what is invisible in its texts and keys."""
    return Leaves(value).visible() if _may_be_invisible(value) else value


def _may_be_invisible(value: Any) -> bool:
    """Whether there is something to look for, as far as can be told without going through it."""
    try:
        written = msgspec.json.encode(value)
    except (UnicodeEncodeError, TypeError, RecursionError, ValueError):
        return True
    if _ESCAPED_CONTROL.search(written):
        return True
    if not is_suspect(written):
        return False
    text = written.decode()
    return visible(text) != text


@dataclass
class _Run:
    """Parts of a value that may be one text."""

    texts: list[str] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    removable: bool = True
    """Whether a part of which nothing is left can go."""

    def add(self, text: str, place: Place) -> None:
        self.texts.append(text)
        self.places.append(place)

    def counts(self) -> bool:
        return len(self.texts) > 1 and sum(map(len, self.texts)) >= _FEWEST


class _Columns(dict[Any, _Run]):
    """What the rows of a table say below each key."""

    def __missing__(self, key: Any) -> _Run:
        run = self[key] = _Run(removable=False)
        return run


class Leaves:
    """Every text in a value, and every number as it is written."""

    def __init__(self, value: Any, *, cells: bool = False) -> None:
        """With `cells`, those of tables are read as one text, across and downwards."""
        self._value = value
        self._cells = cells
        self._short = _CELL if cells else _SHORT
        self._runs: list[_Run] = []
        self._texts_found = self._collect()
        self._pieces = [*self._texts_found, *("".join(each.texts) for each in self._runs)]
        self.joined = SEPARATOR.join(self._pieces)
        if self.joined.count(SEPARATOR) >= len(self._pieces):
            self.joined = SEPARATOR.join(
                each.replace(SEPARATOR, _STAND_IN) for each in self._pieces
            )

    def replaced(self, hits: Sequence[Hit]) -> Any:
        """A copy without what was found."""
        masked: dict[str, str] = {}
        keys: dict[str, str] = {}
        numbers: dict[str, str] = {}
        changes: dict[int, dict[Any, Any]] = {}
        for index, within in self._sorted(hits).items():
            if index < len(self._texts_found):
                text = self._texts_found[index]
                masked[text] = without(text, within)
                # Numbers that are only like a code are sizes and times of ours, mostly.
                if not all(each.like for each in within):
                    numbers[text] = masked[text]
                # A field may be called as a part of a secret: most names are our own words.
                if not text.isidentifier() or not all(each.part for each in within):
                    keys[text] = masked[text]
            else:
                _change(self._runs[index - len(self._texts_found)], within, changes)
        return self._copied(masked, keys, numbers, changes) if masked or changes else self._value

    def visible(self) -> Any:
        """A copy without what is invisible."""
        changed = {text: shown for text in self._texts_found if (shown := visible(text)) != text}
        return self._copied(changed, changed, {}, {}) if changed else self._value

    # --- collecting -----------------------------------------------------------------------------

    def _collect(self) -> list[str]:
        texts: dict[str, None] = {}
        # Rows of a table have the same keys.
        shapes: dict[tuple[Any, ...], None] = {}
        # Pages decide how deep a value is: neither this nor the copying may recurse.
        pending: list[Any] = [[self._value]]
        tables: list[_Columns | None] = [None]
        """For each that is pending the columns of the table that it is a row of."""
        found: list[_Columns] = []
        short = self._short
        for holder, columns in zip(pending, tables, strict=True):
            below: _Columns | None = None
            if isinstance(holder, dict):
                shapes[tuple(holder)] = None
                entries: Iterable[tuple[Any, Any]] = holder.items()
                self._runs += _row(holder) if self._cells else ()
            else:
                self._runs += _line(holder)
                entries = enumerate(holder)
                below = _Columns()
                found.append(below)
            for key, part in entries:
                if isinstance(part, str):
                    texts[part] = None
                    if columns is not None and 0 < len(part) <= short:
                        # What the rows of a table say one below the other.
                        columns[key].add(part, (id(holder), key))
                elif isinstance(part, dict):
                    pending.append(part)
                    tables.append(below)
                elif isinstance(part, _LISTS):
                    pending.append(part)
                    tables.append(None)
                elif isinstance(part, int | float) and not isinstance(part, bool):
                    texts[_written(part)] = None
        for keys in shapes:
            texts.update(dict.fromkeys(map(str, keys)))
        self._runs += (run for columns in found for run in columns.values() if run.counts())
        return list(texts)

    def _sorted(self, hits: Sequence[Hit]) -> dict[int, list[Hit]]:
        """What was found, by the piece that it was found in, as places in that."""
        starts = list(accumulate((len(each) + 1 for each in self._pieces), initial=0))
        found: dict[int, list[Hit]] = {}
        for start, stop, shown, is_part, like in hits:
            index = bisect_right(starts, start) - 1
            while index < len(self._pieces) and starts[index] < stop:
                first, length = starts[index], len(self._pieces[index])
                part = Hit(max(start - first, 0), min(stop - first, length), shown, is_part, like)
                if part.start < part.stop:
                    found.setdefault(index, []).append(part)
                index += 1
        return found

    # --- copying --------------------------------------------------------------------------------

    def _copied(
        self,
        masked: dict[str, str],
        keys: dict[str, str],
        numbers: dict[str, str],
        changes: dict[int, dict[Any, Any]],
    ) -> Any:
        outermost: list[Any] = [self._value]
        pending: list[Any] = [outermost]
        while pending:
            holder = pending.pop()
            for key, part in holder.items() if isinstance(holder, dict) else enumerate(holder):
                if isinstance(part, str):
                    holder[key] = masked.get(part, part)
                elif isinstance(part, dict):
                    holder[key] = _keyed(part | changes.get(id(part), {}), keys)
                    pending.append(holder[key])
                elif isinstance(part, _LISTS):
                    holder[key] = _listed(part, changes.get(id(part), {}))
                    pending.append(holder[key])
                elif isinstance(part, int | float) and not isinstance(part, bool):
                    shown = numbers.get(_written(part), "")
                    # Digits within a longer number mean something else.
                    if shown.startswith("<") and shown.endswith(">"):
                        holder[key] = shown
        return outermost[0]


def _written(number: Any) -> str:
    whole = isinstance(number, float) and number.is_integer()
    return str(int(number) if whole else number)


def _listed(parts: Sequence[Any], changes: dict[int, Any]) -> list[Any]:
    if not changes:
        return list(parts)
    changed = (changes.get(index, part) for index, part in enumerate(parts))
    return [each for each in changed if each is not _GONE]


def _keyed(mapping: dict[Any, Any], masked: dict[str, str]) -> dict[Any, Any]:
    """A copy under masked keys, no entry lost where two keys become alike."""
    if masked.keys().isdisjoint(map(str, mapping)):
        return dict(mapping)
    copy: dict[Any, Any] = {}
    for key, part in mapping.items():
        name = masked.get(str(key), key)
        while name in copy:
            name = f"{name}'"
        copy[name] = part
    return copy


# --- runs -----------------------------------------------------------------------------------------


def _row(holder: dict[Any, Any]) -> Iterator[_Run]:
    """What the cells of a row say one beside the other."""
    run = _Run(removable=False)
    for key, part in holder.items():
        if isinstance(part, str) and 0 < len(part) <= _CELL:
            run.add(part, (id(holder), key))
    if run.counts():
        yield run


def _line(holder: Sequence[Any]) -> Iterator[_Run]:
    """The texts and digits of a list, and what its numbers are as codes of characters."""
    kinds = set(map(type, holder)) if len(holder) > 1 else set()
    if not (str in kinds or int in kinds):
        return
    words, codes = _Run(), _Run()
    for index, part in enumerate(holder):
        if isinstance(part, str):
            words.add(part, (id(holder), index))
        elif isinstance(part, int) and 0 <= part <= _LAST:
            codes.add(chr(part), (id(holder), index))
            if part < _TEN:
                words.add(str(int(part)), (id(holder), index))
    yield from filter(_Run.counts, (words, codes))


def _change(run: _Run, hits: list[Hit], changes: dict[int, dict[Any, Any]]) -> None:
    """Take out what is spread over several parts; what is in one of them is found there too."""
    starts = list(accumulate(map(len, run.texts), initial=0))
    parts: dict[int, list[Hit]] = {}
    spread: set[int] = set()
    for start, stop, shown, *_ in hits:
        first = bisect_right(starts, start) - 1
        last = bisect_right(starts, stop - 1) - 1
        for index in range(first, last + 1):
            at, length = starts[index], len(run.texts[index])
            text = shown if index == first else ""
            part = Hit(max(start - at, 0), min(stop - at, length), text)
            parts.setdefault(index, []).append(part)
        if last > first:
            spread.update(range(first, last + 1))
    for index in spread:
        holder, key = run.places[index]
        left = without(run.texts[index], parts[index])
        changes.setdefault(holder, {})[key] = left if left or not run.removable else _GONE
