"""The envelope around every call: its id, its masking, its outcome row and its metrics."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from stockade.audit.trail import Trail
from stockade.errors import (
    DialogOpen,
    InternalError,
    MaskingFailed,
    PageAsked,
    ScriptFailed,
    StockadeError,
    TargetError,
)
from stockade.flows.metrics import CallCounts
from stockade.kernel.codes import error_body
from stockade.kernel.journal import Journal
from stockade.kernel.news import News
from stockade.kernel.results import DEFAULT_TOKENS, Reply, compact, fit, set_apart, warned
from stockade.kernel.tokens import estimate
from stockade.masking.masker import Masker
from stockade.masking.scopes import SERVER, of_tenant
from stockade.policy.principal import Principal
from stockade.sessions.manager import same_client
from stockade.sessions.session import Session
from stockade.telemetry.metrics import Metrics

__all__ = ["Envelope", "Sealed"]

_TELLS_OF_PAGES = (TargetError, ScriptFailed, DialogOpen, PageAsked)
"""Errors that quote names, texts and exceptions of a page."""


_OURS = ("call", "tool", "principal", "tenant", "outcome", "ms", "parent")
"""What of a row is our own word."""


@dataclass
class Sealed:
    """What becomes of one call."""

    call: str
    own: Masker
    """Takes out what the caller must not be told, while nothing is known of the call."""
    of_call: Callable[[], Masker] | None = None
    """The same for where the call works."""
    reply: Reply | None = None
    session: str = ""
    tab: str = ""
    origin: str = ""
    within: Session | None = None
    """The session it works in, once that is known."""
    worded: Callable[[str], str] = str
    """Has hints name tools as the caller knows them."""
    keep: Callable[[], Awaitable[Sequence[str]]] | None = None
    """What has to be written before the reply leaves; it says what could not be."""

    @property
    def masker(self) -> Masker:
        """Takes out what the caller must not be told."""
        return self.of_call() if self.of_call is not None else self.own


@dataclass(frozen=True)
class Envelope:
    """Owns what must happen to every call, however it ends."""

    masker: Masker
    trail: Trail
    metrics: Metrics
    news: News = field(default_factory=lambda: News(Masker()))

    @cached_property
    def journal(self) -> Journal:
        """What is told in the log."""
        return Journal(self.masker)

    @asynccontextmanager
    async def around(
        self, call_id: str, principal: Principal, tool: str, parent: str | None
    ) -> AsyncIterator[Sealed]:
        """Run a call inside; afterwards `reply` is there, unless the call was cancelled."""
        sealed = Sealed(call_id, self.masker.within(SERVER, of_tenant(principal.tenant)))
        heard = principal if parent is None else None
        started = time.perf_counter()
        outcome = "cancelled"
        try:
            try:
                yield sealed
            except StockadeError as raised:
                error = sealed.within.blamed(raised) if sealed.within is not None else raised
                self.journal.call_failed(tool, sealed.within, error, call=call_id)
                error.details |= _with_news(sealed, heard, error)
                sealed.reply = _refusal(sealed, error, sealed.origin)
            except Exception:  # noqa: BLE001
                # The last resort of the whole server: told apart in the log, never shown.
                self.journal.call_broke(tool, sealed.within, call=call_id)
                sealed.reply = _refusal(
                    sealed,
                    InternalError(
                        "something went wrong here", hint=f"The log has the rest: {call_id}"
                    ),
                )
            if sealed.reply is not None:
                sealed.reply = warned(sealed.reply, _news(sealed, heard))
            if sealed.reply is not None and sealed.keep is not None:
                sealed.reply = warned(sealed.reply, await self._kept(sealed.keep, tool, sealed))
            reply = sealed.reply
            if reply is not None:
                outcome = "ok" if reply.ok else reply.error.code if reply.error else "failed"
        finally:
            elapsed = time.perf_counter() - started
            self.metrics.calls.labels(tool, outcome).inc()
            self.metrics.seconds.labels(tool).observe(elapsed)
            row: dict[str, Any] = {
                "call": call_id,
                "tool": tool,
                "principal": principal.id,
                "tenant": principal.tenant,
                "session": sealed.session,
                "tab": sealed.tab,
                "origin": sealed.origin,
                "outcome": outcome,
                "ms": round(elapsed * 1000, 1),
            }
            if parent is not None:
                row["parent"] = parent
            self._count(sealed, tool, elapsed, outcome)
            if sealed.within is not None:
                self.journal.call_ended(sealed.within, sealed.tab)
            self._tell(sealed, principal, row)
            await self.trail.outcome(_told(self.masker, row))

    @asynccontextmanager
    async def change(self, principal: Principal, action: str, **facts: Any) -> AsyncIterator[None]:
        """A change that no tool makes: a row before it, and one that says how it ended.

        No row, no change.
        """
        row = {"action": action, "principal": principal.id, "tenant": principal.tenant, **facts}
        await self.trail.intent(self.masker.value(row))
        outcome = "failed"
        try:
            yield
            outcome = "ok"
        except StockadeError as error:
            outcome = error.code
            raise
        finally:
            await self.trail.outcome(_told(self.masker, {**row, "outcome": outcome}))

    async def _kept(
        self, keep: Callable[[], Awaitable[Sequence[str]]], tool: str, sealed: Sealed
    ) -> list[str]:
        try:
            return [sealed.masker.text(each) for each in await keep()]
        except StockadeError as error:
            self.journal.call_failed(tool, sealed.within, error, call=sealed.call)
        except Exception:  # noqa: BLE001
            # As above: the call has been made, and its answer is not lost for this.
            self.journal.call_broke(tool, sealed.within, call=sealed.call)
        return ["the profile could not be kept"]

    def _count(self, sealed: Sealed, tool: str, elapsed: float, outcome: str) -> None:
        if sealed.within is not None:
            text = sealed.reply.text if sealed.reply is not None else ""
            counts = sealed.within.parts.of(CallCounts, CallCounts)
            counts.add(tool, elapsed * 1000, outcome, estimate(text))

    def _tell(self, sealed: Sealed, principal: Principal, row: dict[str, Any]) -> None:
        within = sealed.within
        owner = within.owner if within is not None else principal
        facts = {
            each: row[each] for each in ("call", "tool", "tab", "parent", "ms") if row.get(each)
        }
        ok = row["outcome"] == "ok"
        if not ok:
            facts["code"] = row["outcome"]
        self.news.publish("call.finished", owner, within, ok=ok, **facts)


def _news(sealed: Sealed, hearer: Principal | None) -> list[str]:
    """What became of the session meanwhile, if that is for who calls to hear."""
    within = sealed.within
    if within is None or hearer is None or not same_client(hearer, within.owner):
        return []
    return [sealed.masker.text(each) for each in within.news()]


def _with_news(
    sealed: Sealed, hearer: Principal | None, error: StockadeError
) -> dict[str, list[str]]:
    news = _news(sealed, hearer)
    return {"warnings": [*error.details.get("warnings", ()), *news]} if news else {}


def _refusal(sealed: Sealed, error: StockadeError, source: str = "") -> Reply:
    """The reply that an error becomes; what it says of a page is the page's word."""
    error.hint = sealed.worded(error.hint)
    try:
        body = sealed.masker.value(error_body(error))
        source = sealed.masker.text(source)
    except MaskingFailed as failed:
        # It says nothing but that.
        body, error = error_body(failed), failed
    body = fit(body, DEFAULT_TOKENS)
    if source and isinstance(error, _TELLS_OF_PAGES):
        body = set_apart(body, source)
    return Reply(sealed.call, ok=False, text=compact(body), data=body, error=error)


def _told(masker: Masker, row: dict[str, Any]) -> dict[str, Any]:
    """A row without secrets; if that cannot be made sure, without what pages have a hand in."""
    try:
        told: dict[str, Any] = masker.value(row)
    except MaskingFailed:
        return {each: row[each] for each in _OURS if each in row}
    return told
