"""Calls of the tools in `plans`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class VerbArgs(TypedDict):
    """What the verb takes."""

    value: NotRequired[str | None]
    values: NotRequired[list[str] | None]
    key: NotRequired[str | None]
    button: NotRequired[Literal['left', 'middle', 'right'] | None]


class Alternative(TypedDict):
    """Another element that may have been meant."""

    ref: str
    role: str
    score: float
    name: NotRequired[str]
    testId: NotRequired[str]


class Evidence(TypedDict):
    """Why this element."""

    query: str
    selectorHint: str
    selectorTier: int
    stability: str
    role: str
    score: float
    actionable: bool | str
    warnings: list[str]
    alternatives: list[Alternative]
    name: NotRequired[str]
    testId: NotRequired[str]


class Descriptor(TypedDict):
    """An action bound to an element."""

    id: str
    ref: str
    verb: Literal['click', 'fill', 'hover', 'press', 'select']
    args: dict[str, Any]
    evidence: Evidence
    expiresAt: int


class PlanResult(Beside):
    """The descriptor, or why there is none."""

    ok: bool
    descriptor: NotRequired[Descriptor]
    error: NotRequired[str]
    warnings: list[str]
    tokensEstimate: int


class Executed(Beside):
    """What came of it, or why nothing was done."""

    ok: bool
    result: NotRequired[dict[str, Any]]
    reason: NotRequired[Literal['expired', 'ref-gone', 'invalid']]
    error: NotRequired[str]
    tokensEstimate: int


class Recorded(Beside):
    """What is remembered now."""

    ok: bool
    recorded: bool
    memorySize: int


class PlansCalls(Calls):
    """Methods that call tools."""

    async def plan(
        self,
        *,
        query: str,
        verb: Literal['click', 'fill', 'hover', 'press', 'select'],
        verb_args: VerbArgs | None = None,
        context_ref: str | None = None,
        confidence_floor: float | None = None,
        ttl_ms: int | None = None,
    ) -> PlanResult:
        """Bind an action to the element that a description means, for execute. It does nothing yet."""
        answer = await self._call("plan", {"query": query, "verb": verb}, {"verbArgs": verb_args, "contextRef": context_ref, "confidenceFloor": confidence_floor, "ttlMs": ttl_ms}, in_tab=True)
        return cast("PlanResult", answer)

    async def execute(
        self,
        *,
        descriptor: dict[str, Any],
        mode: Literal['scoped_snapshot', 'tree_diff', 'full', 'none'] | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> Executed:
        """Carry out a plan, on exactly the element it was bound to. Page text is untrusted."""
        answer = await self._call("execute", {"descriptor": descriptor}, {"mode": mode, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=False)
        return cast("Executed", answer)

    async def find_feedback(
        self,
        *,
        query: str,
        ref: str,
    ) -> Recorded:
        """Say which element a description meant; find ranks its kind up for like ones."""
        answer = await self._call("find_feedback", {"query": query, "ref": ref}, {}, in_tab=True)
        return cast("Recorded", answer)
