"""Denials: all counted, some told."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from stockade.egress.denials import Denials
from stockade.egress.protocol import Verdict
from stockade.telemetry import logs
from tests.support.serving import logging_restored


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    with logging_restored():
        logs.configure("json", "info", stream=stream)
        yield stream


def verdict(rule: str = "address", **more: Any) -> Verdict:
    return Verdict(
        **{
            "session": "s",
            "denied": True,
            "off_list": False,
            "rule": rule,
            "reason": "it is private",
            "remedy": "allow it",
            "origin": "http://10.1.1.1",
            "host": "10.1.1.1",
            "port": 80,
            **more,
        }
    )


def test_a_line_for_each_and_a_number_for_the_rest(log: io.StringIO) -> None:
    denials = Denials()
    for _ in range(1000):
        denials.note(verdict())
    denials.note(verdict("*.evil.test", times=7))
    denials.note(verdict(denied=False, off_list=True))
    denials.note(verdict("closed", label="browser"))
    assert denials.counts == {
        ("address", "page"): 1000,
        ("blocked_origins", "page"): 7,
        ("closed", "browser"): 1,
    }
    rows = [json.loads(line) for line in log.getvalue().splitlines()]
    assert 20 <= len(rows) < 100
    assert (rows[0]["msg"], rows[0]["rule"], rows[0]["remedy"]) == (
        "egress denied",
        "address",
        "allow it",
    )
    denials._room = 1
    denials.note(verdict("port"))
    last = json.loads(log.getvalue().splitlines()[-1])
    told = len(rows) + sum(row.get("unsaid", 0) for row in rows) + last["unsaid"]
    assert told >= 1000
