"""What pages and workers write to their console, and the exceptions nobody caught."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import msgspec

from stockade.engines.cdp.connection import Command, Session
from stockade.engines.cdp.previews import Remote, cut, render, render_line
from stockade.engines.events import ConsoleMessage, Event, Events, PageError

__all__ = ["Console"]

_log = logging.getLogger(__name__)
_LINES = 1000
_ERRORS = 200
_LONGEST_TEXT = 4 << 10
_LONGEST_RAW = 4 << 10
_PASSED_ON_PER_SECOND = 500
_OBJECTS_HELD = 100

_LEVELS = {
    "log": "log",
    "debug": "debug",
    "verbose": "debug",
    "info": "info",
    "warning": "warning",
    "error": "error",
    "assert": "error",
}
_SILENT = (
    b'{"type":"clear"',
    b'{"type":"endGroup"',
    b'{"type":"profile"',
    b'{"type":"profileEnd"',
)
"""Calls that write no line."""
_RETHROWN = b'"exception":{"type":"object","subtype":"null"'
"""A worker repeats what its own workers throw, without the exception."""
_FAVICON = b'/favicon.ico","networkRequestId"'
"""The browser asked for it, not the page."""
_TOLD_BY_WORKER = b'{"entry":{"source":"worker"'
"""A page repeats what its workers say; they say it better themselves."""

L = TypeVar("L", bound=Event)


class _CallFrame(msgspec.Struct):
    url: str = ""
    lineNumber: int = 0


class _StackTrace(msgspec.Struct):
    callFrames: list[_CallFrame] = []


class _Called(msgspec.Struct):
    type: str
    timestamp: float
    args: list[Remote] = []
    stackTrace: _StackTrace | None = None


class _Details(msgspec.Struct):
    text: str = ""
    url: str = ""
    lineNumber: int = 0
    exception: Remote | None = None
    stackTrace: _StackTrace | None = None


class _Thrown(msgspec.Struct):
    timestamp: float
    exceptionDetails: _Details


class _LogEntry(msgspec.Struct):
    source: str = ""
    level: str = "info"
    text: str = ""
    timestamp: float = 0
    url: str = ""
    lineNumber: int = 0


class _Added(msgspec.Struct):
    entry: _LogEntry


class Console:
    """The last console lines and errors of the sessions it watches.

    A page can write a hundred thousand lines a second. They are kept as they came and read when
    somebody looks, so that a flood costs its bytes and no more.
    """

    def __init__(self, events: Events, top_document: Callable[[], str] = str) -> None:
        self._top_document = top_document
        self._lines: _Ring[ConsoleMessage] = _Ring(_LINES, events, ConsoleMessage, _left_out)
        self._errors: _Ring[PageError] = _Ring(_ERRORS, events, PageError)

    def setup(self, session: Session) -> Sequence[Command]:
        """Hear of console lines; `Runtime` is enabled for the worlds anyway."""
        del session
        return [("Log.enable", {})]

    def watch(self, session: Session, source: str = "page") -> None:
        """Take in what one session tells."""
        handles = _Handles(session)

        def called(raw: msgspec.Raw) -> None:
            data = bytes(memoryview(raw))
            if not data.startswith(_SILENT):
                self._lines.add(data, _called, source, self._top_document())
            handles.count(data)

        def added(raw: msgspec.Raw) -> None:
            data = bytes(memoryview(raw))
            if not data.startswith(_TOLD_BY_WORKER) and _FAVICON not in data:
                self._lines.add(data, _added, source, self._top_document())

        def thrown(raw: msgspec.Raw) -> None:
            data = bytes(memoryview(raw))
            if _RETHROWN not in data:
                self._errors.add(data, _thrown, source, self._top_document())
            handles.count(data)

        session.on("Runtime.consoleAPICalled", called, msgspec.Raw)
        session.on("Log.entryAdded", added, msgspec.Raw)
        session.on("Runtime.exceptionThrown", thrown, msgspec.Raw)

    @property
    def messages(self) -> Sequence[ConsoleMessage]:
        """The last lines, oldest first."""
        return self._lines.read()

    @property
    def errors(self) -> Sequence[PageError]:
        """The last uncaught exceptions, oldest first."""
        return self._errors.read()


class _Handles:
    """Chromium keeps every logged object until it is told to forget what it logged."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._held = 0

    def count(self, data: bytes) -> None:
        """Look whether an event brought an object, and let them go once they are many."""
        if b'"objectId"' in data:
            self._held += 1
            if self._held >= _OBJECTS_HELD:
                self._held = 0
                self._session.post(("Runtime.discardConsoleEntries", {}))


