"""Feedback on what was found: which element a description meant, remembered for the session."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import msgspec

from stockade.page.agent import PageAgent
from stockade.page.find import MOST_CANDIDATES, Candidate, FindOptions, Found
from stockade.page.find import find as find_unaided
from stockade.urls import origin_of

__all__ = ["Feedback", "Print", "find", "print_of"]

_MOST = 100
_SIMILAR = 0.5
"""The least share of words that two descriptions of the same thing have in common."""
_WORD = re.compile(r"\w+")
_DIGITS = re.compile(r"\d+")
_IDLE = frozenset({"a", "an", "the", "of", "in", "on", "at", "to", "for", "please"})


@dataclass(frozen=True)
class Print:
    """What makes an element the same kind of thing on another visit."""

    role: str
    name: str
    place: str
    """Where it belongs: its test id, or its collection and column; else how it is selected."""
    origin: str


def print_of(candidate: Candidate, origin: str) -> Print:
    """The fingerprint of an element that was found."""
    context = candidate.context
    place = candidate.test_id or ""
    if not place and context is not None:
        place = f"{context.collection}/{context.column}"
    if not place and not candidate.name:
        place = candidate.selector_hint
    return Print(candidate.role, _folded(candidate.name), _folded(place), origin)


def _folded(text: str) -> str:
    return _DIGITS.sub("#", text).casefold().strip()


def _words(query: str) -> frozenset[str]:
    found = frozenset(_WORD.findall(query.casefold()))
    return found - _IDLE or found


@dataclass
class Feedback:
    """What callers said; a part of the session. The oldest makes room."""

    _kept: OrderedDict[tuple[frozenset[str], Print], None] = field(default_factory=OrderedDict)

    def __len__(self) -> int:
        return len(self._kept)

    def record(self, query: str, meant: Print) -> None:
        """Remember what a description meant."""
        key = (_words(query), meant)
        self._kept[key] = None
        self._kept.move_to_end(key)
        while len(self._kept) > _MOST:
            self._kept.popitem(last=False)

    def knows(self, query: str, origin: str) -> bool:
        """Whether something like that was asked for there before."""
        words = _words(query)
        return any(
            meant.origin == origin and _likeness(words, known) >= _SIMILAR
            for known, meant in self._kept
        )

    def ranked(self, query: str, origin: str, found: Sequence[Candidate]) -> list[Candidate]:
        """Candidates with those ranked up that were meant before, and the reason said."""
        words = _words(query)
        best = max((each.score for each in found), default=0.0)
        raised: list[Candidate] = []
        for each in found:
            own = print_of(each, origin)
            share = max(
                (_likeness(words, known) for known, meant in self._kept if meant == own),
                default=0.0,
            )
            if share < _SIMILAR:
                raised.append(each)
                continue
            raised.append(
                msgspec.structs.replace(
                    each,
                    score=round(each.score + best * share, 3),
                    why=["chosen before", *each.why],
                )
            )
        return sorted(raised, key=lambda each: -each.score)


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0


async def find(
    memory: Feedback | None,
    agent: PageAgent,
    query: str,
    *,
    caller: str,
    options: FindOptions,
    timeout: float,
) -> Found:
    """Elements by description, with those ranked up that were meant before."""
    origin = origin_of(agent.page.main_frame.url)
    if memory is None or not memory.knows(query, origin):
        return await find_unaided(agent, query, caller=caller, options=options, timeout=timeout)
    wide = replace(options, max_candidates=MOST_CANDIDATES, confidence_floor=0.0)
    found = await find_unaided(agent, query, caller=caller, options=wide, timeout=timeout)
    ranked = [
        each
        for each in memory.ranked(query, origin, found.candidates)
        if each.score >= options.confidence_floor
    ][: options.max_candidates]
    # What is said of rivals was said before the choice was known.
    warnings = [each for each in found.warnings if not each.startswith("ambiguous")]
    return msgspec.structs.replace(found, candidates=ranked, warnings=warnings)
