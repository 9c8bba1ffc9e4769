"""Requests and their answers as the network log keeps them: the newest, and not too many."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from stockade.engines.cdp.connection import Session
from stockade.engines.events import Request

__all__ = ["Entry", "Exchange", "Ledger"]

_COUNT = 1000
_SIZE = 8 << 20


@dataclass(eq=False, slots=True)
class Entry:
    """One request of the log."""

    request: Request
    exchange: Exchange
    size: int = 0


@dataclass(eq=False, slots=True)
class Exchange:
    """A request as Chromium counts it: one number for the whole chain of redirects."""

    number: str
    session: Session
    """Where its answer is kept: a frame or worker may take over what its parent began."""
    sender: Session
    entries: list[Entry] = field(default_factory=list)
    raw_requests: int = 0
    raw_answers: int = 0
    """How many hops have their headers as they went over the wire."""

    @property
    def request(self) -> Request:
        """The last hop."""
        return self.entries[-1].request

    @property
    def navigates(self) -> bool:
        """Whether a document is being fetched; Chromium then names both alike."""
        return self.number == self.request.document


class Ledger:
    """Keeps exchanges within bounds: what has ended goes first, then what is under way longest."""

    def __init__(self, give_up: Callable[[Exchange], None]) -> None:
        self.entries: dict[str, Entry] = {}
        """By our own names for them, oldest first."""
        self.exchanges: dict[str, Exchange] = {}
        """By Chromium's numbers."""
        self.pending: dict[str, Exchange] = {}
        """Those of them that are under way."""
        self._give_up = give_up
        self._ended: deque[Entry] = deque()
        self._size = 0

    def add(self, exchange: Exchange, request: Request) -> Entry:
        """Begin an exchange, or its next hop."""
        entry = Entry(request, exchange)
        exchange.entries.append(entry)
        self.entries[request.id] = entry
        self.exchanges[exchange.number] = exchange
        self.pending[exchange.number] = exchange
        self.weigh(entry)
        return entry

    def end(self, exchange: Exchange) -> None:
        """Its last hop is over."""
        self.pending.pop(exchange.number, None)
        self._ended.append(exchange.entries[-1])

    def weigh(self, entry: Entry) -> None:
        """Count what an entry holds now, and let go of others when that is too much."""
        if entry.request.id not in self.entries:
            return
        request = entry.request
        size = len(request.url) + _size(request.request_headers) + _size(request.response_headers)
        self._size += size - entry.size
        entry.size = size
        while len(self.entries) > _COUNT or self._size > _SIZE:
            if self._ended:
                self._forget(self._ended.popleft())
            elif len(self.pending) > 1:
                self._give_up(next(iter(self.pending.values())))
            else:
                return

    def _forget(self, entry: Entry) -> None:
        del self.entries[entry.request.id]
        self._size -= entry.size
        exchange = entry.exchange
        if exchange.entries[-1] is entry:
            if self.exchanges.get(exchange.number) is exchange:
                del self.exchanges[exchange.number]
            # Without the circle a flood leaves no garbage that waits to be collected.
            exchange.entries.clear()


def _size(headers: dict[str, str]) -> int:
    return sum(len(name) + len(value) for name, value in headers.items())
