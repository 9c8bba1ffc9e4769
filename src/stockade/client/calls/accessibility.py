"""Calls of the tools in `accessibility`. Written by `make docs` from the tools; changes here are lost."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, cast

from stockade.client.answer import Beside
from stockade.client.transport import Calls


class Coordinates(TypedDict):
    """A point of the viewport in CSS pixels."""

    x: float
    y: float


class AccessibilitySummary(TypedDict):
    """How much was found."""

    total: int
    needsReview: int
    byImpact: dict[str, int]
    byRule: dict[str, int]
    rulesRun: int
    rulesPassed: int
    elements: int


class Finding(TypedDict):
    """What is wrong with one element, or may be; `criterion` is of WCAG 2.2."""

    rule: str
    criterion: str
    impact: Literal['critical', 'minor', 'moderate', 'serious']
    message: str
    fix: str
    ref: str
    selector: str
    snippet: str
    needsReview: NotRequired[bool]


class AuditReport(Beside):
    """What was found, the worst first; what needs review comes last."""

    ok: bool
    summary: AccessibilitySummary
    findings: list[Finding]
    truncated: bool
    warnings: list[str]
    tokensEstimate: int


class AccessibilityCalls(Calls):
    """Methods that call tools."""

    async def accessibility_audit(
        self,
        target: str | None = None,
        *,
        ref: str | None = None,
        selector: str | None = None,
        context_ref: str | None = None,
        named: str | None = None,
        coords: Coordinates | None = None,
        rules: list[str] | None = None,
        impact: Literal['critical', 'serious', 'moderate', 'minor'] | None = None,
        limit: int | None = None,
    ) -> AuditReport:
        """Check the page, or an element, against WCAG 2.2. Names and snippets are untrusted."""
        answer = await self._call("accessibility_audit", {}, {"ref": ref, "selector": selector, "contextRef": context_ref, "named": named, "coords": coords, "rules": rules, "impact": impact, "limit": limit}, in_tab=True, target=target)
        return cast("AuditReport", answer)
