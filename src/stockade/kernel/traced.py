"""Tracing a session: its calls, pictures, traffic and console, until it ends, as one archive."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from stockade.engines.events import ConsoleMessage, PageError
from stockade.errors import Conflict, StockadeError
from stockade.instruments.trace_archive import Line, Screen, Traced, TracedCall, write_archive
from stockade.kernel.results import compact
from stockade.masking.masker import Masker
from stockade.media.strip import Strip
from stockade.policy.capabilities import Capability
from stockade.sessions.changes import SessionEnded, TabOpened
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.telemetry.logs import get_logger
from stockade.traffic.bodies import masked_here
from stockade.traffic.har import Exchange, HarOptions, entry
from stockade.traffic.recording import Recording

if TYPE_CHECKING:
    from stockade.kernel.call import Call
    from stockade.kernel.dispatch import Kernel

__all__ = ["Tracing", "start_tracing", "traced"]

_log = get_logger("stockade.kernel")

_MOST_CALLS = 5000
_MOST_LINES = 2000
_LONGEST_TEXT = 2000
_MOST_PICTURES = 40 << 20
_MOST_BODIES = 20 << 20
_STOP_PATIENCE = 3.0
_PRIVATE: Final = frozenset(
    {"content", "cookies", "fields", "files", "storageState", "text", "value", "values"}
)
"""Arguments that may be what nobody else is to read: a password is typed like any other text."""


class Tracing:
    """The trace of one session, from its start to the session's end; a part of the session."""

    def __init__(self, kernel: Kernel, session: Session, masker: Masker) -> None:
        self._kernel = kernel
        self._session = session
        self._began = time.time()
        self._calls: list[TracedCall] = []
        self._lines: list[Line] = []
        # Both together always fit.
        quota = kernel.settings.traces_quota or _MOST_PICTURES * 2
        self._strip = Strip(session, min(_MOST_PICTURES, quota // 2), masker)
        self._most_bodies = min(_MOST_BODIES, quota // 4)
        private = Capability.NETWORK_BODY not in session.policy.capabilities
        options = HarOptions(content="omit" if private else "attach", private=private)
        self._recording = Recording(session, options)
        self._offs: list[Callable[[], None]] = []
        self._written = False

    async def begin(self) -> None:
        """Start the session's browser, and keep what happens from now on."""
        changes = self._session.changes
        self._offs = [changes.on(TabOpened, self._opened), changes.on(SessionEnded, self._ended)]
        self._session.before_end.append(self._finished)
        self._strip.start()
        await self._recording.begin()

    # --- what happens ---------------------------------------------------------------------------

    def add(self, call: TracedCall) -> None:
        """A call has ended."""
        if len(self._calls) < _MOST_CALLS:
            self._calls.append(call)

    def _opened(self, event: TabOpened) -> None:
        tab = event.tab
        if tab.session is not self._session:
            return
        # The page's hub goes with the page, and these with it.
        events = tab.page.events
        events.on(ConsoleMessage, lambda each: self._said(tab, each.level, each))
        events.on(PageError, lambda each: self._said(tab, "uncaught", each))

    def _said(self, tab: Tab, level: str, event: ConsoleMessage | PageError) -> None:
        room = not self._written and len(self._lines) < _MOST_LINES
        if room and self._session.policy.admits(tab.url):
            text = event.text[:_LONGEST_TEXT]
            self._lines.append(Line(tab.id, time.time(), level, text, event.url, event.line))

    # --- the end --------------------------------------------------------------------------------

    def abandon(self) -> None:
        """It did not come to be."""
        self._written = True
        self._session.parts.drop(Tracing)
        for off in self._offs:
            off()
        self._session.work.start(self._let_go)

    async def _let_go(self) -> None:
        await self._strip.stop()
        self._strip.discard()

    def _ended(self, event: SessionEnded) -> None:
        """The session ended without time to prepare, as when the server stops."""
        if event.session is self._session:
            self._session.work.start(self._finish)

    async def _finished(self) -> None:
        # In full, however long who ends the session has patience.
        await self._session.work.finish(self._finish)

    async def _finish(self) -> None:
        """Write the archive, once."""
        if self._written:
            return
        self._written = True
        self._session.parts.drop(Tracing)
        for off in self._offs:
            off()
        try:
            await self._strip.stop()
            exchanges = await self._recording.stop(timeout=_STOP_PATIENCE)
            await asyncio.to_thread(self._write, exchanges)
        except (StockadeError, OSError) as error:
            _log.warning("a trace was lost", session=self._session.id, why=str(error))
        finally:
            self._strip.discard()

    def _write(self, exchanges: Sequence[Exchange]) -> None:
        session, masker = self._session, self._kernel.masker_in(self._session)
        bodies: dict[str, bytes] = {}
        rows = [self._entry(each, bodies) for each in exchanges]
        viewport = session.emulation.viewport
        told = Traced(
            title=masker.text(session.name),
            browser=self._recording.browser,
            began=self._began,
            viewport=(viewport.width, viewport.height),
            calls=self._calls,
            screens=[
                Screen(each.tab, each.at, each.width, each.height, f"{each.digest}.jpeg")
                for each in self._strip.pictures
            ],
            lines=[
                replace(each, text=masker.text(each.text), url=masker.text(each.url))
                for each in self._lines
            ],
            exchanges=masker.value(rows),
        )
        pictures = ((f"{name}.jpeg", content) for name, content in self._strip.contents())
        with tempfile.TemporaryFile(dir=session.limits.scratch) as file:
            archive: BinaryIO = file
            write_archive(archive, told, chain(pictures, bodies.items()))
            size = file.tell()
            file.seek(0)
            self._kernel.traces.save(session.owner, session.name, archive, size)

    def _entry(self, exchange: Exchange, bodies: dict[str, bytes]) -> dict[str, Any]:
        """An exchange as archives describe it; its body is a resource of its own."""
        masker = self._kernel.masker_in(self._session)
        exchange.sent = masked_here(masker, exchange.sent)
        found = entry(exchange, self._recording.options)
        found["_started"] = exchange.request.started
        room = sum(map(len, bodies.values())) + len(exchange.received or b"") <= self._most_bodies
        if exchange.received and room:
            body = masked_here(masker, exchange.received)
            name = hashlib.sha1(body, usedforsecurity=False).hexdigest()
            found["response"]["content"]["_sha1"] = name
            bodies[name] = body
        return found


async def start_tracing(call: Call, session: Session) -> None:
    """Trace a session from its first tab on, until it ends; one that is traced already stays so."""
    if session.parts.get(Tracing) is not None:
        return
    call.policy.require(Capability.READ, "a trace")
    if session.context is not None or session.tab_count:
        raise Conflict(
            "trace must be set on session creation. "
            "DELETE /sessions/:userId first to restart with tracing."
        )
    tracing = session.parts.of(Tracing, lambda: Tracing(call.kernel, session, call.masker))
    try:
        await tracing.begin()
    except BaseException:
        tracing.abandon()
        raise


@asynccontextmanager
async def traced(call: Call) -> AsyncIterator[None]:
    """Around a call: what became of it is told to the trace of its session, if there is one."""
    started = time.time()
    failed = ""
    try:
        yield
    except StockadeError as error:
        failed = error.message
        raise
    except BaseException as error:
        failed = type(error).__name__
        raise
    finally:
        session = call.session_or_none
        tracing = session.parts.get(Tracing) if session is not None else None
        if tracing is not None:
            tracing.add(_traced_call(call, started, failed))


def _traced_call(call: Call, started: float, failed: str) -> TracedCall:
    masker = call.masker
    given = call.arguments.model_dump(mode="json", by_alias=True, exclude_unset=True)
    arguments = {
        name: _concealed(value) if name in _PRIVATE or _is_long(value) else masker.value(value)
        for name, value in given.items()
        if name != "session"
    }
    return TracedCall(
        call.id,
        call.tool.name,
        arguments,
        call.tab_or_none.id if call.tab_or_none is not None else "",
        started,
        time.time(),
        call.parent.id if call.parent is not None else "",
        masker.text(failed),
    )


def _is_long(value: Any) -> bool:
    return len(value if isinstance(value, str) else compact(value)) > _LONGEST_TEXT


def _concealed(value: Any) -> str:
    what = "characters" if isinstance(value, str) else "entries"
    return f"<{len(value)} {what}>" if hasattr(value, "__len__") else "<hidden>"
