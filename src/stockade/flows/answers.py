"""Waiting for an answer from the network that may come while something else is done."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from stockade.engines.events import Request, RequestAnswered, RequestFinished
from stockade.engines.port import Page
from stockade.page.patterns import address_pattern

__all__ = ["Answers", "Wanted", "listening"]


@dataclass(frozen=True)
class Wanted:
    """Which answer: by its address, the method of its request, its status."""

    url_pattern: str | None = None
    method: str | None = None
    status: int | None = None

    def met_by(self, request: Request) -> bool:
        """Whether it is this one. One that failed has no status."""
        pattern = None if self.url_pattern is None else address_pattern(self.url_pattern)
        if pattern is not None and not pattern.matches(request.url):
            return False
        if self.method is not None and request.method.upper() != self.method.upper():
            return False
        return self.status is None or request.status == self.status


@dataclass
class Answers:
    """The first answer that is wanted, once it has come."""

    wanted: Wanted
    found: Request | None = None
    _came: asyncio.Event = field(default_factory=asyncio.Event)

    def note(self, request: Request) -> None:
        """An answer came, or a request failed."""
        answered = request.status is not None or bool(request.failure)
        if self.found is None and answered and self.wanted.met_by(request):
            self.found = request
            self._came.set()

    async def first(self, *, timeout: float) -> Request | None:
        """The answer, waited for if need be."""
        try:
            async with asyncio.timeout(max(timeout, 0)):
                await self._came.wait()
        except TimeoutError:
            return None
        return self.found


@contextmanager
def listening(page: Page, wanted: Wanted) -> Iterator[Answers]:
    """Listen to the tab, and to the workers that its context shares."""
    answers = Answers(wanted)
    with ExitStack() as held:
        for events in (page.events, page.context.events):
            held.callback(events.on(RequestAnswered, lambda event: answers.note(event.request)))
            held.callback(events.on(RequestFinished, lambda event: answers.note(event.request)))
        yield answers
