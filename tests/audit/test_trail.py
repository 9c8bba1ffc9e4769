"""Rows of the trail, as log lines."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from stockade.audit.trail import LogTrail
from stockade.config import load
from stockade.kernel.dispatch import Kernel
from stockade.masking.masker import Masker
from stockade.policy.principal import Principal
from stockade.server import running_kernel
from stockade.telemetry import logs
from tests.support.serving import logging_restored
from tests.support.site import Site

SECRET = "hunter2hunter2"
AGENT = Principal("key1")


@pytest.fixture
async def kernel(tmp_path: Path) -> AsyncIterator[Kernel]:
    masker = Masker()
    masker.add("PASSWORD", SECRET)
    settings = load(workspace=tmp_path, isolation="shared")
    async with running_kernel(settings, masker=masker) as kernel:
        yield kernel


@pytest.fixture
def lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Everything that has been logged."""
    stream = io.StringIO()
    with logging_restored():
        logs.configure("json", "debug", stream=stream)
        yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]


async def test_a_row_is_one_line(lines: Callable[[], list[dict[str, Any]]]) -> None:
    trail = LogTrail()
    await trail.intent({"call": "call_1", "tool": "click"})
    await trail.outcome({"call": "call_1", "outcome": "ok"})
    intent, outcome = lines()
    assert (intent["msg"], intent["level"], intent["tool"]) == ("intent", "debug", "click")
    assert (outcome["msg"], outcome["level"], outcome["outcome"]) == ("call", "info", "ok")


async def test_no_row_of_any_call_carries_a_secret(
    kernel: Kernel, site: Site, lines: Callable[[], list[dict[str, Any]]]
) -> None:
    site.page("/", f"<title>{SECRET}</title><button>{SECRET}</button>")
    address = site.url("/").replace("127.0.0.1", f"{SECRET}.localhost")
    assert SECRET in address
    opened = await kernel.call(AGENT, "navigate", {"url": f"{address}?q={SECRET}"})
    assert opened.ok, opened.text
    for name, arguments in (
        ("click", {"ref": SECRET}),
        ("click", {"selector": f"text={SECRET}-not-there"}),
        ("snapshot", {}),
        ("open_session", {"session": SECRET}),
        ("close_session", {"session": SECRET}),
        (SECRET, {SECRET: SECRET}),
    ):
        reply = await kernel.call(AGENT, name, arguments)
        assert SECRET not in reply.text
    rows = [line for line in lines() if line["msg"] in {"intent", "call"}]
    assert {line["tool"] for line in rows} >= {"navigate", "click", "snapshot", "unknown"}
    assert any("<PASSWORD>" in line["origin"] for line in rows)
    assert any(line.get("target") == "<PASSWORD>" for line in rows)
    assert SECRET not in str(lines())
