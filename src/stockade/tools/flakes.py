"""The same calls several times, to see whether they always do the same."""

from __future__ import annotations

import time
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.flows import flakes
from stockade.kernel.arguments import MOST_TOKENS, RARE, InTab
from stockade.kernel.call import Call
from stockade.kernel.results import Reply, Result
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.tools.batch import MOST_CALLS, InnerCall, ensure_inner, row_of
from stockade.urls import origin_of

__all__ = ["flake_check"]

_SECONDS_PER_RUN = 20.0
_GREEN_IN_A_ROW = 3
_KEPT = ("tool", "ok", "label", "ms", "error")


class FlakeCheck(InTab):
    """Which calls, and how often."""

    calls: Annotated[tuple[InnerCall, ...], Field(min_length=1, max_length=MOST_CALLS)]
    n: int = Field(ge=3, le=20)
    stop_on_all_green: Annotated[
        Annotated[int, Field(ge=0, le=20)] | bool | None,
        Field(description="after so many good runs in a row"),
    ] = None
    max_result_tokens: Annotated[int, RARE] = Field(6000, ge=100, le=MOST_TOKENS)
    timeout_ms: Annotated[int | None, RARE] = Field(None, ge=1, le=3_600_000)

    @property
    def lasts(self) -> float:
        return 0.0 if self.timeout_ms is not None else self.n * _SECONDS_PER_RUN

    @property
    def enough(self) -> int | None:
        """Good runs in a row that are enough."""
        if self.stop_on_all_green is True:
            return _GREEN_IN_A_ROW
        return int(self.stop_on_all_green) if self.stop_on_all_green else None


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


class FlakeReport(TypedDict):
    """What differs between the runs."""

    runsCompleted: int
    allGreen: bool
    steps: list[Step]
    firstDivergence: Divergence | None
    cachedResolvers: list[Resolver]
    runs: list[Run]
    shortCircuitedAfter: NotRequired[int]
    warnings: NotRequired[list[str]]


async def _run(call: Call, args: FlakeCheck) -> list[dict[str, Any]]:
    rows = []
    for each in args.calls:
        started = time.perf_counter()
        reply: Reply = await call.inner(
            each.tool, {**call.placed(each.tool, args.place), **each.args}
        )
        elapsed = round((time.perf_counter() - started) * 1000, 1)
        target = (reply.evidence or {}).get("target")
        rows.append({**row_of(each, reply), "ms": elapsed, "target": target})
    return rows


def _told(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """A run in brief: results themselves would fill the answer many times over."""
    told = []
    for row in rows:
        brief: dict[str, Any] = {key: row[key] for key in _KEPT if key in row}
        result = row.get("result")
        if not row["ok"] and isinstance(result, dict) and "failure" in result:
            brief["failure"] = result["failure"]
        told.append({**brief, "signature": flakes.signature(row)})
    failed = next((at for at, row in enumerate(rows) if not row["ok"]), None)
    return {"completed": sum(row["ok"] for row in rows), "failedAt": failed, "results": told}


@tool(
    Capability.ACTION,
    gives=FlakeReport,
    toolset="test",
    inner=False,
    destructive=True,
    held_by_dialog=False,
    effect="wraps",
)
async def flake_check(call: Call, args: FlakeCheck) -> Result:
    """Run calls n times and report what differs. Begin with navigate to start alike."""
    ensure_inner(call, args.calls)
    runs: list[list[dict[str, Any]]] = []
    green = 0
    longest = 0.0
    for number in range(args.n):
        if call.left < longest:
            break
        await call.report(number, args.n, f"run {number + 1} of {args.n}")
        runs.append(await _run(call, args))
        longest = max(longest, sum(row["ms"] for row in runs[-1]) / 1000)
        green = green + 1 if all(row["ok"] for row in runs[-1]) else 0
        if args.enough is not None and green >= args.enough:
            break
    calls = [each.model_dump(by_alias=True) for each in args.calls]
    rolled = flakes.steps(calls, runs)
    data: dict[str, Any] = {
        "runsCompleted": len(runs),
        "allGreen": all(row["ok"] for run in runs for row in run),
        "steps": rolled,
        "firstDivergence": flakes.first_divergence(calls, runs, rolled),
        "cachedResolvers": flakes.cached_resolvers(calls, runs, rolled),
        "runs": [_told(run) for run in runs],
    }
    if args.enough is not None and green >= args.enough:
        data["shortCircuitedAfter"] = green
    elif len(runs) < args.n:
        data["warnings"] = ["there was no time for more runs"]
    return Result(data=data, source=origin_of(call.tab.url), tokens=args.max_result_tokens)
