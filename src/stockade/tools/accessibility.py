"""How accessible a page is."""

from __future__ import annotations

from typing import Annotated

import msgspec
from pydantic import Field

from stockade.kernel.arguments import OptionalTarget
from stockade.kernel.call import Call
from stockade.kernel.results import Result, compact
from stockade.kernel.tokens import estimate
from stockade.kernel.tool import tool
from stockade.page.accessibility import AuditOptions, Finding, Impact, Summary, audit
from stockade.policy.capabilities import Capability
from stockade.urls import origin_of

__all__ = ["accessibility_audit"]

_MOST = 60_000


class AuditQuery(OptionalTarget):
    """Where to look, for what, and how much to tell."""

    rules: Annotated[
        tuple[Annotated[str, Field(max_length=60)], ...] | None,
        Field(max_length=100, description="only these, e.g. color-contrast"),
    ] = None
    impact: Annotated[Impact, Field(description="at least")] = "minor"
    limit: int = Field(30, ge=1, le=500)


class AuditReport(msgspec.Struct, frozen=True, rename="camel"):
    """What was found, the worst first; what needs review comes last."""

    ok: bool
    summary: Summary
    findings: list[Finding]
    truncated: bool
    warnings: list[str]
    tokens_estimate: int


@tool(Capability.READ, gives=AuditReport, toolset="test", reads=True, structured=True)
async def accessibility_audit(call: Call, args: AuditQuery) -> Result:
    """Check the page, or an element, against WCAG 2.2. Names and snippets are untrusted."""
    options = AuditOptions(rules=args.rules, impact=args.impact, limit=args.limit)
    found = await audit(
        call.tab.agent, caller=call.caller, ref=call.target, options=options, timeout=call.left
    )
    data = {"ok": True, **msgspec.to_builtins(found)}
    data["tokensEstimate"] = estimate(compact(data))
    return Result(data=data, source=origin_of(call.tab.url), tokens=_MOST)
