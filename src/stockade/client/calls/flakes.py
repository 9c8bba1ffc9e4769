"""Calls of the tools in `flakes`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Expectation(TypedDict):
    """What must hold after a call."""

    valueEquals: NotRequired[str | None]
    displayTextIncludes: NotRequired[str | None]
    controlDisplayTextIncludes: NotRequired[str | None]
    containerTextIncludes: NotRequired[str | None]
    controlChanged: NotRequired[bool | None]


class InnerCall(TypedDict):
    """One of the calls."""

    tool: str
    args: NotRequired[dict[str, Any]]
    label: NotRequired[str | None]
    expect: NotRequired[Expectation | None]


class Step(TypedDict):
    """One call over all runs."""

    step: int
    tool: str
    runs: int
    ok: int
    successRate: float | None
    errors: list[str]
    signatures: list[str]
    label: NotRequired[str]


class Divergence(TypedDict):
    """Where runs first went different ways."""

    step: int
    tool: str
    kind: str
    label: NotRequired[str]
    run: NotRequired[int]


class Resolver(TypedDict):
    """How to find what a call meant, since all runs agreed on it."""

    step: int
    tool: str
    agreedRuns: int
    label: NotRequired[str]
    ref: NotRequired[str]
    selectorHint: NotRequired[str]
    descriptor: NotRequired[dict[str, Any]]


class RunRow(TypedDict):
    """One call of one run."""

    tool: str
    ok: bool
    signature: str
    ms: float
    label: NotRequired[str]
    error: NotRequired[dict[str, Any]]
    failure: NotRequired[dict[str, Any]]


class Run(TypedDict):
    """One run."""

    completed: int
    failedAt: int | None
    results: list[RunRow]


class FlakeReport(Beside):
    """What differs between the runs."""

    runsCompleted: int
    allGreen: bool
    steps: list[Step]
    firstDivergence: Divergence | None
    cachedResolvers: list[Resolver]
    runs: list[Run]
    shortCircuitedAfter: NotRequired[int]
    warnings: NotRequired[list[str]]


class FlakesCalls(Calls):
    """Methods that call tools."""

    async def flake_check(
        self,
        *,
        calls: list[InnerCall],
        n: int,
        stop_on_all_green: int | bool | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> FlakeReport:
        """Run calls n times and report what differs. Begin with navigate to start alike."""
        answer = await self._call("flake_check", {"calls": calls, "n": n}, {"stopOnAllGreen": stop_on_all_green, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("FlakeReport", answer)
