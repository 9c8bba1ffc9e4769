"""A recording of a session's traffic, from its start to its stop, in all tabs and workers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any

from stockade.engines.events import (
    LifecycleReached,
    PageOpened,
    Request,
    RequestFinished,
    StreamFrame,
)
from stockade.engines.port import Context, Page
from stockade.errors import ContentGone, DeadlineExceeded, EngineError, InvalidArgument
from stockade.page.patterns import address_pattern
from stockade.sessions.session import Session
from stockade.sessions.work import Job
from stockade.traffic.har import Exchange, HarOptions, moment

__all__ = ["Recording"]

_MOST_EXCHANGES = 5000
_MOST_BYTES = 64 << 20
_MOST_MESSAGES = 1000
_BODY_PATIENCE = 3.0
_TITLE_PATIENCE = 1.0
_BODILESS = frozenset({204, 205, 304})
_MARKS = {"DOMContentLoaded": "onContentLoad", "load": "onLoad"}


class _Followed:
    """A tab that is recorded."""

    def __init__(self, name: str, page: Page) -> None:
        self.name = name
        self.page = page
        self.title = ""
        self.marks: dict[str, float] = {}


class Recording:
    """Keeps every exchange that begins while it runs, within limits."""

    def __init__(self, session: Session, options: HarOptions) -> None:
        self.options = options
        self.dropped = 0
        """How many exchanges there was no room for."""
        self.browser = ""
        self._session = session
        wanted = options.url_filter
        self._filter = None if wanted is None else address_pattern(wanted)
        self._before: set[tuple[int, str]] = set()
        """What had begun when the recording began."""
        self._exchanges: dict[tuple[int, str], Exchange] = {}
        """By the place they belong to and the log's name for them."""
        self._places: list[tuple[Page | Context, _Followed | None]] = []
        self._jobs: list[Job[None]] = []
        self._offs: list[Callable[[], None]] = []
        self._bytes = 0

    async def begin(self) -> None:
        """Record from now on, and in every browser that the session gets."""
        context = await self._session.started()
        places: list[Page | Context] = [context, *context.pages]
        for place in places:
            self._before |= {(id(place), each.id) for each in place.requests}
        await self._follow(context)
        self._session.after_start.append(self._follow)

    async def _follow(self, context: Context) -> None:
        self.browser = context.browser.product
        self._listen(context, None)
        self._offs.append(context.events.on(PageOpened, lambda event: self._opened(event.page)))
        for page in context.pages:
            self._opened(page)

    def _opened(self, page: Page) -> None:
        count = sum(followed is not None for _, followed in self._places)
        followed = _Followed(f"page_{count + 1}", page)
        self._listen(page, followed)

        def reached(event: LifecycleReached) -> None:
            if event.name in _MARKS and event.frame.parent is None:
                followed.marks.setdefault(_MARKS[event.name], time.time())

        self._offs.append(page.events.on(LifecycleReached, reached))
        # A popup has asked for something before it was told of.
        for request in page.requests:
            if request.ended is not None:
                self._finished(page, followed, request)

    def _listen(self, place: Page | Context, followed: _Followed | None) -> None:
        self._places.append((place, followed))
        events = place.events
        self._offs += (
            events.on(
                RequestFinished, lambda event: self._finished(place, followed, event.request)
            ),
            events.on(StreamFrame, lambda frame: self._message(place, followed, frame)),
        )

    def _exchange(
        self, place: Page | Context, followed: _Followed | None, request: Request
    ) -> Exchange | None:
        """What is kept of a request, if it is to be recorded at all."""
        key = (id(place), request.id)
        if key in self._exchanges:
            return self._exchanges[key]
        if key in self._before or not request.url.startswith(("http", "ws")):
            return None
        if self._filter is not None and not self._filter.matches(request.url.partition("#")[0]):
            return None
        if len(self._exchanges) >= _MOST_EXCHANGES:
            self.dropped += 1
            return None
        made = Exchange(request, followed.name if followed is not None else None)
        self._exchanges[key] = made
        return made

    def _finished(
        self, place: Page | Context, followed: _Followed | None, request: Request
    ) -> None:
        if (id(place), request.id) in self._exchanges and request.type != "WebSocket":
            return
        exchange = self._exchange(place, followed, request)
        if exchange is not None and not self.options.private:
            self._jobs = [each for each in self._jobs if not each.done]
            self._jobs.append(self._session.work.start(lambda: self._take(place, exchange)))

    def _message(
        self, place: Page | Context, followed: _Followed | None, frame: StreamFrame
    ) -> None:
        if frame.kind != "ws":
            return
        request = next(
            (each for each in reversed(place.requests) if each.id == frame.request), None
        )
        exchange = None if request is None else self._exchange(place, followed, request)
        if exchange is not None and len(exchange.messages) < _MOST_MESSAGES:
            exchange.messages.append(frame)

    async def _take(self, place: Page | Context, exchange: Exchange) -> None:
        """Fetch the bodies while the browser has them."""
        request = exchange.request
        if request.has_post_data:
            exchange.sent = await _asked(place.request_body, request.id) or b""
        if request.type == "WebSocket" or self.options.content == "omit" or request.redirected_to:
            return
        if request.method == "HEAD" or request.status in _BODILESS:
            exchange.received = b""
        elif request.answered is not None and not request.failure and self._bytes < _MOST_BYTES:
            exchange.received = await _asked(place.response_body, request.id)
            self._bytes += len(exchange.received or b"")

    async def stop(self, *, timeout: float) -> Sequence[Exchange]:
        """End the recording; everything that began in it, oldest first."""
        for off in self._offs:
            off()
        if self._follow in self._session.after_start:
            self._session.after_start.remove(self._follow)
        for place, followed in self._places:
            for request in place.requests:
                if request.ended is None:
                    self._finished(place, followed, request)
        try:
            async with asyncio.timeout(timeout):
                for job in self._jobs:
                    await job.result()
                for _, followed in self._places:
                    if followed is not None:
                        followed.title = await _title(followed.page)
        except TimeoutError:
            pass  # What has not come by now is left out.
        return sorted(self._exchanges.values(), key=lambda each: each.request.started)

    def pages(self) -> list[dict[str, Any]]:
        """The tabs, as archives describe pages."""
        used: dict[str | None, float] = {}
        for each in self._exchanges.values():
            used[each.page] = min(each.request.started, used.get(each.page, each.request.started))
        rows = []
        for _, followed in self._places:
            if followed is None or followed.name not in used:
                continue
            started = used[followed.name]
            timings = {
                name: round((followed.marks[name] - started) * 1000, 3)
                if followed.marks.get(name, 0) >= started
                else -1
                for name in _MARKS.values()
            }
            rows.append(
                {
                    "startedDateTime": moment(started),
                    "id": followed.name,
                    "title": followed.title,
                    "pageTimings": timings,
                }
            )
        return rows


async def _asked(ask: Callable[..., Any], id: str) -> bytes | None:
    try:
        body: bytes = await ask(id, timeout=_BODY_PATIENCE)
    except (ContentGone, EngineError, DeadlineExceeded, InvalidArgument):
        return None
    return body


async def _title(page: Page) -> str:
    if page.closed or page.crashed or page.frozen or page.dialog is not None:
        return ""
    try:
        return await page.title(timeout=_TITLE_PATIENCE)
    except (EngineError, DeadlineExceeded):
        return ""
