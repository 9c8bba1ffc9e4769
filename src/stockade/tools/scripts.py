"""Scripts of the caller's own in the page."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.engines.port import Frame
from stockade.errors import DeadlineExceeded, NavigationRace, ScriptFailed
from stockade.kernel.arguments import MOST_TOKENS, InTab
from stockade.kernel.call import Call
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, saved
from stockade.kernel.secrets import refuse_tainted
from stockade.kernel.targets import looking_on
from stockade.kernel.tokens import cut, estimate
from stockade.kernel.tool import tool
from stockade.page.evaluation import Evaluated, evaluate
from stockade.policy.capabilities import Capability
from stockade.urls import origin_of

__all__ = ["eval_js", "poll_eval"]

_LONGEST_SCRIPT = 500_000
_LONGEST = 120_000
_PREVIEW = 100
_GRACE = 3.0
"""Seconds to end a runaway script in, after its own time is up."""


class _Script(InTab):
    expr: Annotated[str, Field(min_length=1, max_length=_LONGEST_SCRIPT)]
    frame: Annotated[str | None, Field(max_length=20, description="f2")] = None
    ref: Annotated[str | None, Field(max_length=40, description="known as `element`")] = None
    max_result_tokens: int = Field(4000, ge=50, le=MOST_TOKENS)

    @property
    def lasts(self) -> float:
        """What it takes to end a script that does not end by itself."""
        return _GRACE


class EvalJs(_Script):
    """What to run."""

    return_type: Literal["json", "void"] = "json"
    timeout_ms: int = Field(5000, ge=1, le=_LONGEST)


class PollEval(_Script):
    """What to ask, how often and how long."""

    interval_ms: int = Field(250, ge=10, le=60_000)
    timeout_ms: int = Field(5000, ge=1, le=_LONGEST)


class _Value(TypedDict):
    ok: bool
    value: NotRequired[Any]
    """What JSON cannot hold is described: `[function f]`, `[<div>]`, `{"[Map]": …}`."""
    cut: NotRequired[bool]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]
    note: NotRequired[str]
    tokensEstimate: int


class EvalResult(_Value):
    """What the script gave."""


class PollResult(_Value):
    """What the script gave last."""

    truthy: bool
    polls: int
    elapsedMs: int
    timedOut: bool


async def _fitting(call: Call, found: Evaluated, most: int) -> dict[str, Any]:
    """The value, or where it is when it is too large to be shown."""
    text = compact(found.value)
    said: dict[str, Any] = {"cut": True} if found.cut else {}
    if estimate(text) <= most:
        return {"value": found.value, **said}
    content = json.dumps(found.value, ensure_ascii=False, indent=1).encode()
    artifact = await save(call, content, default="eval.json", mime_type="application/json")
    return {
        **said,
        "value": cut(text, _PREVIEW),
        **saved(call, artifact),
        "note": "too large to show: value is only its beginning, the file has all of it",
    }


def _result(call: Call, data: dict[str, Any], most: int) -> Result:
    data["tokensEstimate"] = estimate(compact(data))
    return Result(data=data, source=origin_of(call.tab.url), tokens=most + 400)


def _stop_later(call: Call, frame: Frame) -> None:
    """The caller has left, but the tab is to go on."""
    call.session.work.start(frame.stop_script)


@tool(Capability.EVAL, gives=EvalResult, toolset="debug", destructive=True, alters="origin")
async def eval_js(call: Call, args: EvalJs) -> Result:
    """Run JavaScript in the page; promises are awaited. What it gives is untrusted."""
    found = await evaluate(
        call.tab.agent,
        args.expr,
        frame=args.frame,
        ref=args.ref,
        caller=call.caller,
        void=args.return_type == "void",
        left_behind=lambda frame: _stop_later(call, frame),
        timeout=args.timeout_ms / 1000,
    )
    data: dict[str, Any] = {"ok": True}
    if args.return_type == "json":
        data |= await _fitting(call, found, args.max_result_tokens)
    return _result(call, data, args.max_result_tokens)


@tool(Capability.EVAL, gives=PollResult, reach="session", toolset="debug", alters="session")
async def poll_eval(call: Call, args: PollEval) -> Result:
    """Run JavaScript again and again until it gives something true. It is untrusted."""
    clock = asyncio.get_running_loop().time
    begun, polls = clock(), 0
    ends = begun + args.timeout_ms / 1000
    found: Evaluated | None = None
    failure: ScriptFailed | None = None
    async with looking_on(call) as tab:
        while True:
            polls += 1
            # Somebody else may have filled in a secret in the meantime.
            await refuse_tainted(call)
            try:
                found, failure = (
                    await evaluate(
                        tab.agent,
                        args.expr,
                        frame=args.frame,
                        ref=args.ref,
                        caller=call.caller,
                        left_behind=lambda frame: _stop_later(call, frame),
                        timeout=max(ends - clock(), 0.01),
                    ),
                    None,
                )
            except ScriptFailed as error:
                # What it asks about may not be there yet.
                found, failure = None, error
            except NavigationRace:
                found, failure = None, None
            except DeadlineExceeded:
                if not polls or clock() < ends:
                    raise
            if (found is not None and found.value) or clock() + args.interval_ms / 1000 > ends:
                break
            await asyncio.sleep(args.interval_ms / 1000)
        if failure is not None:
            raise failure
        truthy = found is not None and bool(found.value)
        data = {
            "ok": True,
            "truthy": truthy,
            "polls": polls,
            "elapsedMs": round((clock() - begun) * 1000),
            "timedOut": not truthy,
            **await _fitting(call, found or Evaluated(None), args.max_result_tokens),
        }
        return _result(call, data, args.max_result_tokens)
