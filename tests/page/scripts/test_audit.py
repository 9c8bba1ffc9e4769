"""The walk over a document and the rules."""

from __future__ import annotations

from typing import Any

from tests.support.tabs import CALLER, Tab

SCRIPT = (
    "audit.js audit_kit.js data_tables.js audit_names.js audit_page.js audit_aria.js audit_sight.js"
)


async def run(tab: Tab, **asked: Any) -> dict[str, Any]:
    given = {"caller": CALLER, "nodes": 10_000, "ms": 2000, **asked}
    said: dict[str, Any] = await tab.agent.call(tab.page.main_frame, SCRIPT, **given)
    return said


async def test_every_rule_has_a_name_of_its_own(tab: Tab) -> None:
    await tab.show("<p>x")
    known = (await run(tab))["known"]
    assert len(known) == len(set(known)) > 60


async def test_findings_are_counted_beyond_those_shown(tab: Tab) -> None:
    await tab.show("<button></button>" * 250)
    said = await run(tab, rules=["button-name"])
    assert said["counts"] == {"button-name": {"failed": 250, "review": 0}}
    assert len(said["findings"]) == 200


async def test_limits_are_told(tab: Tab) -> None:
    await tab.show("<p>x</p>" * 200)
    said = await run(tab, nodes=50)
    assert 0 < said["elements"] <= 50
    assert said["warnings"] == ["the page is large: stopped at 50 elements"]
