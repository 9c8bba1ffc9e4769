"""Calls of the tools in `scripts`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class EvalResult(Beside):
    """What the script gave."""

    ok: bool
    value: NotRequired[Any]
    cut: NotRequired[bool]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]
    note: NotRequired[str]
    tokensEstimate: int


class PollResult(Beside):
    """What the script gave last."""

    ok: bool
    value: NotRequired[Any]
    cut: NotRequired[bool]
    path: NotRequired[str]
    uri: NotRequired[str]
    bytes: NotRequired[int]
    note: NotRequired[str]
    tokensEstimate: int
    truthy: bool
    polls: int
    elapsedMs: int
    timedOut: bool


class ScriptsCalls(Calls):
    """Methods that call tools."""

    async def eval_js(
        self,
        *,
        expr: str,
        frame: str | None = None,
        ref: str | None = None,
        max_result_tokens: int | None = None,
        return_type: Literal['json', 'void'] | None = None,
        timeout_ms: int | None = None,
    ) -> EvalResult:
        """Run JavaScript in the page; promises are awaited. What it gives is untrusted."""
        answer = await self._call("eval_js", {"expr": expr}, {"frame": frame, "ref": ref, "maxResultTokens": max_result_tokens, "returnType": return_type, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("EvalResult", answer)

    async def poll_eval(
        self,
        *,
        expr: str,
        frame: str | None = None,
        ref: str | None = None,
        max_result_tokens: int | None = None,
        interval_ms: int | None = None,
        timeout_ms: int | None = None,
    ) -> PollResult:
        """Run JavaScript again and again until it gives something true. It is untrusted."""
        answer = await self._call("poll_eval", {"expr": expr}, {"frame": frame, "ref": ref, "maxResultTokens": max_result_tokens, "intervalMs": interval_ms, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("PollResult", answer)
