"""What makes a page slow."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from stockade.instruments.analysers import ANALYSERS, Severity
from stockade.instruments.audit import judge, watch
from stockade.instruments.tracing import Tracer
from stockade.kernel.arguments import InTab
from stockade.kernel.call import Call
from stockade.kernel.results import Result, compact
from stockade.kernel.saving import save, shown_path
from stockade.kernel.targets import looking_on
from stockade.kernel.tool import tool
from stockade.policy.capabilities import Capability
from stockade.urls import origin_of

__all__ = ["perf_audit"]

Category = Literal[
    "render-blocking",
    "unused-code",
    "oversize-images",
    "layout-thrashing",
    "long-tasks",
    "leak-suspects",
    "cache-opportunities",
    "font-loading",
]

_LARGE = 60.0
"""Seconds more: what was seen has to be handed over and read."""
_SUMMARY_TOKENS = 2000
_FULL_TOKENS = 20_000


class PerfAudit(InTab):
    """What to look for, and for how long."""

    categories: Annotated[
        tuple[Category, ...], Field(max_length=8, description="all by default")
    ] = ()
    duration_ms: int = Field(5000, ge=1, le=30_000)
    format: Literal["summary", "full"] = "summary"

    @property
    def lasts(self) -> float:
        """As long as asked for, and a while to read it."""
        return self.duration_ms / 1000 + _LARGE


class TopIssue(TypedDict):
    """One of the worst."""

    category: str
    severity: Severity
    title: str


class AuditIssue(TopIssue):
    """Something that makes the page slower than it need be."""

    details: dict[str, Any]


class Remedy(TypedDict):
    """What to do about it."""

    category: str
    action: str
    target: NotRequired[str]


class CategoryResult(TypedDict):
    """What one analyser found."""

    issues: list[AuditIssue]
    remediations: list[Remedy]


class AuditSummary(TypedDict):
    """How good it is, from 0 to 100, and the worst of it."""

    score: int
    topIssues: list[TopIssue]
    issueCount: int


class AuditEvidence(TypedDict):
    """Where to look for more."""

    tracePath: str
    coveragePath: NotRequired[str]


class AuditResult(TypedDict):
    """What makes a page slow."""

    ok: bool
    summary: AuditSummary
    byCategory: dict[str, CategoryResult]
    evidence: AuditEvidence
    durationMs: int
    categoriesRun: list[str]
    warnings: list[str]


@tool(Capability.READ, gives=AuditResult, toolset="perf", reach="session", structured=True)
async def perf_audit(call: Call, args: PerfAudit) -> Result:
    """Watch a tab and score its speed from 0 to 100, with remedies. Addresses are untrusted."""
    wanted = set(args.categories or ANALYSERS)
    tracer = call.session.parts.of(Tracer, Tracer)
    async with looking_on(call) as tab:
        await call.report(0, args.duration_ms, "watching")
        audit = await watch(tab, tracer, wanted, args.duration_ms / 1000, timeout=call.left)
    with audit.recording as recording:
        trace = await save(call, recording.file, default="audit-trace.json")
    evidence = {"tracePath": shown_path(call, trace)}
    if audit.facts.coverage is not None:
        content = compact(audit.facts.coverage).encode()
        kept = await save(call, content, default="audit-coverage.json")
        evidence["coveragePath"] = shown_path(call, kept)
    full = args.format == "full"
    judged = judge(audit.facts, wanted, full=full)
    data = {
        "ok": True,
        "summary": judged["summary"],
        "byCategory": judged["byCategory"],
        "evidence": evidence,
        "durationMs": args.duration_ms,
        "categoriesRun": judged["categoriesRun"],
        "warnings": audit.warnings,
    }
    tokens = _FULL_TOKENS if full else _SUMMARY_TOKENS
    return Result(data=data, source=origin_of(tab.url), tokens=tokens)
