"""Calls of the tools in `audit`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class TopIssue(TypedDict):
    """One of the worst."""

    category: str
    severity: Literal['high', 'medium', 'low']
    title: str


class AuditSummary(TypedDict):
    """How good it is, from 0 to 100, and the worst of it."""

    score: int
    topIssues: list[TopIssue]
    issueCount: int


class AuditIssue(TypedDict):
    """Something that makes the page slower than it need be."""

    category: str
    severity: Literal['high', 'medium', 'low']
    title: str
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


class AuditEvidence(TypedDict):
    """Where to look for more."""

    tracePath: str
    coveragePath: NotRequired[str]


class AuditResult(Beside):
    """What makes a page slow."""

    ok: bool
    summary: AuditSummary
    byCategory: dict[str, CategoryResult]
    evidence: AuditEvidence
    durationMs: int
    categoriesRun: list[str]
    warnings: list[str]


class AuditCalls(Calls):
    """Methods that call tools."""

    async def perf_audit(
        self,
        *,
        categories: list[Literal['render-blocking', 'unused-code', 'oversize-images', 'layout-thrashing', 'long-tasks', 'leak-suspects', 'cache-opportunities', 'font-loading']] | None = None,
        duration_ms: int | None = None,
        format: Literal['summary', 'full'] | None = None,
    ) -> AuditResult:
        """Watch a tab and score its speed from 0 to 100, with remedies. Addresses are untrusted."""
        answer = await self._call("perf_audit", {}, {"categories": categories, "durationMs": duration_ms, "format": format}, in_tab=True)
        return cast("AuditResult", answer)
