"""The recorder: a line for every call where it is on, nothing at all where it is off."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from stockade.kernel.diagnostics import Recorder
from tests.support.callers import Caller


def lines(caller: Caller, session: str = "default") -> list[dict[str, Any]]:
    found = caller.kernel.sessions.find(caller.principal, session)
    room = caller.kernel.settings.workspace / "diagnostics" / found.id
    return [json.loads(each) for path in room.glob("*") for each in path.read_text().splitlines()]


async def test_off_writes_nothing(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Recorder, "write", lambda *_: pytest.fail("it is off"))
    await caller.show("<h1>Hello</h1>")
    await caller.refused("diagnostics_note", insight="no")
    assert lines(caller) == []


async def test_a_call_is_told_without_what_was_in_it(mighty: Caller) -> None:
    await mighty.show("<h1>Hello</h1><input id=a>")
    mighty.kernel.masker.add("RECORDED", "correct-horse-battery")
    url = mighty.site.url("/page")
    source = "document.querySelector('h1').textContent + 'correct-horse-battery'"
    await mighty.ok("eval_js", expr=source)
    await mighty.refused("fill", selector="#gone", value="hunter2hunter2")
    await mighty.refused("eval_js", wrong=1)
    first, script, failed = lines(mighty)[:3]
    assert (first["kind"], first["tool"], first["ok"]) == ("call", "navigate", True)
    assert first["args"] == {
        "url": {"sha256": hashlib.sha256(url.encode()).hexdigest(), "length": len(url)}
    }
    assert first["sizeBytes"] > 0
    assert first["ms"] > 0
    assert script["script"]["bucket"] == "dom-query"
    assert script["script"]["head"].endswith("+ '<RECORDED>'")
    assert (failed["ok"], failed["failureKind"]) == (False, "not_found")
    text = json.dumps(lines(mighty))
    assert "correct-horse" not in text
    assert "hunter2" not in text
    assert hashlib.sha256(source.encode()).hexdigest() not in text


async def test_a_full_disk_costs_no_call(
    mighty: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(mighty.kernel.recorder.kept, "write", full)
    await mighty.ok("list_sessions")
    assert (await mighty.refused("diagnostics_note", insight="x"))["code"] == "quota_exceeded"
