"""Rules about names."""

from __future__ import annotations

import pytest

from stockade.page.accessibility import AuditOptions, audit
from stockade.page.agent import PageAgent

CASES = [
    ("link-name", "<a href=/x><img src=y alt=''></a>", "<a href=/x><img src=y alt=Home></a>"),
    ("image-alt", "<img src=x width=9 height=9>", "<img src=x alt='' width=9 height=9>"),
    ("image-alt", "<svg role=img width=9 height=9></svg>", "<svg width=9 height=9></svg>"),
    ("label", "<input type=file>", "<label>File <input type=file></label>"),
    ("label", "<select><option>a</select>", "<input type=hidden>"),
    (
        "label-content-name-mismatch",
        "<a href=/x aria-label=Other>Home</a>",
        "<a href=/x aria-label='Home page'>Home</a>",
    ),
    ("frame-title", "<iframe></iframe>", "<iframe title=x></iframe>"),
    (
        "table-headers",
        "<table><caption>c</caption><tr><td>1<td>2<tr><td>3<td>4</table>",
        "<table role=presentation><caption>c</caption><tr><td>1<td>2<tr><td>3<td>4</table>",
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