_Reader = Callable[[bytes, str, str], L]
_Raw = tuple[bytes, _Reader[L], str, str]


class _Ring(Generic[L]):
    """The last few of one kind of event, read from their raw form when wanted."""

    def __init__(
        self,
        count: int,
        events: Events,
        kind: type[L],
        left_out: Callable[[int], L] | None = None,
    ) -> None:
        self._events = events
        self._kind = kind
        self._left_out = left_out
        self._items: deque[L | _Raw[L]] = deque(maxlen=count)
        self._second = 0
        self._passed_on = 0
        self._kept_back = 0

    def add(self, data: bytes, read: _Reader[L], source: str, top_document: str) -> None:
        """Take in one event."""
        raw = data, read, source, top_document
        wanted = self._events.wanted(self._kind) and self._may_pass_on()
        if not wanted and len(data) <= _LONGEST_RAW:
            self._items.append(raw)
            return
        item = _read(raw)
        if item is None:
            return
        self._items.append(item)
        if wanted:
            self._events.emit(item)

    def _may_pass_on(self) -> bool:
        """Listeners get so many a second; what they miss is counted, and still in the ring."""
        second = int(time.monotonic())
        if second != self._second:
            self._second, self._passed_on = second, 0
            if self._kept_back and self._left_out is not None:
                kept_back, self._kept_back = self._kept_back, 0
                self._events.emit(self._left_out(kept_back))
        self._passed_on += 1
        if self._passed_on > _PASSED_ON_PER_SECOND:
            self._kept_back += 1
            return False
        return True

    def read(self) -> Sequence[L]:
        """All that is kept, oldest first."""
        read = [_read(item) if isinstance(item, tuple) else item for item in self._items]
        items = [item for item in read if item is not None]
        self._items.clear()
        self._items.extend(items)
        return items


def _read(raw: _Raw[L]) -> L | None:
    data, read, source, top_document = raw
    try:
        return read(data, source, top_document)
    except msgspec.MsgspecError as error:
        # One odd line must not hide the others.
        _log.warning("a console event is not as expected: %s", error)
        return None


def _called(data: bytes, source: str, top_document: str) -> ConsoleMessage:
    event = msgspec.json.decode(data, type=_Called)
    text = render_line(event.args)
    if event.type == "assert":
        text = "Assertion failed" + (f": {text}" if text != "console.assert" else "")
    url, line = _place(event.stackTrace)
    return ConsoleMessage(
        level=_LEVELS.get(event.type, "log"),
        text=cut(text, _LONGEST_TEXT),
        url=url,
        line=line,
        at=event.timestamp / 1000,
        source=source,
        top_document=top_document,
    )


def _added(data: bytes, source: str, top_document: str) -> ConsoleMessage:
    entry = msgspec.json.decode(data, type=_Added).entry
    return ConsoleMessage(
        level=_LEVELS.get(entry.level, "log"),
        text=cut(entry.text, _LONGEST_TEXT),
        url=entry.url,
        line=entry.lineNumber + 1,
        at=entry.timestamp / 1000,
        source=entry.source if source == "page" else source,
        top_document=top_document,
    )


def _thrown(data: bytes, source: str, top_document: str) -> PageError:
    event = msgspec.json.decode(data, type=_Thrown)
    details = event.exceptionDetails
    text = details.text
    if details.exception is not None:
        text = f"{text} {render(details.exception)}"
    url, line = _place(details.stackTrace)
    return PageError(
        text=cut(text, _LONGEST_TEXT),
        url=details.url or url,
        line=details.lineNumber + 1 if details.url else line,
        at=event.timestamp / 1000,
        source=source,
        top_document=top_document,
    )


def _place(stack: _StackTrace | None) -> tuple[str, int]:
    if stack is None or not stack.callFrames:
        return "", 0
    return stack.callFrames[0].url, stack.callFrames[0].lineNumber + 1


def _left_out(count: int) -> ConsoleMessage:
    return ConsoleMessage(
        level="warning",
        text=f"{count} console lines were too many to pass on one by one",
        url="",
        line=0,
        at=time.time(),
        source="stockade",
    )
