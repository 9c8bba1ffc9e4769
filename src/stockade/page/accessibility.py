"""An audit of accessibility: rules over the roles, names and looks that the page agent knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

import msgspec

from stockade.engines.port import DEADLINE
from stockade.errors import InvalidArgument
from stockade.page.agent import PageAgent
from stockade.page.reach import inside, look, look_everywhere

__all__ = ["Audit", "AuditOptions", "Finding", "Impact", "audit"]

_SCRIPT: Final = (
    "audit.js audit_kit.js data_tables.js audit_names.js audit_page.js audit_aria.js audit_sight.js"
)
_LIMITS: Final = {"nodes": 100_000, "ms": 3000}

Impact = Literal["critical", "serious", "moderate", "minor"]
_IMPACTS: Final[tuple[Impact, ...]] = get_args(Impact)


class Finding(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """What is wrong with one element, or may be; `criterion` is of WCAG 2.2."""

    rule: str
    criterion: str
    impact: Impact
    message: str
    fix: str
    ref: str
    selector: str
    snippet: str
    needs_review: bool = False


class Summary(msgspec.Struct, frozen=True, rename="camel"):
    """How much was found."""

    total: int
    needs_review: int
    by_impact: dict[str, int]
    by_rule: dict[str, int]
    rules_run: int
    rules_passed: int
    elements: int


class Audit(msgspec.Struct, frozen=True):
    """Findings, the worst first."""

    summary: Summary
    findings: list[Finding]
    truncated: bool
    warnings: list[str]


@dataclass(frozen=True)
class AuditOptions:
    """Which rules, from which impact on, and how many findings at most."""

    rules: Sequence[str] | None = None
    impact: Impact = "minor"
    limit: int = 50


async def audit(
    agent: PageAgent,
    *,
    caller: str,
    ref: str | None = None,
    options: AuditOptions = AuditOptions(),  # noqa: B008  (frozen)
    timeout: float = DEADLINE,
) -> Audit:
    """Audit all frames of the tab, or what is inside the element with that ref."""
    asked: dict[str, Any] = {"caller": caller, **_LIMITS}
    if options.rules is not None:
        asked["rules"] = list(options.rules)
    warnings: list[str] = []
    if ref is not None:
        frame, number = await inside(agent, ref, timeout=timeout)
        answers = [await look(agent, frame, _SCRIPT, timeout=timeout, scope=number, **asked)]
    else:
        main = agent.page.main_frame
        answers = [await look(agent, main, _SCRIPT, timeout=timeout, **asked)]
        if len(agent.frames()) > 1:
            parts, warnings = await look_everywhere(
                agent, _SCRIPT, timeout=timeout, inner=True, **asked
            )
            answers += [
                part.said
                for part in parts
                if part.frame is not main and part.setting.actionable != "hidden"
            ]
    known = {rule for said in answers for rule in said["known"]}
    if unknown := set(options.rules or ()) - known:
        raise InvalidArgument(
            "there is no such rule: " + ", ".join(sorted(unknown))[:200],
            hint=f"There are: {', '.join(sorted(known))}.",
        )
    warnings += [each for said in answers for each in said["warnings"]]
    return _told(answers, options, list(dict.fromkeys(warnings)))


def _told(answers: Sequence[dict[str, Any]], options: AuditOptions, warnings: list[str]) -> Audit:
    run = {rule for said in answers for rule in said["rules"]}
    raw = [each for said in answers for each in said["findings"]]
    wanted = _IMPACTS[: _IMPACTS.index(options.impact) + 1]
    findings = [each for each in msgspec.convert(raw, list[Finding]) if each.impact in wanted]
    impacts = {each.rule: each.impact for each in findings}
    failed: dict[str, int] = {}
    review = 0
    for said in answers:
        for rule, counts in said["counts"].items():
            if rule in impacts:
                review += counts["review"]
                if counts["failed"]:
                    failed[rule] = failed.get(rule, 0) + counts["failed"]
    by_impact: dict[str, int] = {}
    for rule, count in failed.items():
        by_impact[impacts[rule]] = by_impact.get(impacts[rule], 0) + count
    shown = _chosen(findings, options.limit)
    return Audit(
        Summary(
            total=sum(failed.values()),
            needs_review=review,
            by_impact={each: by_impact[each] for each in _IMPACTS if each in by_impact},
            by_rule=dict(sorted(failed.items(), key=lambda item: -item[1])),
            rules_run=len(run),
            rules_passed=len(run - {each.rule for each in findings}),
            elements=sum(said["elements"] for said in answers),
        ),
        shown,
        len(shown) < sum(failed.values()) + review,
        warnings,
    )


def _chosen(findings: Sequence[Finding], limit: int) -> list[Finding]:
    """As many as there is room for: the worst first, and of each rule some before all of one."""
    turns: dict[str, int] = {}

    def rank(item: tuple[int, Finding]) -> tuple[int, bool, int, int]:
        place, each = item
        turn = turns[each.rule] = turns.get(each.rule, 0) + 1
        return turn // 5, each.needs_review, _IMPACTS.index(each.impact), place

    ranked = sorted(enumerate(findings), key=rank)[:limit]
    shown = sorted(ranked, key=lambda item: (item[1].needs_review, _IMPACTS.index(item[1].impact)))
    return [each for _, each in shown]
