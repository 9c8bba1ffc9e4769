"""Which rule answers."""

from __future__ import annotations

import pytest

from stockade.engines.routing import Answer, HeldRequest
from stockade.traffic.routing import Rule

FIRST, SECOND = Answer(201), Answer(202)


@pytest.mark.parametrize(
    ("pattern", "method", "url", "asked", "answers"),
    [
        ("https://a.test/*", None, "https://a.test/x", "GET", True),
        ("https://a.test/*", None, "https://b.test/x", "GET", False),
        ("*/x?y=1", None, "https://a.test/x?y=1", "GET", True),
        ("*/x?y=1", None, "https://a.test/xzy=1", "GET", False),
        ("*/x", "post", "https://a.test/x", "POST", True),
        ("*/x", "post", "https://a.test/x", "GET", False),
        ("*/x", None, "https://a.test/x/y", "GET", False),
    ],
)
def test_addresses_and_methods(
    pattern: str, method: str | None, url: str, asked: str, answers: bool
) -> None:
    rule = Rule(pattern, [FIRST], method=method)
    request = HeldRequest(url, asked)
    assert rule.matches(request) is answers
    assert rule.answer(request) == (FIRST if answers else None)
    assert rule.answered == int(answers)


def test_answers_in_turn_come_to_an_end() -> None:
    rule = Rule("*", [FIRST, SECOND], in_turn=True)
    request = HeldRequest("https://a.test/")
    assert rule.left == 2
    # Asking whether it would answer takes nothing away.
    assert all(rule.matches(request) for _ in range(5))
    assert [rule.answer(request) for _ in range(3)] == [FIRST, SECOND, None]
    assert rule.left == 0
    assert not rule.matches(request)


def test_a_rule_for_service_workers_leaves_their_script_alone() -> None:
    rule = Rule("*", [FIRST], asker="service_worker")
    assert rule.answer(HeldRequest("https://a.test/")) is None
    assert rule.answer(HeldRequest("https://a.test/", asker="service_worker")) == FIRST
    script = HeldRequest(
        "https://a.test/sw.js", headers={"Service-Worker": "script"}, asker="service_worker"
    )
    assert rule.answer(script) is None
