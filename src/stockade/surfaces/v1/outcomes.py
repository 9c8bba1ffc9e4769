"""Outcomes: what became of requests with an idempotency key, for as long as it is kept."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

__all__ = ["LARGEST", "Outcome", "Outcomes"]

KEPT_SECONDS: Final = 24 * 3600.0
LARGEST: Final = 4 * 1024 * 1024
"""Bytes of an answer; of a larger one it is only kept that it was given."""
_MOST: Final = 10_000
_MOST_BYTES: Final = 64 * 1024 * 1024
_SHARE: Final = 1_000
_SHARE_BYTES: Final = 16 * 1024 * 1024
"""What of both one caller may take, so that none pushes out what others need."""

Place = tuple[str, str]
"""Who sent which key."""


@dataclass(eq=False)
class Outcome:
    """A request under way, and later what was answered."""

    head: str
    """Method and address."""
    digest: bytes | None = None
    """Of the body, once all of it is there."""
    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)
    too_large: bool = False
    done: bool = False
    until: float = 0.0
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def size(self) -> int:
        """How much room it takes, about."""
        return len(self.body) + sum(len(name) + len(value) for name, value in self.headers) + 500

    def add(self, part: bytes) -> None:
        """Take in a part of the answer."""
        if len(self.body) + len(part) > LARGEST:
            self.too_large = True
            self.body.clear()
        if not self.too_large:
            self.body += part


@dataclass
class _Share:
    """What is kept for one caller, the oldest first."""

    kept: OrderedDict[str, Outcome] = field(default_factory=OrderedDict)
    bytes: int = 0

    @property
    def count(self) -> int:
        return len(self.kept)

    def add(self, key: str, outcome: Outcome) -> None:
        self.kept[key] = outcome
        self.bytes += outcome.size

    def drop_oldest(self) -> None:
        _, outcome = self.kept.popitem(last=False)
        self.bytes -= outcome.size


class Outcomes:
    """In memory alone: whoever restarts the server starts anew."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._running: dict[Place, Outcome] = {}
        self._shares: dict[str, _Share] = {}

    def find(self, place: Place) -> Outcome | None:
        """What is known of a key."""
        who, key = place
        share = self._shares.get(who)
        if share is not None:
            self._expire(who, share)
            if key in share.kept:
                return share.kept[key]
        return self._running.get(place)

    def begin(self, place: Place, outcome: Outcome) -> None:
        """A request is under way."""
        self._running[place] = outcome

    def keep(self, place: Place, outcome: Outcome) -> None:
        """It has been answered, for good."""
        who, key = place
        outcome.done = True
        outcome.until = self._clock() + KEPT_SECONDS
        share = self._shares.setdefault(who, _Share())
        share.add(key, outcome)
        while len(share.kept) > _SHARE or share.bytes > _SHARE_BYTES:
            share.drop_oldest()
        while self._total("count") > _MOST or self._total("bytes") > _MOST_BYTES:
            # Whoever has most gives way, so that none pushes out what others need.
            max(self._shares.values(), key=lambda each: each.bytes).drop_oldest()
        self.end(place, outcome)

    def end(self, place: Place, outcome: Outcome) -> None:
        """The request is no longer under way; whoever waits for it looks again."""
        self._running.pop(place, None)
        outcome.ended.set()

    def _expire(self, who: str, share: _Share) -> None:
        now = self._clock()
        while share.kept and next(iter(share.kept.values())).until <= now:
            share.drop_oldest()
        if not share.kept:
            del self._shares[who]

    def _total(self, what: str) -> int:
        return sum(getattr(each, what) for each in self._shares.values())
