"""Eliciting: the person behind a client is asked, where the operator lets them answer.

Clients of the era with handshakes are asked while their call waits. Later ones are told what to
ask, and make the call again with the answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from stockade.errors import ApprovalPending, StockadeError
from stockade.kernel.approvals import Approvals, Decision
from stockade.kernel.call import Elicitor
from stockade.kernel.dispatch import Kernel
from stockade.kernel.questions import YES_OR_NO, Question
from stockade.kernel.results import Reply
from stockade.policy.principal import Principal
from stockade.telemetry.logs import get_logger

__all__ = ["Elicitation", "elicitation"]

_KEY: Final = "approval"
_MOST_FIELDS: Final = 20
_LONGEST: Final = 2000

_log = get_logger("stockade.mcp")

Context = ServerRequestContext[Any, Any]


@dataclass
class Elicitation:
    """One request of a client whose person may be asked."""

    approvals: Approvals
    principal: Principal
    ctx: Context
    modern: bool
    asked: list[Question] = field(default_factory=list)

    @property
    def elicitor(self) -> Elicitor:
        """How a call asks."""
        return Elicitor(self._later if self.modern else self._now, within=not self.modern)

    async def _now(self, question: Question) -> None:
        try:
            said = await self.ctx.session.elicit_form(
                _message(question), _schema(question), related_request_id=self.ctx.request_id
            )
        except MCPError as error:
            # Whoever else may answer still can.
            _log.info("the client asks nobody", code=error.error.code, approval=question.id)
            return
        await self._answer(question, said)

    async def _later(self, question: Question) -> None:
        self.asked.append(question)
        raise ApprovalPending("the person behind the client is asked", approval=question.id)

    async def _answer(self, question: Question, said: types.ElicitResult) -> None:
        decision, value = _read(question, said)
        by = f"elicitation:{self.principal.id}"
        try:
            await self.approvals.decide(question, decision, by=by, value=value)
        except StockadeError as error:
            # Somebody was faster, or the answer is none.
            _log.info("an answer came to nothing", code=error.code, approval=question.id)

    def required(self, reply: Reply) -> types.InputRequiredResult | None:
        """What the client is to ask before it makes the call again."""
        if not self.asked or not isinstance(reply.error, ApprovalPending):
            return None
        question = self.asked[-1]
        params = types.ElicitRequestFormParams(
            message=_message(question), requested_schema=_schema(question)
        )
        return types.InputRequiredResult(
            input_requests={_KEY: types.ElicitRequest(params=params)}, request_state=question.id
        )

    async def taken(self, params: types.CallToolRequestParams) -> dict[str, Any]:
        """The arguments of a call, after the answer that it may bring was taken in."""
        arguments = dict(params.arguments or {})
        said = (params.input_responses or {}).get(_KEY)
        if params.request_state is None or not isinstance(said, types.ElicitResult):
            return arguments
        question = self.approvals.asked_by(self.principal, params.request_state)
        if question.pending and question.elicited:
            await self._answer(question, said)
        return {**arguments, "approval": question.id}


def elicitation(kernel: Kernel, principal: Principal, ctx: Context) -> Elicitation | None:
    """The way to ask the person behind a client, if the operator and the client have one."""
    if not kernel.settings.approval_elicitation:
        return None
    known = ctx.session.client_capabilities
    able = known.elicitation if known is not None else None
    if able is None or (able.form is None and able.url is not None):
        return None
    modern = ctx.protocol_version in MODERN_PROTOCOL_VERSIONS
    return Elicitation(kernel.approvals, principal, ctx, modern)


def _message(question: Question) -> str:
    told = question.facts
    if "prompt" in told:
        return f"{told.get('tool', question.kind)} ({told.get('origin', '')}): {told['prompt']}"
    target, form = told.get("target", {}), told.get("form")
    lines = [
        f"An agent wants to call {told.get('tool')} at {told.get('origin') or 'no page'}.",
        f"On: {target['described']}" if target.get("described") else "",
        f"It goes to: {target['goesTo']}" if target.get("goesTo") else "",
        f"It sends: {form['method'].upper()} {form['action']}" if form else "",
        *(
            f"  {each['name']}: {each['value']}"
            for each in (form or {}).get("fields", ())[:_MOST_FIELDS]
        ),
        f"With: {told['arguments']}" if told.get("arguments") else "",
        f"Asked because of: {', '.join(told.get('rules', ()))}",
        "What is said about the page comes from the page.",
    ]
    return "\n".join(line for line in lines if line)[:_LONGEST]


def _schema(question: Question) -> dict[str, Any]:
    value: dict[str, Any]
    if question.kind in YES_OR_NO:
        value = {"type": "boolean", "title": "Approve", "default": False}
    elif question.kind == "confirm":
        value = {"type": "boolean", "title": "Yes"}
    elif question.kind == "choose":
        value = {"type": "string", "enum": question.facts.get("choices", [])}
    elif question.kind == "input":
        value = {"type": "string", "title": "Answer"}
    else:
        return {"type": "object", "properties": {}}
    return {"type": "object", "properties": {"value": value}, "required": ["value"]}


def _read(question: Question, said: types.ElicitResult) -> tuple[Decision, Any]:
    """A yes is an accepted form that says so; everything else is a no."""
    if said.action != "accept":
        return "deny", None
    value = (said.content or {}).get("value")
    if question.kind in YES_OR_NO:
        return ("approve" if value is True else "deny"), None
    if question.kind == "acknowledge":
        return "answer", True
    return "answer", value
