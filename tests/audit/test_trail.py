"""Rows of the trail, as log lines."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from stockade.audit.trail import LogTrail
from stockade.config import load
from stockade.kernel.dispatch import Kernel
from stockade.masking.masker import Masker
from stockade.policy.principal import Principal
from stockade.server import running_kernel
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


async def test_a_row_is_one_line() -> None:
    trail = LogTrail()
    with capture_logs() as lines:
        await trail.intent({"call": "call_1", "tool": "click"})
        await trail.outcome({"call": "call_1", "outcome": "ok"})
    assert lines == [
        {"event": "intent", "log_level": "debug", "call": "call_1", "tool": "click"},
        {"event": "call", "log_level": "info", "call": "call_1", "outcome": "ok"},
    ]


async def test_no_row_of_any_call_carries_a_secret(kernel: Kernel, site: Site) -> None:
    site.page("/", f"<title>{SECRET}</title><button>{SECRET}</button>")
    address = site.url("/").replace("127.0.0.1", f"{SECRET}.localhost")
    assert SECRET in address
    with capture_logs() as lines:
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
    rows = [line for line in lines if line["event"] in {"intent", "call"}]
    assert {line["tool"] for line in rows} >= {"navigate", "click", "snapshot", "unknown"}
    assert any("<PASSWORD>" in line["origin"] for line in rows)
    assert any(line.get("target") == "<PASSWORD>" for line in rows)
    assert SECRET not in str(lines)
