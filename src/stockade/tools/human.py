"""Asking a person."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.approving import elicited
from stockade.kernel.arguments import LONGEST_TIMEOUT, InSession
from stockade.kernel.call import Call
from stockade.kernel.holding import set_down
from stockade.kernel.questions import Question
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability

__all__ = ["await_human"]

_Choice = Annotated[str, Field(min_length=1, max_length=200)]


class AwaitHuman(InSession):
    """What to ask."""

    kind: Literal["acknowledge", "confirm", "choose", "input"] = "acknowledge"
    prompt: Annotated[str, Field(min_length=1, max_length=2000)]
    choices: Annotated[tuple[_Choice, ...], Field(max_length=20, description="for choose")] = ()
    timeout_ms: int = Field(300_000, ge=1, le=LONGEST_TIMEOUT)

    @model_validator(mode="after")
    def _has_choices(self) -> AwaitHuman:
        if (self.kind == "choose") != bool(self.choices):
            raise InvalidArgument("choices are for kind choose, which needs them")
        return self


class HumanAnswer(TypedDict):
    """What the person answered; no value where nobody did."""

    ok: bool
    kind: str
    value: str | bool | None
    timedOut: bool


@tool(
    Capability.HUMAN,
    gives=HumanAnswer,
    toolset="web",
    reach="session",
    structured=True,
    held_by_dialog=False,
)
async def await_human(call: Call, args: AwaitHuman) -> dict[str, Any]:
    """Ask the operator, and wait for the answer. No page and no agent can give it."""
    facts: dict[str, Any] = {
        "tool": call.tool.name,
        "session": call.session.name,
        "prompt": args.prompt,
    }
    if args.choices:
        facts["choices"] = list(args.choices)
    approvals = call.kernel.approvals
    binding = approvals.binding({"session": call.session.id, "kind": args.kind, **facts})
    known = approvals.asked_by(call.principal, call.approval) if call.approval else None
    question = (
        known
        if known is not None and known.binding == binding
        else approvals.put(
            Question(
                kind=args.kind,
                asker=call.principal,
                owner=call.session.owner,
                session=call.session.id,
                due=asyncio.get_running_loop().time() + args.timeout_ms / 1000,
                facts=call.masker.value(facts),
                binding=binding,
            )
        )
    )
    async with set_down(call):
        try:
            await elicited(call, question)
            await question.decided.wait()
        except asyncio.CancelledError:
            approvals.withdraw(question)
            raise
    answered = question.state == "answered"
    said_no = question.state == "denied" and args.kind == "confirm"
    return {
        "ok": True,
        "kind": args.kind,
        "value": question.value if answered else False if said_no else None,
        "timedOut": question.state == "expired",
    }
