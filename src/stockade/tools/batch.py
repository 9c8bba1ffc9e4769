"""Several calls in one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.errors import InvalidArgument
from stockade.kernel.arguments import MOST_TOKENS, RARE, Arguments, InTab
from stockade.kernel.call import Call
from stockade.kernel.results import Reply, Result
from stockade.kernel.tool import tool
from stockade.urls import origin_of

__all__ = ["MOST_CALLS", "InnerCall", "batch", "ensure_inner", "row_of"]

MOST_CALLS = 32


_Words = Annotated[str | None, Field(max_length=100_000)]


class Expectation(Arguments):
    """What must hold after a call."""

    value_equals: _Words = None
    display_text_includes: _Words = None
    control_display_text_includes: _Words = None
    container_text_includes: _Words = None
    control_changed: bool | None = None


class InnerCall(Arguments):
    """One of the calls."""

    tool: str = Field(max_length=100)
    args: dict[str, Any] = Field(default_factory=dict)
    label: Annotated[str | None, Field(max_length=200)] = None
    expect: Annotated[Expectation | None, RARE] = None


class Batch(InTab):
    """The calls, in order."""

    calls: Annotated[tuple[InnerCall, ...], Field(min_length=1, max_length=MOST_CALLS)]
    stop_on_error: bool = True
    max_result_tokens: Annotated[int, RARE] = Field(4000, ge=100, le=MOST_TOKENS)
    timeout_ms: Annotated[int | None, RARE] = Field(None, ge=1, le=3_600_000)


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
    failedAt: NotRequired[int]
    results: list[InnerResult]


def _unmet(expect: Expectation, reply: Reply) -> str | None:
    """Which expectation the element of an action does not meet; its text is not repeated."""
    evidence = reply.evidence or {}
    element = evidence.get("element") or {}
    control = element.get("ownerControl") or {}
    container = element.get("container") or {}
    # An element without a text of its own to show goes by its name.
    shown = element.get("displayText") or evidence.get("target") or ""
    if expect.value_equals is not None and element.get("value") != expect.value_equals:
        return "the value is not the expected one"
    parts = (
        ("display text", expect.display_text_includes, shown),
        ("control's text", expect.control_display_text_includes, control.get("displayTextAfter")),
        ("container's text", expect.container_text_includes, container.get("rowText")),
    )
    for what, wanted, said in parts:
        if wanted is not None and wanted not in (said or ""):
            return f"the {what} does not include the expected one"
    changed = expect.control_changed
    if changed is not None and bool(control.get("changed")) != changed:
        return f"the control has {'not ' if changed else ''}changed"
    return None


def row_of(each: InnerCall, reply: Reply) -> dict[str, Any]:
    """What is told of one call of several."""
    row: dict[str, Any] = {"tool": each.tool, "ok": reply.ok}
    if each.label is not None:
        row["label"] = each.label
    if reply.error is not None:
        return {**row, "error": reply.data}
    unmet = _unmet(each.expect, reply) if reply.ok and each.expect is not None else None
    if unmet is not None:
        row |= {"ok": False, "error": {"code": "expectation_failed", "error": unmet}}
    if reply.data is None:
        return {**row, "result": reply.text}
    # Whether it worked is said of the call; here it would be said again.
    told = {key: value for key, value in reply.data.items() if (key, value) != ("ok", True)}
    return {**row, **({"result": told} if told else {})}


def ensure_inner(call: Call, calls: Iterable[InnerCall]) -> None:
    """Refuse tools that cannot be called by others."""
    registry = call.kernel.registry
    for each in calls:
        if registry.knows(each.tool) and not registry.find(each.tool).inner:
            raise InvalidArgument(f"{each.tool} cannot be part of a {call.tool.name}")


@tool(None, gives=BatchResult, inner=False, destructive=True, held_by_dialog=False, effect="wraps")
async def batch(call: Call, args: Batch) -> Result:
    """Run up to 32 calls in order, until one fails. Results hold untrusted page text."""
    ensure_inner(call, args.calls)
    rows: list[dict[str, Any]] = []
    replies: list[Reply] = []
    for index, each in enumerate(args.calls):
        await call.report(index, len(args.calls), each.label or each.tool)
        given = {**call.placed(each.tool, args.place), **each.args}
        replies.append(await call.inner(each.tool, given))
        rows.append(row_of(each, replies[-1]))
        if not rows[-1]["ok"] and args.stop_on_error:
            break
    failed_at = next((index for index, row in enumerate(rows) if not row["ok"]), None)
    return Result(
        data={
            "ok": failed_at is None,
            "completed": sum(row["ok"] for row in rows),
            **({"failedAt": failed_at} if failed_at is not None else {}),
            "results": rows,
        },
        images=tuple(image for reply in replies for image in reply.images),
        links=tuple(link for reply in replies for link in reply.links),
        source=origin_of(call.tab.url),
        tokens=args.max_result_tokens,
        ok=failed_at is None,
    )
