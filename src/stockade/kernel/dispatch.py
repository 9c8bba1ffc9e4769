"""Dispatch: every tool call from every surface goes through `Kernel.call`, stage by stage."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from stockade.audit.trail import Trail
from stockade.config import Settings
from stockade.errors import DeadlineExceeded, InvalidArgument
from stockade.files.artifacts import Artifacts
from stockade.files.diagnostics import Diagnostics
from stockade.files.profiles import Profiles
from stockade.files.states import States
from stockade.files.traces import Traces
from stockade.files.uploads import Uploads
from stockade.kernel.arguments import (
    Arguments,
    Coordinates,
    InSession,
    InTab,
    OptionalTarget,
)
from stockade.kernel.call import Call, Progress
from stockade.kernel.complaints import complaints
from stockade.kernel.diagnostics import Recorder
from stockade.kernel.envelope import Envelope, Sealed
from stockade.kernel.news import News
from stockade.kernel.recorded import step_after, step_before
from stockade.kernel.registry import Registry
from stockade.kernel.results import Reply, Result, compact, fit, page_block, plain, set_apart
from stockade.kernel.targets import target_of
from stockade.kernel.tokens import cut
from stockade.kernel.tool import Tool
from stockade.kernel.traced import traced
from stockade.kernel.turns import Turns
from stockade.masking.masker import Masker
from stockade.policy.capabilities import Capability
from stockade.policy.principal import Principal
from stockade.sessions.manager import DEFAULT_SESSION, Sessions
from stockade.telemetry.metrics import Metrics
from stockade.urls import origin_of

__all__ = ["Kernel", "new_call_id"]


def new_call_id() -> str:
    """A name for one call, by which logs and results are brought together."""
    return f"call_{secrets.token_hex(8)}"


class Kernel:
    """The one way to a browser."""

    def __init__(  # noqa: PLR0913
        self,
        registry: Registry,
        sessions: Sessions,
        settings: Settings,
        artifacts: Artifacts,
        uploads: Uploads,
        *,
        states: States,
        profiles: Profiles,
        traces: Traces,
        diagnostics: Diagnostics,
        trail: Trail,
        masker: Masker,
        metrics: Metrics,
    ) -> None:
        self.registry = registry
        self.sessions = sessions
        self.settings = settings
        self.artifacts = artifacts
        self.uploads = uploads
        self.states = states
        self.profiles = profiles
        self.traces = traces
        self.recorder = Recorder(diagnostics)
        self.masker = masker
        self.metrics = metrics
        self._trail = trail
        self.news = News(masker)
        self.news.follow(sessions)
        self._turns = Turns()
        self.envelope = Envelope(masker, trail, metrics, self.news)
        self.envelope.journal.follow(sessions)

    async def call(
        self,
        principal: Principal,
        name: str,
        arguments: Mapping[str, Any],
        *,
        toolsets: frozenset[str] | None = None,
        parent: Call | None = None,
        progress: Progress | None = None,
    ) -> Reply:
        """Make a call; whatever goes wrong is in the reply. The caller has been authenticated."""
        call_id = new_call_id()
        label = name if self.registry.knows(name) else "unknown"
        outer = parent.id if parent is not None else None
        started = time.perf_counter()
        made: Call | None = None
        async with self.envelope.around(call_id, principal, label, outer) as sealed:
            sealed.keep = lambda: self._keep(principal, arguments, sealed)
            tool = self.registry.offered(name, toolsets)
            call = made = Call(
                id=call_id,
                kernel=self,
                principal=principal,
                tool=tool,
                arguments=_validated(tool, arguments),
                deadline=0.0,
                toolsets=toolsets,
                parent=parent,
                progress=progress,
            )
            await self._find_session(call, sealed)
            self._static_policy(call)
            self._tell_of(call)
            async with traced(call), self._limits(call):
                result = await self._in_time(call, sealed)
            sealed.reply = self._rendered(call, result)
        if sealed.reply is None:
            raise asyncio.CancelledError
        took = time.perf_counter() - started
        await self.recorder.call(principal, made, arguments, sealed.reply, took * 1000)
        return sealed.reply

    # --- stages ---------------------------------------------------------------------------------

    async def _find_session(self, call: Call, sealed: Sealed) -> None:
        """Ownership: what belongs to another is as if it were not there."""
        arguments = call.arguments
        if call.tool.reach == "server" or not isinstance(arguments, InSession):
            return
        session = await self.sessions.reach(
            call.principal, arguments.session, opens=call.tool.opens
        )
        session.touch()
        session.calls += 1
        call.session_or_none = session
        sealed.session = session.id
        sealed.within = session

    def _static_policy(self, call: Call) -> None:
        """What can be refused without looking at a page."""
        call.principal.policy.require(call.tool.capability, call.tool.name)
        call.policy.require(call.tool.capability, call.tool.name)
        address = getattr(call.arguments, "url", None)
        if isinstance(address, str):
            call.policy.check_address(address)

    def _tell_of(self, call: Call) -> None:
        within = call.session_or_none
        owner = within.owner if within is not None else call.principal
        facts = {"parent": call.parent.id} if call.parent is not None else {}
        self.news.publish("call.started", owner, within, call=call.id, tool=call.tool.name, **facts)

    @asynccontextmanager
    async def _limits(self, call: Call) -> AsyncIterator[None]:
        """A slot of the session, the tab's lease and a turn, unless an outer call has them."""
        session = call.session_or_none
        if session is None:
            call.deadline = self._deadline(call)
            yield
            return
        held = _holders(call)
        async with AsyncExitStack() as stack:
            if session not in [each.session_or_none for each in held]:
                await stack.enter_async_context(session.slots.hold(self.settings.queue_wait))
            if not session.running:
                # To start a browser is work too.
                await self._take_turn(call, stack)
            if call.tool.reach == "tab" and isinstance(call.arguments, InTab):
                tab = await session.tab(call.arguments.tab)
                if tab not in [each.tab_or_none for each in held]:
                    await stack.enter_async_context(tab.lease.hold(self.settings.tab_wait))
                tab.ensure_open()
                call.tab_or_none = tab
                if not held:
                    tab.calls += 1
            await self._take_turn(call, stack)
            # Time in a queue is not the call's own.
            call.deadline = self._deadline(call)
            try:
                yield
            finally:
                session.touch()
                if call.tab_or_none is not None:
                    call.tab_or_none.touch()

    async def _take_turn(self, call: Call, stack: AsyncExitStack) -> None:
        """Wait until the caller may have one more call at work, unless an outer call still is."""
        outer = call.parent.turn if call.parent is not None else None
        call.turn = call.turn or (outer if outer is not None and not outer.over else None)
        if call.turn is not None:
            return
        wait = self.settings.queue_wait
        if call.parent is not None:
            wait = min(wait, call.parent.left)
        who = call.principal.tenant, call.principal.id, call.principal.client
        call.turn = await stack.enter_async_context(self._turns.take(who, call.session.id, wait))

    async def _in_time(self, call: Call, sealed: Sealed) -> Any:
        """Run it; what the page does beyond that is ended, or nobody could use the tab."""
        try:
            try:
                async with asyncio.timeout_at(call.deadline):
                    return await self._within_deadline(call, sealed)
            except TimeoutError:
                raise DeadlineExceeded(f"{call.tool.name} did not finish in time") from None
        except (DeadlineExceeded, asyncio.CancelledError):
            if call.tab_or_none is not None:
                # What an action set off goes on: it may be a download that is slow to begin.
                stay = call.tool.reads or call.tool.capability is Capability.NAVIGATION
                await call.session.work.finish(lambda: call.tab.unblock(navigation=stay))
            raise

    async def _within_deadline(self, call: Call, sealed: Sealed) -> Any:
        if call.tab_or_none is not None:
            tab = call.tab
            sealed.tab = tab.id
            sealed.origin = origin_of(tab.url)
            if call.tool.held_by_dialog:
                await tab.clear_dialog(timeout=call.left)
            await self._find_target(call)
            self._dynamic_policy(call)
        if not call.tool.reads:
            row = {
                "call": call.id,
                "tool": call.tool.name,
                "principal": call.principal.id,
                "session": sealed.session,
                "origin": sealed.origin,
                "target": call.target or "",
            }
            await self._trail.intent(self.masker.value(row))
        step = await step_before(call)
        result = await call.tool.run(call, call.arguments)
        await step_after(call, step, result)
        return result

    async def _find_target(self, call: Call) -> None:
        """The element that is meant, while nobody else works in the tab."""
        wanted = call.arguments
        if not isinstance(wanted, OptionalTarget) or not wanted.found_first:
            return
        found = await target_of(call, wanted)
        if isinstance(found, Coordinates):
            call.arguments = wanted.model_copy(update={"coords": found})
        else:
            call.target = found

    def _dynamic_policy(self, call: Call) -> None:
        """A page that the policy does not admit is neither read nor acted on, only left."""
        if call.tool.capability is not Capability.NAVIGATION:
            call.policy.check_shown(call.tab.url)

    def _deadline(self, call: Call) -> float:
        wanted: int | None = getattr(call.arguments, "timeout_ms", None)
        seconds = wanted / 1000 if wanted is not None else self.settings.call_deadline
        deadline = asyncio.get_running_loop().time() + seconds + call.arguments.lasts
        return min(deadline, call.parent.deadline) if call.parent is not None else deadline

    async def _keep(
        self, principal: Principal, arguments: Mapping[str, Any], sealed: Sealed
    ) -> list[str]:
        """Have written what the session's browser knows, also when the call was refused."""
        named = arguments.get("session", DEFAULT_SESSION)
        session = sealed.within or self.sessions.named(principal, named)
        return await session.keep(sealed.tab) if session is not None else []

    # --- the reply ------------------------------------------------------------------------------

    def _rendered(self, call: Call, result: Any) -> Reply:
        """Masked first, then cut to the budget."""
        if not isinstance(result, Result):
            result = Result(data=plain(result))
        masker = self.masker
        result = replace(
            result,
            source=masker.text(result.source),
            links=tuple(replace(each, name=masker.text(each.name)) for each in result.links),
        )
        common: dict[str, Any] = {
            "call": call.id,
            "ok": result.ok,
            "images": result.images,
            "links": result.links,
            "structured": call.tool.structured,
            "verdict": result.verdict,
        }
        if result.page is not None:
            head = masker.text(result.text or "")
            body = page_block(cut(masker.text(result.page), result.tokens), result.source)
            return Reply(text=f"{head}\n{body}" if head else body, **common)
        if result.text is not None:
            return Reply(text=cut(masker.text(result.text), result.tokens), **common)
        if result.rows is not None:
            return _listed(masker.value(result.rows), result, common)
        data = fit(masker.value(result.data or {"ok": True}), result.tokens)
        if result.source and call.parent is None:
            data = set_apart(data, result.source)
        return Reply(text=compact(data), data=data, **common)


