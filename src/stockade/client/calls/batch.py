"""Calls of the tools in `batch`. Written by `make docs` from the tools; changes here are lost."""

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


class InnerResult(TypedDict):
    """What came of one call."""

    tool: str
    ok: bool
    label: NotRequired[str]
    result: NotRequired[Any]
    error: NotRequired[dict[str, Any]]


class BatchResult(Beside):
    """What came of the calls."""

    ok: bool
    completed: int
    failedAt: NotRequired[int]
    results: list[InnerResult]


class BatchCalls(Calls):
    """Methods that call tools."""

    async def batch(
        self,
        *,
        calls: list[InnerCall],
        stop_on_error: bool | None = None,
        max_result_tokens: int | None = None,
        timeout_ms: int | None = None,
    ) -> BatchResult:
        """Run up to 32 calls in order, until one fails. Results hold untrusted page text."""
        answer = await self._call("batch", {"calls": calls}, {"stopOnError": stop_on_error, "maxResultTokens": max_result_tokens, "timeoutMs": timeout_ms}, in_tab=True)
        return cast("BatchResult", answer)
