"""Streams: what a page asks over a WebSocket or an event stream, and whether it was answered."""

from __future__ import annotations

import asyncio

from stockade.engines.events import Request, StreamFrame
from stockade.page.traffic import Traffic

__all__ = ["Conversations"]

ANSWER_CAP = 1.0
"""Seconds in which an answer is expected."""
GREETING_CAP = 3.0
"""Seconds in which a stream that was just opened is expected to answer."""
PAUSE = 0.15
"""Seconds without a message after which an answer is over."""


class Conversations:
    """The streams on which a page has asked for something since an action began.

    A stream that once left a question unanswered is not waited for again.
    """

    def __init__(self, traffic: Traffic, moved: asyncio.Event) -> None:
        self._traffic = traffic
        self._moved = moved
        self._new: set[str] = set()
        self._questions: dict[str, tuple[str, float]] = {}
        self._answers: dict[str, float] = {}

    def note_request(self, request: Request) -> None:
        """An event stream is a question by itself."""
        if request.type in {"EventSource", "WebSocket"}:
            self._new.add(request.id)
        if request.type == "EventSource":
            self._ask(request.id, request.url)

    def note_frame(self, frame: StreamFrame) -> None:
        """Note a message in either direction."""
        if frame.direction == "sent":
            self._ask(frame.request, frame.url)
        elif self._questions.pop(frame.request, None) or frame.request in self._answers:
            self._answers[frame.request] = self._now()
            self._wake_after(PAUSE)

    def is_open(self) -> bool:
        """Whether an answer is expected or still arriving."""
        now = self._now()
        for stream, (url, at) in tuple(self._questions.items()):
            if now - at >= self._patience(stream):
                self._traffic.silent.add(url)
                del self._questions[stream]
        self._answers = {stream: at for stream, at in self._answers.items() if now - at < PAUSE}
        return bool(self._questions or self._answers)

    def _ask(self, stream: str, url: str) -> None:
        if url not in self._traffic.silent:
            self._questions[stream] = (url, self._now())
            self._wake_after(self._patience(stream))

    def _patience(self, stream: str) -> float:
        return GREETING_CAP if stream in self._new else ANSWER_CAP

    def _wake_after(self, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self._moved.set)
        self._moved.set()

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()
