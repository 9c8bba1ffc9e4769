"""Dispatch: every tool call from every surface goes through `Kernel.call`, stage by stage."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import msgspec
from pydantic import ValidationError

from stockade.audit.trail import Trail
from stockade.config import Settings
from stockade.errors import (
    AddressDenied,
    DeadlineExceeded,
    DialogOpen,
    EngineError,
    InvalidArgument,
    StaleRef,
    TargetAmbiguous,
    TargetNotFound,
)
from stockade.files.artifacts import Artifacts
from stockade.files.diagnostics import Diagnostics
from stockade.files.profiles import Profiles
from stockade.files.secrets import KeptSecrets
from stockade.files.states import States
from stockade.files.traces import Traces
from stockade.files.uploads import Uploads
from stockade.flows.plugins import Plugins
from stockade.kernel import asking, outgoing_gate, raised, releases
from stockade.kernel.agreement import closed_to_others, let_in
from stockade.kernel.approvals import Approvals
from stockade.kernel.approving import SECRET_FIELD, Wanted, agreed, refuse_meanwhile, wanted
from stockade.kernel.arguments import Arguments, Coordinates, InSession, OptionalTarget
from stockade.kernel.call import Call, Elicitor, Progress
from stockade.kernel.candidates import add_candidates
from stockade.kernel.complaints import complaints
from stockade.kernel.diagnostics import Recorder
from stockade.kernel.envelope import Envelope, Sealed
from stockade.kernel.holding import Holding
from stockade.kernel.news import News
from stockade.kernel.overlay import Overlay
from stockade.kernel.recorded import step_after, step_before
from stockade.kernel.registry import Registry
from stockade.kernel.results import (
    Reply,
    Result,
    compact,
    fit,
    page_block,
    plain,
    set_apart,
    set_rows_apart,
)
from stockade.kernel.secrets import Secrets, note_alteration, refuse_stopped, refuse_tainted
from stockade.kernel.submission_wait import rejoin, run_tool
from stockade.kernel.targets import target_of
from stockade.kernel.tokens import cut
from stockade.kernel.tool import Tool
from stockade.kernel.traced import traced
from stockade.kernel.turns import Turns
from stockade.masking.background import run_if_large
from stockade.masking.masker import Masker
from stockade.masking.scopes import SERVER, of_tenant
from stockade.page.concealing import Copied
from stockade.policy.capabilities import Capability
from stockade.policy.confirming import OFF_LIST
from stockade.policy.principal import Principal
from stockade.sessions.manager import DEFAULT_SESSION, Sessions
from stockade.sessions.secret_places import scopes_of_places
from stockade.sessions.session import Session
from stockade.sessions.tab import Tab
from stockade.telemetry.metrics import Metrics
from stockade.urls import origin_of, parse

__all__ = ["Kernel", "new_call_id"]

_APPROVAL = "approval"
_SESSION = "session"
_LONGEST_ID = 100
_MOST_COMPLAINTS = 100


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
        kept_secrets: KeptSecrets,
        diagnostics: Diagnostics,
        plugins: Plugins,
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
        self.plugins = plugins
        self.masker = masker
        self.metrics = metrics
        self.secrets = Secrets(masker, kept_secrets)
        self.secrets.follow(sessions)
        self._trail = trail
        self.news = News(masker)
        self.news.follow(sessions)
        self._turns = Turns()
        self.envelope = Envelope(masker, trail, metrics, self.news)
        self.envelope.journal.follow(sessions)
        self.approvals = Approvals(settings, trail, self.news, masker)
        self.approvals.follow(sessions)
        releases.follow(self)
        self.overlay = Overlay(settings.workspace)
        sessions.narrow = self.overlay.narrowed
        asking.follow(self)
        outgoing_gate.follow(self)

    def masker_of(self, principal: Principal) -> Masker:
        """Takes out what a caller must not be told: secrets of the server, and of its tenant.

        Those of others are not its to know of, so what looks like one stays. What is told may come
        from any session of the tenant, with parts of what was filled in there.
        """
        places = [
            scope
            for session in self.sessions.all()
            if session.owner.tenant == principal.tenant
            for scope in scopes_of_places(session)
        ]
        return self.masker.within(SERVER, of_tenant(principal.tenant), *places)

    def masker_in(self, session: Session, tab: Tab | None = None) -> Masker:
        """The same for what comes from a tab, or any tab, of a session that used secrets."""
        tenant = of_tenant(session.owner.tenant)
        return self.masker.within(SERVER, tenant, *scopes_of_places(session, tab))

    async def call(
        self,
        principal: Principal,
        name: str,
        arguments: Mapping[str, Any],
        *,
        toolsets: frozenset[str] | None = None,
        parent: Call | None = None,
        progress: Progress | None = None,
        elicit: Elicitor | None = None,
    ) -> Reply:
        """Make a call; whatever goes wrong is in the reply. The caller has been authenticated."""
        call_id = new_call_id()
        label = name if self.registry.knows(name) else "unknown"
        outer = parent.id if parent is not None else None
        started = time.perf_counter()
        made: Call | None = None
        async with self.envelope.around(call_id, principal, label, outer) as sealed:
            sealed.worded = lambda hint: self.registry.worded(hint, toolsets, principal)
            sealed.keep = lambda: self._keep(principal, arguments, sealed)
            await self.registry.load(name)
            tool = self.registry.offered(name, toolsets)
            call = made = Call(
                id=call_id,
                kernel=self,
                principal=principal,
                tool=tool,
                arguments=_validated(tool, arguments),
                approval=_approval_in(arguments),
                deadline=0.0,
                toolsets=toolsets,
                parent=parent,
                ceiling=parent.ceiling if parent is not None else None,
                progress=progress,
                elicit=elicit if parent is None else _inherited(parent.elicit),
            )
            await self._find_session(call, sealed)
            sealed.of_call = lambda: call.masker
            self._static_policy(call)
            self._tell_of(call)
            async with traced(call), Holding(call, self._turns, self.settings):
                # Time in a queue is not the call's own.
                call.deadline = self._deadline(call)
                sealed.reply = raised.marked(await self._in_time(call, sealed))
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
        if call.tool.capability is not None:
            self.secrets.guesses.check(session)
        sealed.session = session.id
        sealed.within = session

    def _static_policy(self, call: Call) -> None:
        """What can be refused without looking at a page."""
        call.principal.require(call.tool.role, call.tool.name)
        call.principal.policy.require(call.tool.capability, call.tool.name)
        call.policy.require(call.tool.capability, call.tool.name)
        address = call.arguments.judged_address
        if address is not None:
            try:
                call.policy.check_address(address)
            except AddressDenied as error:
                if not _may_be_asked(call, error):
                    raise
                call.off_list = parse(address).href

    def _tell_of(self, call: Call) -> None:
        within = call.session_or_none
        owner = within.owner if within is not None else call.principal
        facts = {"parent": call.parent.id} if call.parent is not None else {}
        self.news.publish("call.started", owner, within, call=call.id, tool=call.tool.name, **facts)

    async def _in_time(self, call: Call, sealed: Sealed) -> Reply:
        """Run it; what the page does beyond that is ended, or nobody could use the tab."""
        try:
            try:
                async with asyncio.timeout_at(call.deadline) as call.timer:
                    result = await self._within_deadline(call, sealed)
                    return await self._rendered(call, result)
            except TimeoutError:
                raise DeadlineExceeded(f"{call.tool.name} did not finish in time") from None
        except (EngineError, DeadlineExceeded) as error:
            _judge(call, error)
            if isinstance(error, DialogOpen):
                raised.told(call, error)
            elif isinstance(error, DeadlineExceeded):
                await self._unblock(call)
            raise
        except asyncio.CancelledError:
            await self._unblock(call)
            raise

    async def _unblock(self, call: Call) -> None:
        if call.tab_or_none is not None:
            # What an action set off goes on: it may be a download that is slow to begin.
            stay = call.tool.reads or call.tool.capability is Capability.NAVIGATION
            await call.session.work.finish(lambda: call.tab.unblock(navigation=stay))

    async def _within_deadline(self, call: Call, sealed: Sealed) -> Any:
        try:
            return await self._carried_out(call, sealed)
        except (StaleRef, TargetAmbiguous, TargetNotFound) as error:
            if call.tab_or_none is not None:
                self._dynamic_policy(call)  # What was or was not found tells of the page.
            if not isinstance(error, TargetAmbiguous):
                await add_candidates(call, error)
            raise

    async def _carried_out(self, call: Call, sealed: Sealed) -> Any:
        rejoined = await rejoin(call)
        if rejoined is not None:
            return rejoined
        refuse_meanwhile(call)
        await self._resolve(call, sealed)
        want = await self._confirmed(call, sealed)
        call.agreed_field = want is not None and SECRET_FIELD in want.rules
        if not call.tool.reads:
            row = {
                "call": call.id,
                "tool": call.tool.name,
                "principal": call.principal.id,
                "session": sealed.session,
                "origin": sealed.origin,
                "target": call.target or "",
                **({"approval": want.approval} if want is not None else {}),
            }
            await self._trail.intent(self.masker.value(row))
        step = await step_before(call)
        async with (
            closed_to_others(call, want.rules if want is not None else ()),
            let_in(call, want.subject) if want is not None else nullcontext(),
        ):
            call.begun = True
            note_alteration(call)
            result = await run_tool(call, want)
        await refuse_stopped(call)
        if call.session_or_none is not None and call.tool.capability is not None:
            # It may have gone where the caller is shown nothing.
            self.secrets.guesses.check(call.session, call.tab_or_none)
        await step_after(call, step, result)
        return raised.after(call, result)

    async def _resolve(self, call: Call, sealed: Sealed) -> None:
        """Where and on what the call would work now."""
        if call.tab_or_none is None:
            await refuse_tainted(call)
            return
        tab = call.tab
        sealed.tab = tab.id
        sealed.origin = origin_of(tab.url)
        if call.tool.held_by_dialog:
            await tab.clear_dialog(timeout=call.left, reads=call.tool.reads)
        raised.before(call)
        concealing = tab.actions.concealing
        concealing.secret_in = None if call.masker.idle else call.masker.name_in
        concealing.copied = call.session.parts.of(Copied, Copied)
        await refuse_tainted(call)
        await call.count_guesses()
        await self._find_target(call)
        self._dynamic_policy(call)

    async def _confirmed(self, call: Call, sealed: Sealed) -> Wanted | None:
        """What a person agreed to, if one had to be asked; after a wait all is looked at anew."""
        want = await wanted(call, self.approvals)
        while want is not None and not await agreed(call, want, self.approvals):
            await self._resolve(call, sealed)
            want = await wanted(call, self.approvals)
        return want

    async def _find_target(self, call: Call) -> None:
        """The element that is meant, while nobody else works in the tab."""
        meant = call.given
        if not isinstance(meant, OptionalTarget) or not meant.found_first:
            return
        found = await target_of(call, meant)
        if isinstance(found, Coordinates):
            call.arguments = meant.model_copy(update={"coords": found})
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

    async def _rendered(self, call: Call, result: Any) -> Reply:
        """Masked first, then cut to the budget."""
        if not isinstance(result, Result):
            result = Result(data=plain(result))
        masker = call.masker
        result = replace(
            result,
            source=masker.text(result.source),
            aside=masker.text(result.aside),
            links=tuple(
                replace(each, name=masker.text(each.name), mime_type=masker.text(each.mime_type))
                for each in result.links
            ),
        )
        common: dict[str, Any] = {
            "call": call.id,
            "ok": result.ok,
            "images": result.images,
            "links": result.links,
            "structured": call.tool.structured,
            "verdict": result.verdict,
            "failure": await call.masked(result.failure),
            "evidence": await call.masked(result.evidence) if call.parent is not None else None,
        }
        if result.page is not None:
            head = masker.text(result.text or "")
            body = page_block(cut(await call.masked(result.page), result.tokens), result.source)
            return Reply(text=f"{head}\n{body}" if head else body, **common)
        if result.text is not None:
            return Reply(text=cut(await call.masked(result.text), result.tokens), **common)
        if result.rows is not None:
            return await _listed(call, await call.masked(result.rows), result, common)
        data = await _fitted(await call.masked(result.data or {"ok": True}), result.tokens)
        if result.source and call.parent is None:
            data = set_apart(data, result.source)
        return Reply(text=compact(data), data=data, **common)


async def _fitted(data: dict[str, Any], tokens: int) -> dict[str, Any]:
    """Cut to the budget; nobody else waits while much is measured."""
    return await run_if_large(len(msgspec.json.encode(data)), lambda: fit(data, tokens))


async def _listed(call: Call, rows: list[Any], result: Result, common: dict[str, Any]) -> Reply:
    """A bare list; the newest rows are those that stay."""
    kept = (await _fitted({"rows": rows[::-1]}, result.tokens))["rows"][::-1]
    shown = f"the last {len(kept)} of {len(rows)} are shown" if len(kept) < len(rows) else ""
    aside = "; ".join(filter(None, (result.aside, shown)))
    if result.source and call.parent is None:
        kept = set_rows_apart(kept, result.source)
    return Reply(text=compact(kept), data={"rows": kept}, aside=aside, **common)


def _validated(tool: Tool, arguments: Mapping[str, Any]) -> Arguments:
    # Clients name the session with every call, also where a tool has no use for one.
    ignored = {_APPROVAL, *({_SESSION} - tool.arguments.model_fields.keys())}
    try:
        return tool.arguments.model_validate(
            {name: value for name, value in arguments.items() if name not in ignored}
        )
    except ValidationError as error:
        raise _complaint(tool, error) from None


def _complaint(tool: Tool, error: ValidationError) -> InvalidArgument:
    """What is wrong with which argument, without the value; one that is unknown, what there is."""
    known = [field.alias or name for name, field in tool.arguments.model_fields.items()]
    takes = f"{tool.name} takes {', '.join(known) or 'nothing'}."
    if error.error_count() > _MOST_COMPLAINTS:
        # To say what each is would take longer than anything else here.
        return InvalidArgument(
            f"{tool.name}: more than {_MOST_COMPLAINTS} things are wrong with its arguments",
            hint=takes,
        )
    found = error.errors(include_url=False, include_input=False, include_context=False)
    hint = ""
    if any(each["type"] == "extra_forbidden" and len(each["loc"]) == 1 for each in found):
        hint = takes
    return InvalidArgument(f"{tool.name}: {complaints(found)}", hint=hint)


def _judge(call: Call, error: EngineError | DeadlineExceeded) -> None:
    """What may have reached the page is not to be repeated; whoever raised it may know better."""
    if call.tab_or_none is None:
        if isinstance(error, DeadlineExceeded):
            error.blame("stockade")
    elif call.begun and "retryable" not in vars(error):
        harmless = call.tool.reads or call.tool.capability is Capability.NAVIGATION
        error.retryable = error.retryable and harmless


def _inherited(elicit: Elicitor | None) -> Elicitor | None:
    return elicit if elicit is not None and elicit.within else None


def _may_be_asked(call: Call, error: AddressDenied) -> bool:
    """Whether a person may let a page off the allow list be opened; one that is blocked never."""
    off_list = error.details.get("rule") == "allowed_origins"
    opens = call.tool.capability is Capability.NAVIGATION and call.session_or_none is not None
    return off_list and opens and OFF_LIST in call.policy.confirmed


def _approval_in(arguments: Mapping[str, Any]) -> str:
    """The question that a repeated call speaks of; no tool's own argument is called so."""
    given = arguments.get(_APPROVAL, "")
    if not isinstance(given, str) or len(given) > _LONGEST_ID:
        raise InvalidArgument("approval is the id of a question, as approval_pending told it")
    return given
