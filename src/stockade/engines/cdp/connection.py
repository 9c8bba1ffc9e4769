"""CDP messages: commands with deadlines, answers, events, and the sessions they belong to."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

import msgspec

from stockade.errors import (
    BrowserGone,
    DeadlineExceeded,
    DialogOpen,
    InvalidArgument,
    NavigationRace,
    ProtocolFault,
    StockadeError,
    TabClosed,
    TabCrashed,
)

__all__ = ["PROCESS_CHANGES", "Command", "Connection", "Session"]

_log = logging.getLogger(__name__)
T = TypeVar("T")
Command = tuple[str, Mapping[str, Any]]
"""A method and its parameters."""
_NOTHING = msgspec.Raw(b"{}")


class _Refusal(msgspec.Struct):
    message: str = ""
    code: int = 0
    data: str = ""


class _Message(msgspec.Struct):
    """Only the head of a message is parsed; the body waits for somebody who wants it."""

    id: int = 0
    method: str = ""
    sessionId: str = ""
    params: msgspec.Raw = _NOTHING
    result: msgspec.Raw = _NOTHING
    error: _Refusal | None = None


_decode_head = msgspec.json.Decoder(_Message).decode
_encode = msgspec.json.Encoder().encode

_HALF_CHARACTER = re.compile(
    rb"(\\\\|\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w)|\\u[dD][89a-fA-F]\w\w"
)


def _mend(data: bytes) -> bytes:
    """Replace lone surrogates: pages can write them, JSON decoders refuse them."""
    return _HALF_CHARACTER.sub(lambda match: match[1] or rb"\ufffd", data)


_WITH_DIALOG = (
    "Page.handleJavaScriptDialog",
    "Page.getNavigationHistory",
    "Page.setWebLifecycleState",
    "Page.startScreencast",
    "Page.stopScreencast",
    "Storage.",
    "Target.",
    "Browser.",
    "Fetch.",
    "IO.",
    "Runtime.runIfWaitingForDebugger",
)
"""What the browser still answers while a JavaScript dialog is open."""

PROCESS_CHANGES = "Not attached to an active page"
"""Why commands about a page are refused, and not carried out, while it gets another process."""

_DOCUMENT_REPLACED = (
    "Inspected target navigated or closed",
    "Execution context was destroyed",
    "Cannot find context with specified id",
    "Cannot find execution context",
    "uniqueContextId not found",
    "Argument should belong to the same JavaScript world",
    "Promise was collected",
    "Frame with the given id was not found",
    "Frame with the given frameId is not found",
    "No frame for given id found",
    "Could not find object with given id",
    "No node with given id found",
    "Node with given id does not belong to the document",
    PROCESS_CHANGES,
)

_TARGET_GONE = (
    "No target with given id",
    "No target found for targetId",
)


class Connection:
    """All traffic with one browser."""

    def __init__(self) -> None:
        self._write: Callable[[bytes], None] = lambda _: None
        self._close: Callable[[], None] = lambda: None
        self._next_id = 0
        self._pending: dict[int, tuple[asyncio.Future[msgspec.Raw], Session, str]] = {}
        self._contexts: dict[int, int] = {}
        """The script context that a pending call runs in."""
        self._sessions: dict[str, Session] = {}
        self._gone: StockadeError | None = None
        self.on_lost: Callable[[], None] = lambda: None
        self.answers = 0
        """How many commands were answered so far."""
        self.root = Session(self, "")
        self._sessions[""] = self.root

    def opened(self, write: Callable[[bytes], None], close: Callable[[], None]) -> None:
        """Talk through `write` from now on."""
        self._write = write
        self._close = close

    def close(self) -> None:
        """Close our end."""
        self._close()
        self.lost()

    def session(self, session_id: str) -> Session:
        """Begin a session the browser has announced."""
        session = Session(self, session_id)
        self._sessions[session_id] = session
        return session

    def find(self, session_id: str) -> Session | None:
        """The session of that name, while it lasts."""
        return self._sessions.get(session_id)

    def forget(self, session: Session, error: StockadeError) -> None:
        """End a session: its calls fail now, later ones at once."""
        self._sessions.pop(session.id, None)
        session.fail(error)

    def received(self, data: bytes) -> None:
        """Take in one message."""
        try:
            message = _decode_head(data)
        except msgspec.DecodeError:
            message = _decode_head(_mend(data))
        if message.id:
            self.answers += 1
            entry = self._pending.pop(message.id, None)
            if entry is not None and not entry[0].done():
                future, session, method = entry
                if message.error is None:
                    future.set_result(message.result)
                else:
                    future.set_exception(_refusal(message.error, method, session))
            return
        target = self._sessions.get(message.sessionId)
        if target is not None:
            target.dispatch(message.method, message.params)

    def lost(self, error: StockadeError | None = None) -> None:
        """The browser is gone: everything under way fails now."""
        if self._gone is not None:
            return
        self._gone = error or BrowserGone("the browser has ended")
        for session in tuple(self._sessions.values()):
            session.fail(self._gone)
        self._pending.clear()
        self.on_lost()

    @property
    def gone(self) -> StockadeError | None:
        """Why nothing can be sent any more."""
        return self._gone

    def fail_pending(self, session: Session, error: StockadeError, *, dialog: bool = False) -> None:
        """Fail the calls of `session` that are under way; with `dialog`, only those it blocks."""
        for call_id, (future, owner, method) in tuple(self._pending.items()):
            if owner is not session or (dialog and method.startswith(_WITH_DIALOG)):
                continue
            del self._pending[call_id]
            if not future.done():
                future.set_exception(error)

    def fail_scripts(self, session: Session, error: StockadeError, context: int | None) -> None:
        """Fail the calls into a script context that is gone; into all of them when it is None."""
        for call_id, (future, owner, method) in tuple(self._pending.items()):
            if owner is session and method == "Runtime.callFunctionOn":
                if context is not None and self._contexts.get(call_id) != context:
                    continue
                if not future.done():
                    future.set_exception(error)

    def post(self, session: Session, commands: Iterable[Command]) -> list[int]:
        """Write commands in one go, and say their numbers."""
        if self._gone is not None:
            raise self._gone
        numbers: list[int] = []
        out = bytearray()
        for method, params in commands:
            self._next_id += 1
            numbers.append(self._next_id)
            command: dict[str, Any] = {"id": self._next_id, "method": method, "params": params}
            if session.id:
                command["sessionId"] = session.id
            try:
                out += _encode(command)
            except UnicodeEncodeError:
                raise InvalidArgument("the text has half a character in it") from None
            out.append(0)
        self._write(bytes(out))
        return numbers

    def submit(
        self, session: Session, commands: Sequence[Command], timeout: float
    ) -> list[asyncio.Future[msgspec.Raw]]:
        """Write commands in one go; each future ends by the deadline, whatever happens."""
        loop = asyncio.get_running_loop()
        futures: list[asyncio.Future[msgspec.Raw]] = []
        for number, (method, params) in zip(self.post(session, commands), commands, strict=True):
            future: asyncio.Future[msgspec.Raw] = loop.create_future()
            self._pending[number] = (future, session, method)
            if "executionContextId" in params:
                self._contexts[number] = params["executionContextId"]
            timer = loop.call_later(max(timeout, 0), _late, future, method, timeout)

            def done(
                future: asyncio.Future[msgspec.Raw],
                number: int = number,
                timer: asyncio.TimerHandle = timer,
            ) -> None:
                timer.cancel()
                self._pending.pop(number, None)
                self._contexts.pop(number, None)
                # Whoever awaited it may be gone; the error is not lost, it has no reader.
                _ = future.cancelled() or future.exception()

            future.add_done_callback(done)
            futures.append(future)
        return futures


def _late(future: asyncio.Future[msgspec.Raw], method: str, timeout: float) -> None:
    if not future.done():
        future.set_exception(DeadlineExceeded(f"{method} did not answer within {timeout:g} s"))


class Session:
    """A conversation with one target."""

    def __init__(self, connection: Connection, session_id: str) -> None:
        self.connection = connection
        self.id = session_id
        self.dialog_open: Callable[[], bool] = lambda: False
        self._handlers: dict[
            str, list[tuple[msgspec.json.Decoder[Any], Callable[[Any], None]]]
        ] = {}
        self._failure: StockadeError | None = None
        self._crashed = False

    @property
    def failure(self) -> StockadeError | None:
        """Why this session takes no more commands."""
        return self._failure

    def on(self, method: str, handler: Callable[[T], None], kind: type[T]) -> Callable[[], None]:
        """Call `handler` with every such event, parsed as `kind`, until the answer is called."""
        entry = (msgspec.json.Decoder(kind), handler)
        # A new list each time: events may come while handlers come and go.
        self._handlers[method] = [*self._handlers.get(method, ()), entry]

        def off() -> None:
            left = [each for each in self._handlers.get(method, ()) if each is not entry]
            self._handlers[method] = left

        return off

    def dispatch(self, method: str, params: msgspec.Raw) -> None:
        """Pass an event on; what nobody asked for is never parsed."""
        for decoder, handler in self._handlers.get(method, ()):
            try:
                event = decoder.decode(params)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                # One odd event must not end the conversation with the whole browser.
                _log.warning("%s is not as expected: %s", method, error)
                continue
            handler(event)

    def fail(self, error: StockadeError) -> None:
        """End the session for good."""
        if self._failure is None:
            self._failure = error
        self.connection.fail_pending(self, error)

    def crashed(self, error: TabCrashed) -> None:
        """The renderer is gone: fail what is under way, and all but navigation from now on."""
        self._crashed = True
        self.connection.fail_pending(self, error)

    def revived(self) -> None:
        """A navigation gave the target a new renderer."""
        self._crashed = False

    def context_gone(self, context: int | None = None) -> None:
        """A script context was destroyed, or all: what runs there will never answer."""
        error = NavigationRace("the document changed during the call")
        self.connection.fail_scripts(self, error, context)

    def interrupted(self, error: DialogOpen) -> None:
        """A dialog opened: fail what it blocks."""
        self.connection.fail_pending(self, error, dialog=True)

    def _check(self, method: str) -> None:
        if self._failure is not None:
            raise self._failure
        if self._crashed and not method.startswith(("Page.navigate", "Page.reload", "Target.")):
            raise TabCrashed("the tab's renderer has crashed")
        if self.dialog_open() and not method.startswith(_WITH_DIALOG):
            raise DialogOpen("a JavaScript dialog is open")

    async def send(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        timeout: float,
    ) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        return await self.send_typed(method, params, dict[str, Any], timeout=timeout)

    async def send_typed(
        self, method: str, params: Mapping[str, Any] | None, kind: type[T], *, timeout: float
    ) -> T:
        """Send a command and parse its answer as `kind`."""
        self._check(method)
        [future] = self.connection.submit(self, [(method, params or {})], timeout)
        return msgspec.json.decode(await future, type=kind)

    async def send_all(
        self, commands: Sequence[Command], *, timeout: float
    ) -> list[dict[str, Any]]:
        """Send commands in one write, then wait for all answers; the first refusal is raised."""
        answers = await self.gather(commands, timeout=timeout)
        for answer in answers:
            if isinstance(answer, StockadeError):
                raise answer
        return cast("list[dict[str, Any]]", answers)

    async def gather(
        self, commands: Sequence[Command], *, timeout: float
    ) -> list[dict[str, Any] | StockadeError]:
        """Send commands in one write, then wait for all answers, refusals among them."""
        for method, _ in commands:
            self._check(method)
        answers: list[dict[str, Any] | StockadeError] = []
        for future in self.connection.submit(self, commands, timeout):
            try:
                answers.append(msgspec.json.decode(await future, type=dict[str, Any]))
            except StockadeError as error:
                answers.append(error)
        return answers

    def post(self, *commands: Command) -> None:
        """Send commands in one write and do not wait; a session that is gone takes none."""
        if self._failure is None and self.connection.gone is None:
            self.connection.post(self, commands)


def _refusal(refusal: _Refusal, method: str, session: Session) -> StockadeError:
    text = refusal.message
    if any(text.startswith(part) or part in text for part in _DOCUMENT_REPLACED):
        return NavigationRace("the document changed during the call", reason=text)
    if "Session with given id not found" in text or "No session with given id" in text:
        return session.failure or TabClosed("the tab is gone")
    if "Target crashed" in text or "target has crashed" in text.lower():
        return TabCrashed("the tab's renderer has crashed")
    if any(part in text for part in _TARGET_GONE):
        return TabClosed("the tab is gone", reason=text)
    detail = f" ({refusal.data})" if refusal.data else ""
    return ProtocolFault(f"{method}: {text}{detail}")