def _listed(rows: list[Any], result: Result, common: dict[str, Any]) -> Reply:
    """A bare list; the newest rows are those that stay."""
    kept = fit({"rows": rows[::-1]}, result.tokens)["rows"][::-1]
    aside = f"untrusted text from {result.source}" if result.source else ""
    if len(kept) < len(rows):
        aside = f"{aside}; the last {len(kept)} of {len(rows)} are shown".removeprefix("; ")
    return Reply(text=compact(kept), data={"rows": kept}, aside=aside, **common)


def _validated(tool: Tool, arguments: Mapping[str, Any]) -> Arguments:
    try:
        return tool.arguments.model_validate(dict(arguments))
    except ValidationError as error:
        raise _complaint(tool, error) from None


def _complaint(tool: Tool, error: ValidationError) -> InvalidArgument:
    """What is wrong with which argument, without the value."""
    said = complaints(error.errors(include_url=False, include_input=False, include_context=False))
    known = ", ".join(field.alias or name for name, field in tool.arguments.model_fields.items())
    return InvalidArgument(
        f"{tool.name}: {said}",
        hint=f"{tool.name} takes {known}." if known else f"{tool.name} takes nothing.",
    )


def _holders(call: Call) -> list[Call]:
    """The calls around this one."""
    found = []
    outer = call.parent
    while outer is not None:
        found.append(outer)
        outer = outer.parent
    return found
