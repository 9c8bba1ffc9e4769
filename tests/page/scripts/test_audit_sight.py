"""Rules about what eyes and hands need."""

from __future__ import annotations

import pytest

from stockade.page.accessibility import AuditOptions, audit
from stockade.page.agent import PageAgent

CASES = [
    (
        "color-contrast",
        "<p style='color:#999'>words</p>",
        "<button disabled style='color:#999'>words</button>",
    ),
    (
        "color-contrast",
        "<div style='background:#000'><p style='color:#333'>words</p></div>",
        "<div style='background:#000'><p style='color:#fff'>words</p></div>",
    ),
    (
        "link-in-text-block",
        "<p style='color:#222'>a long text <a href=/x style='color:#333;text-decoration:none'>link</a></p>",
        "<p>a long text <a href=/x>link</a></p>",
    ),
    (
        "target-size",
        "<button style='width:9px;height:9px;padding:0'></button><button style='width:9px;height:9px;padding:0'></button>",
        "<p>text <a href=/x>a</a> <a href=/y>b</a></p>",
    ),
    ("tabindex", "<p tabindex=1>x</p>", "<p tabindex=0>x</p>"),
    (
        "keyboard",
        "<span onclick='x()'>go</span>",
        "<span onclick='x()' tabindex=0 role=button>go</span>",
    ),
    ("keyboard", "<div role=button>go</div>", "<label onclick='x()'>a <input></label>"),
    (
        "scrollable-region-focusable",
        "<div style='overflow:auto;height:20px'><p>a<p>b<p>c</div>",
        "<div style='overflow:auto;height:20px'><p>a<p>b<p><a href=/x>c</a></div>",
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
