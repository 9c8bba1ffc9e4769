"""Findings of all frames are told together, the worst first."""

from __future__ import annotations

import pytest

from stockade.errors import InvalidArgument
from stockade.page.accessibility import AuditOptions, audit
from stockade.page.agent import PageAgent


async def test_hidden_frames_and_unknown_rules(agent: PageAgent) -> None:
    await agent.page.set_content(
        "<iframe title=a style='display:none' srcdoc='<button></button>'></iframe>"
        "<iframe title=b srcdoc='<button></button>'></iframe>"
    )
    found = await audit(agent, caller="test", options=AuditOptions(rules=["button-name"]))
    assert [each.ref[:2] for each in found.findings] == ["f2"]
    with pytest.raises(InvalidArgument):
        await audit(agent, caller="test", options=AuditOptions(rules=["nothing"]))


async def test_impact_is_a_floor(agent: PageAgent) -> None:
    await agent.page.set_content("<button></button><h2></h2>")
    rules = ["button-name", "empty-heading"]
    both = await audit(agent, caller="test", options=AuditOptions(rules=rules))
    assert both.summary.by_impact == {"critical": 1, "minor": 1}
    worst = await audit(agent, caller="test", options=AuditOptions(rules=rules, impact="serious"))
    assert worst.summary.by_impact == {"critical": 1}
    assert worst.summary.total == len(worst.findings) == 1
