"""Several calls in one."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.arguments import MOST_TOKENS, Arguments, InTab
from stockade.kernel.call import Call
from stockade.kernel.results import Reply, Result
from stockade.kernel.tool import tool
from stockade.urls import origin_of

__all__ = ["batch"]

_MOST_CALLS = 32


class Expectation(Arguments):
    """What must hold after a call."""

    value_equals: str | None = None


class InnerCall(Arguments):
    """One of the calls."""

    tool: str = Field(max_length=100)
    args: dict[str, Any] = Field(default_factory=dict)
    label: Annotated[str | None, Field(max_length=200)] = None
    expect: Expectation | None = None


class Batch(InTab):
    """The calls, in order."""

    calls: Annotated[tuple[InnerCall, ...], Field(min_length=1, max_length=_MOST_CALLS)]
    stop_on_error: bool = True
    max_result_tokens: int = Field(4000, ge=100, le=MOST_TOKENS)
    timeout_ms: int | None = Field(None, ge=1, le=3_600_000)


class InnerResult(TypedDict):
    """What came of one call."""

    tool: str
    ok: bool
    label: NotRequired[str]
    result: NotRequired[Any]
    error: NotRequired[dict[str, Any]]


class BatchResult(TypedDict):
    """What came of the calls."""

    ok: bool
    completed: int
    failedAt: int | None
    results: list[InnerResult]


def _unmet(expect: Expectation, reply: Reply) -> str | None:
    element = (reply.data or {}).get("element") or {}
    if expect.value_equals is not None and element.get("value") != expect.value_equals:
        return "the value is not the expected one"
    return None


def _row(each: InnerCall, reply: Reply) -> dict[str, Any]:
    row: dict[str, Any] = {"tool": each.tool, "ok": reply.ok}
    if each.label is not None:
        row["label"] = each.label
    if reply.error is not None:
        return {**row, "error": reply.data}
    unmet = _unmet(each.expect, reply) if reply.ok and each.expect is not None else None
    if unmet is not None:
        row |= {"ok": False, "error": {"code": "expectation_failed", "error": unmet}}
    return {**row, "result": reply.data if reply.data is not None else reply.text}


@tool(None, gives=BatchResult, inner=False, destructive=True, held_by_dialog=False)
async def batch(call: Call, args: Batch) -> Result:
    """Run up to 32 calls in order, until one fails. Results hold untrusted page text."""
    registry = call.kernel.registry
    for each in args.calls:
        if registry.knows(each.tool) and not registry.find(each.tool).inner:
            raise InvalidArgument(f"{each.tool} cannot be part of a batch")
    rows: list[dict[str, Any]] = []
    replies: list[Reply] = []
    for index, each in enumerate(args.calls):
        await call.report(index, len(args.calls), each.label or each.tool)
        outer = {"session": args.session, **({"tab": args.tab} if args.tab is not None else {})}
        replies.append(await call.inner(each.tool, {**outer, **each.args}))
        rows.append(_row(each, replies[-1]))
        if not rows[-1]["ok"] and args.stop_on_error:
            break
    failed_at = next((index for index, row in enumerate(rows) if not row["ok"]), None)
    return Result(
        data={
            "ok": failed_at is None,
            "completed": sum(row["ok"] for row in rows),
            "failedAt": failed_at,
            "results": rows,
        },
        images=tuple(image for reply in replies for image in reply.images),
        links=tuple(link for reply in replies for link in reply.links),
        source=origin_of(call.tab.url),
        tokens=args.max_result_tokens,
        ok=failed_at is None,
    )
