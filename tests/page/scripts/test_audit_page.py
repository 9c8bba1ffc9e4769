"""Rules about how a page is built."""

from __future__ import annotations

import pytest

from stockade.page.accessibility import AuditOptions, audit
from stockade.page.agent import PageAgent

CASES = [
    ("heading-order", "<h1>a</h1><h3>b</h3>", "<h1>a</h1><h2>b</h2><h3>c</h3><h1>d</h1>"),
    (
        "landmark-unique",
        "<nav>a</nav><nav>b</nav>",
        "<nav aria-label=a>a</nav><nav aria-label=b>b</nav>",
    ),
    (
        "duplicate-id-aria",
        "<i id=a>x</i><i id=a>y</i><p aria-describedby=a>z</p>",
        "<i id=a>x</i><i id=a>y</i>",
    ),
    (
        "meta-viewport",
        "<meta name=viewport content='maximum-scale=1'>",
        "<meta name=viewport content='width=device-width,maximum-scale=5'>",
    ),
    (
        "meta-refresh",
        "<meta http-equiv=refresh content=60>",
        "<meta http-equiv=refresh content='99999'>",
    ),
    ("list", "<ul>words<li>a</ul>", "<ul><script></script><li>a</ul>"),
    (
        "autocomplete-valid",
        "<input autocomplete=foo>",
        "<input autocomplete='section-a billing email'>",
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
