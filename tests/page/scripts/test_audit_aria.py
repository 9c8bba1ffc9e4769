"""Rules about ARIA."""

from __future__ import annotations

import pytest

from stockade.page.accessibility import AuditOptions, audit
from stockade.page.agent import PageAgent

CASES = [
    ("aria-roles", "<div role='foo bar'>x</div>", "<div role='foo button'>x</div>"),
    ("aria-valid-attr-value", "<p aria-level=high>x</p>", "<p aria-level=''>x</p>"),
    (
        "aria-allowed-attr",
        "<a href=/x aria-selected=true>x</a>",
        "<div role=tab aria-selected=true>x</div>",
    ),
    ("aria-required-attr", "<div role=slider>x</div>", "<input type=range>"),
    (
        "aria-required-children",
        "<ul role=tablist><li>x</ul>",
        "<div role=tablist><div><span role=tab>x</span></div></div>",
    ),
    (
        "aria-required-parent",
        "<div role=row>x</div>",
        "<div id=o aria-owns=r role=table></div><div id=r role=row>x</div>",
    ),
    (
        "aria-hidden-focus",
        "<div aria-hidden=true><a href=/x>x</a></div>",
        "<div aria-hidden=true><a href=/x tabindex=-1>x</a><button disabled>y</button></div>",
    ),
    (
        "nested-interactive",
        "<a href=/x><span tabindex=0>x</span></a>",
        "<a href=/x><span>x</span></a>",
    ),
]


@pytest.mark.parametrize(("rule", "bad", "good"), CASES)
async def test_the_bad_is_found_and_the_good_is_not(
    agent: PageAgent, rule: str, bad: str, good: str
) -> None:
    options = AuditOptions(rules=[rule])
    await agent.page.set_content(bad)
    found = await audit(agent, caller="test", options=options)
    assert [each for each in found.findings if not each.needs_review]
    await agent.page.set_content(good)
    found = await audit(agent, caller="test", options=options)
    assert [each for each in found.findings if not each.needs_review] == []
